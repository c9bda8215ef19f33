// What elementwise operators with two operands check.
#pragma once

#include <cstddef>

#include "kernels/arguments.h"

namespace berth::reference::detail {

struct BinaryOperands {
  const Tensor* a;
  const Tensor* b;
  Sizes sizes;  // what both broadcast to
};

// Reads tensors `a` and `b`, whose types must be equal and whose sizes must fit; argument `b` is blamed.
[[nodiscard]] inline Result<BinaryOperands> binary_operands(const Arguments& arguments, std::size_t a, std::size_t b) {
  BERTH_ASSIGN(const Tensor* first, arguments.tensor(a));
  BERTH_ASSIGN(const Tensor* second, arguments.tensor(b));
  BERTH_FAIL_IF_ERROR(arguments.expect_type(b, *second, first->scalar_type()));
  const auto sizes = broadcast(first->sizes(), second->sizes());
  if (!sizes.has_value()) {
    return fail(arguments.bad(b, "sizes that broadcast with " + sizes_text(first->sizes()), second->describe()));
  }
  return BinaryOperands{first, second, *sizes};
}

}  // namespace berth::reference::detail
