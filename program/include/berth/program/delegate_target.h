// The device that a delegate was compiled for: compile spec "target_device" ("cuda:1", upstream's PropagateDevicePass).
#pragma once

#include <optional>

#include "berth/core/api.h"
#include "berth/core/device_id.h"
#include "berth/core/result.h"
#include "berth/program/method_plan.h"

namespace berth::program {

// The first "target_device" spec, trimmed and in any case, index 0 if left out; none when there is no such spec.
// kInvalidProgram when the text is no device or the index is negative or too large.
[[nodiscard]] BERTH_API Result<std::optional<DeviceId>> delegate_target(const DelegatePlan& delegate);

}  // namespace berth::program
