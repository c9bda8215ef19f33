// The device that a delegate was compiled for: compile spec "target_device" ("cuda:1", upstream's PropagateDevicePass).
#pragma once

#include <cstdint>
#include <optional>

#include "berth/core/api.h"
#include "berth/core/device_id.h"
#include "berth/core/result.h"
#include "berth/program/method_plan.h"

namespace berth::program {

// The first "target_device" spec, trimmed and in any case, index 0 if left out; none when there is no such spec.
// kInvalidProgram when the text is no device or the index is negative or too large.
[[nodiscard]] BERTH_API Result<std::optional<DeviceId>> delegate_target(const DelegatePlan& delegate);

// The first value among a call's arguments that is a tensor, or a list with a tensor, on another device than `device`;
// none when all tensors are on it. Program::open has made this check for delegates of the types cpu and cuda; those who
// know what other type bytes mean (the registry file's [types]) make it for the rest. Any thread, never fails.
[[nodiscard]] BERTH_API std::optional<std::int32_t> argument_elsewhere(const MethodPlan& method,
                                                                       const InstructionPlan& call,
                                                                       ProgramDevice device) noexcept;

}  // namespace berth::program
