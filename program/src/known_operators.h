// What is known of operators, for plan_check: which write all of their result, and whether they read all of their
// arguments.
#pragma once

#include <cstdint>

#include "berth/program/method_plan.h"

namespace berth::program::detail {

enum class Knowledge : std::uint8_t {
  kUnknown,       // may read and write any of its arguments, or none
  kReadsSome,     // writes all of its result, may leave parts of its arguments unread
  kReadsAll,      // writes all of its result, reads every element of its arguments
  kCopiesInPlace  // aten::copy_(self, src, ...): reads src, writes self
};

// By name and overload; an overload that does not end in "out" is unknown, except copy_'s.
[[nodiscard]] Knowledge knowledge_of(const OperatorPlan& op);

}  // namespace berth::program::detail
