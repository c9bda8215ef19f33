// Where arguments live: the checks that only a program planned for devices needs. A legacy program has none of them,
// because its tags were replaced by the host before.
#pragma once

#include <cstdint>

#include "read_state.h"

namespace berth::program::detail {

// Copy operator: three arguments (self, out, out), sides as its kind says, one element type, one dim order.
[[nodiscard]] bool check_copy(ReadState& state, const MethodDraft& draft, const Place& place,
                              const InstructionPlan& call);

// Any other kernel that was found to have an argument on a device: says which.
[[nodiscard, gnu::cold]] bool device_argument(ReadState& state, const MethodDraft& draft, const Place& place,
                                              const InstructionPlan& call);

// Delegate: every tensor argument is on the device that its compile specs name. Devices of types without a built-in
// name are left to those who know the registry file.
[[nodiscard]] bool check_delegate_call(ReadState& state, const MethodDraft& draft, const Place& place,
                                       const InstructionPlan& call);

// MoveCall rebinds a value: both sides are tensors of one device and element type, lists on one device, or neither.
[[nodiscard]] bool check_move(ReadState& state, const MethodDraft& draft, const Place& place,
                              const InstructionPlan& call);

}  // namespace berth::program::detail
