#include "berth/reference/delegates.h"

#include "delegates/demo_delegate.h"
#include "delegates/program_delegate.h"

namespace berth::reference {

Status add_reference_delegates(module::DelegateTable& table) {
  BERTH_RETURN_IF_ERROR(table.add(detail::kDemoDelegate, detail::make_demo_delegate));
  return table.add(detail::kProgramDelegate, detail::make_program_delegate);
}

}  // namespace berth::reference
