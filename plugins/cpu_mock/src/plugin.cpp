// The one exported function, the table and the note.
#include <berth/plugin_helper.hpp>

#include "groups.h"

BERTH_PLUGIN_NOTE("cpu_mock", "cpu_mock", "0.1.0", "Berth", 0);

namespace {

const berth_table kTable = {
    sizeof(berth_table),           &berth::mock::kInstanceGroup,   &berth::mock::kDeviceGroup,
    &berth::mock::kMemoryGroup,    &berth::mock::kCopyGroup,       &berth::mock::kCopyWithinGroup,
    &berth::mock::kFillGroup,      &berth::mock::kMemoryInfoGroup, &berth::mock::kStagingGroup,
    &berth::mock::kQueueGroup,     &berth::mock::kAsyncGroup,      &berth::mock::kPeerGroup,
    &berth::mock::kQueuePeerGroup, &berth::mock::kMapGroup,
};

}  // namespace

berth_code berth_plugin_query(const berth_query_args* args, berth_plugin_info* out_info, berth_error* error) noexcept {
  return berth_answer_query(&berth_plugin_note, &kTable, 0, args, out_info, error);
}
