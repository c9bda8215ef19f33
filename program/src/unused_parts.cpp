#include "method_reader.h"
#include "program_generated.h"

namespace berth::program::detail {

void read_container_types(FlatReader& reader, const Table& plan) {
  const Table table = reader.table(plan, wire::ExecutionPlan::VT_CONTAINER_META_TYPE);
  (void)reader.string(table, wire::ContainerMetadata::VT_ENCODED_INP_STR);
  (void)reader.string(table, wire::ContainerMetadata::VT_ENCODED_OUT_STR);
}

void read_stack_traces(FlatReader& reader, const Table& chain) {
  const TableList traces = reader.tables(chain, wire::Chain::VT_STACKTRACE);
  for (std::uint32_t i = 0; i < traces.size; ++i) {
    const TableList frames = reader.tables(reader.item(traces, i), wire::FrameList::VT_ITEMS);
    for (std::uint32_t k = 0; k < frames.size; ++k) {
      const Table frame = reader.item(frames, k);
      (void)reader.string(frame, wire::Frame::VT_FILENAME);
      (void)reader.scalar<std::int32_t>(frame, wire::Frame::VT_LINENO, 0);
      (void)reader.string(frame, wire::Frame::VT_NAME);
      (void)reader.string(frame, wire::Frame::VT_CONTEXT);
    }
  }
}

}  // namespace berth::program::detail
