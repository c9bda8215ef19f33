// The second step of plan_check: follows every planned tensor's bytes through a method whose tensors overlap while they
// are alive. What it knows of each tensor at a point of the program holds on every path that leads there:
//
//   unknown   nothing is proven
//   written   a known operator wrote all of it, and nothing is known to have overwritten it since
//   lost      it was written, then a known operator wrote over its bytes through another value
//
// Where paths meet the weaker of two facts is kept; jumps back make everything at their target unknown.
#pragma once

#include "read_state.h"

namespace berth::program::detail {

[[nodiscard]] bool bytes_overlap(const TensorPlan& one, const TensorPlan& other);

// False when a lost tensor is certainly read. Takes time and memory; gives up on absurdly large methods.
[[nodiscard]] bool search_clobber(ReadState& state, const MethodDraft& draft);

}  // namespace berth::program::detail
