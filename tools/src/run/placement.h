// Where a loaded method's memory is, and why there.
#pragma once

#include "berth/module/module.h"
#include "report/run_report.h"

namespace berth::cli {

// kFailedPrecondition when the method is not loaded. Opens nothing.
[[nodiscard]] Result<Placement> placement_of(const module::Module& module, const program::MethodPlan& plan);

// The copies that the module counted, those that happened only.
[[nodiscard]] std::vector<CopyRow> copy_rows(const module::CopyReport& copies);

}  // namespace berth::cli
