// Whether a method's memory fits the devices of a registry: judged against the registry file's limits, the memory that
// is there in all, and the plugin's limits. Little free memory is a warning only (others may give theirs back; on
// unified memory "free" leaves out caches), and what is unknown is said, never taken as zero. What delegates take for
// themselves cannot be known from the program.
#pragma once

#include "berth/core/device_registry.h"
#include "berth/program/method_plan.h"
#include "report/inspect_report.h"

namespace berth::cli {

// Opens the devices that the method uses. A device that cannot be opened is a problem of the answer, not an error.
[[nodiscard]] MethodFit judge_fit(const program::MethodPlan& plan, bool legacy, DeviceRegistry& registry);

}  // namespace berth::cli
