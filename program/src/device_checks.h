// Where arguments live: the checks that only a program planned for devices needs. A legacy program has none of them,
// because its tags were replaced by the host before.
#pragma once

#include <cstdint>

#include "berth/core/status.h"
#include "read_state.h"

namespace berth::program::detail {

// Copy operator: three arguments (self, out, out), sides as its kind says, one element type, one dim order.
[[nodiscard]] Status check_copy(const ReadState& state, const MethodDraft& draft, const Place& place,
                                const InstructionPlan& call);

// Any other kernel that was found to have an argument on a device: says which.
[[nodiscard, gnu::cold]] Status device_argument(const ReadState& state, const MethodDraft& draft, const Place& place,
                                                const InstructionPlan& call);

// Delegate: every tensor argument is on the device that its compile specs name. Devices of types without a built-in
// name are left to those who know the registry file.
[[nodiscard]] Status check_delegate_call(const ReadState& state, const MethodDraft& draft, const Place& place,
                                         const InstructionPlan& call);

// MoveCall rebinds a value: both sides are tensors of one device and element type, lists on one device, or neither.
[[nodiscard]] Status check_move(const ReadState& state, const MethodDraft& draft, const Place& place,
                                const InstructionPlan& call);

}  // namespace berth::program::detail
