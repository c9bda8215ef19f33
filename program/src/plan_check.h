// plan_check: refuses a method whose memory plan certainly destroys a value before it is read.
//
// Planned tensors share bytes on purpose: one after the other, in different branches, as views of each other. What is
// certainly wrong is this, on every path: bytes written through one value by an operator that is known to write all of
// its result, then overwritten through another value by such an operator, then read through the first. Delegates and
// unknown operators may write any of their arguments, so they never prove that a value was lost; MoveCall and et_view
// rebind a value to another's bytes and write nothing. It is storage that has a lifetime, not the value.
//
// Two steps. Nearly all methods are settled by the first, which is linear: no two tensors that overlap in memory are
// alive at the same time. The second follows the writes of those that are not (clobber_search.h).
#pragma once

#include "read_state.h"

namespace berth::program::detail {

// False with a failure that names the instruction that reads, the value, and the two writes. The chains have been read.
[[nodiscard]] bool plan_check(ReadState& state, const MethodDraft& draft);

}  // namespace berth::program::detail
