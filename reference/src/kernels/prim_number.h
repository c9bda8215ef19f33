// Reading the operands of executorch_prim operators: numbers of a program, not tensors.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/arguments.h"

namespace berth::reference::detail {

// Two numbers as Python mixes them: two ints (bool counts as one) stay ints, anything else is computed in doubles.
struct NumberPair {
  bool integral;
  std::int64_t a;
  std::int64_t b;
  double real_a;
  double real_b;
};

[[nodiscard]] inline Result<NumberPair> number_pair(const Arguments& arguments) {
  BERTH_ASSIGN(const double a, arguments.number(0));
  BERTH_ASSIGN(const double b, arguments.number(1));
  if (arguments.value(0).is_double() || arguments.value(1).is_double()) return NumberPair{false, 0, 0, a, b};
  BERTH_ASSIGN(const std::int64_t first, arguments.integer(0));
  BERTH_ASSIGN(const std::int64_t second, arguments.integer(1));
  return NumberPair{true, first, second, a, b};
}

}  // namespace berth::reference::detail
