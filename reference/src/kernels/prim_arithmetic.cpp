// Arithmetic on the numbers of a program (sizes, mostly): executorch_prim::*.Scalar and the two .int forms. Integer
// results that do not fit int64 and integer divisions by zero are errors of the program.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "kernels/kernel_lists.h"
#include "kernels/prim_number.h"

namespace berth::reference::detail {
namespace {

using Integer = std::int64_t;
using OptionalInteger = std::optional<Integer>;
constexpr Integer kLowest = std::numeric_limits<Integer>::min();

// Each operation on ints answers none when the result does not fit.
struct Add {
  static OptionalInteger of(Integer a, Integer b) noexcept {
    Integer sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? OptionalInteger() : sum;
  }
  static double of(double a, double b) noexcept { return a + b; }
};
struct Subtract {
  static OptionalInteger of(Integer a, Integer b) noexcept {
    Integer difference = 0;
    return __builtin_sub_overflow(a, b, &difference) ? OptionalInteger() : difference;
  }
  static double of(double a, double b) noexcept { return a - b; }
};
struct Multiply {
  static OptionalInteger of(Integer a, Integer b) noexcept {
    Integer result = 0;
    return __builtin_mul_overflow(a, b, &result) ? OptionalInteger() : result;
  }
  static double of(double a, double b) noexcept { return a * b; }
};
// Towards minus infinity, as Python's //.
struct FloorDivide {
  static OptionalInteger of(Integer a, Integer b) noexcept {
    if (b == 0 || (a == kLowest && b == -1)) return {};
    const Integer quotient = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
  }
  static double of(double a, double b) noexcept {
    if (b == 0) return a / b;
    const double rest = std::fmod(a, b);
    const double quotient = (a - rest) / b;
    return rest != 0 && std::signbit(rest) != std::signbit(b) ? quotient - 1 : quotient;
  }
};
// Towards zero, as C does: what the .int forms and mod.Scalar mean in the official runtime.
struct TruncatedDivide {
  static OptionalInteger of(Integer a, Integer b) noexcept {
    return b == 0 || (a == kLowest && b == -1) ? OptionalInteger() : a / b;
  }
};
struct Remainder {
  static OptionalInteger of(Integer a, Integer b) noexcept {
    if (b == 0) return {};
    return b == -1 ? 0 : a % b;
  }
};
struct Maximum {
  static OptionalInteger of(Integer a, Integer b) noexcept { return std::max(a, b); }
};
struct Minimum {
  static OptionalInteger of(Integer a, Integer b) noexcept { return std::min(a, b); }
};

Status set_result(const Arguments& arguments, std::size_t index, OptionalInteger result) {
  if (!result.has_value()) {
    std::string operands = arguments.value(0).describe();
    if (index > 1) operands += " and " + arguments.value(1).describe();
    return arguments.context().bad_call("no int64 is the result of " + operands);
  }
  arguments.value(index).set_int(*result);
  return {};
}

// name.Scalar(Scalar a, Scalar b, Scalar result)
template <typename Operation>
Status numbers(KernelContext& context, std::span<Value* const> values) {
  const Arguments arguments(context, values);
  BERTH_RETURN_IF_ERROR(arguments.expect_count(3));
  BERTH_ASSIGN_OR_STATUS(const NumberPair pair, number_pair(arguments));
  if (pair.integral) return set_result(arguments, 2, Operation::of(pair.a, pair.b));
  arguments.value(2).set_double(Operation::of(pair.real_a, pair.real_b));
  return {};
}

// name(int a, int b, int result)
template <typename Operation>
Status integers(KernelContext& context, std::span<Value* const> values) {
  const Arguments arguments(context, values);
  BERTH_RETURN_IF_ERROR(arguments.expect_count(3));
  BERTH_ASSIGN_OR_STATUS(const Integer a, arguments.integer(0));
  BERTH_ASSIGN_OR_STATUS(const Integer b, arguments.integer(1));
  return set_result(arguments, 2, Operation::of(a, b));
}

// truediv.Scalar(Scalar a, Scalar b, float result)
Status true_divide(KernelContext& context, std::span<Value* const> values) {
  const Arguments arguments(context, values);
  BERTH_RETURN_IF_ERROR(arguments.expect_count(3));
  BERTH_ASSIGN_OR_STATUS(const NumberPair pair, number_pair(arguments));
  arguments.value(2).set_double(pair.real_a / pair.real_b);
  return {};
}

// neg.Scalar(Scalar a, Scalar result)
Status negate(KernelContext& context, std::span<Value* const> values) {
  const Arguments arguments(context, values);
  BERTH_RETURN_IF_ERROR(arguments.expect_count(2));
  BERTH_ASSIGN_OR_STATUS(const double real, arguments.number(0));
  if (arguments.value(0).is_double()) {
    arguments.value(1).set_double(-real);
    return {};
  }
  BERTH_ASSIGN_OR_STATUS(const Integer integer, arguments.integer(0));
  return set_result(arguments, 1, Subtract::of(Integer{0}, integer));
}

// sym_float.Scalar(Scalar a, float result)
Status to_float(KernelContext& context, std::span<Value* const> values) {
  const Arguments arguments(context, values);
  BERTH_RETURN_IF_ERROR(arguments.expect_count(2));
  BERTH_ASSIGN_OR_STATUS(const double real, arguments.number(0));
  arguments.value(1).set_double(real);
  return {};
}

// Halves go to the even neighbour, as Python's round does.
double round_half_even(double real) noexcept { return real - std::remainder(real, 1.0); }
double round_up(double real) noexcept { return std::ceil(real); }
double cut_off(double real) noexcept { return std::trunc(real); }

// name.Scalar(Scalar a, int result)
template <double (*Round)(double)>
Status rounded(KernelContext& context, std::span<Value* const> values) {
  const Arguments arguments(context, values);
  BERTH_RETURN_IF_ERROR(arguments.expect_count(2));
  BERTH_ASSIGN_OR_STATUS(const double real, arguments.number(0));
  if (!arguments.value(0).is_double()) return set_result(arguments, 1, arguments.integer(0).value_or(0));
  const double whole = Round(real);
  const bool fits = whole >= -0x1p63 && whole < 0x1p63;
  return set_result(arguments, 1, fits ? OptionalInteger(static_cast<Integer>(whole)) : OptionalInteger());
}

constexpr std::array<KernelEntry, 15> kKernels = {{{"executorch_prim::add", "Scalar", numbers<Add>},
                                                   {"executorch_prim::sub", "Scalar", numbers<Subtract>},
                                                   {"executorch_prim::mul", "Scalar", numbers<Multiply>},
                                                   {"executorch_prim::floordiv", "Scalar", numbers<FloorDivide>},
                                                   {"executorch_prim::floordiv", "int", integers<TruncatedDivide>},
                                                   {"executorch_prim::truediv", "Scalar", true_divide},
                                                   {"executorch_prim::mod", "Scalar", integers<Remainder>},
                                                   {"executorch_prim::mod", "int", integers<Remainder>},
                                                   {"executorch_prim::sym_max", "Scalar", integers<Maximum>},
                                                   {"executorch_prim::sym_min", "Scalar", integers<Minimum>},
                                                   {"executorch_prim::neg", "Scalar", negate},
                                                   {"executorch_prim::sym_float", "Scalar", to_float},
                                                   {"executorch_prim::ceil", "Scalar", rounded<round_up>},
                                                   {"executorch_prim::round", "Scalar", rounded<round_half_even>},
                                                   {"executorch_prim::trunc", "Scalar", rounded<cut_off>}}};

}  // namespace

KernelList prim_arithmetic_kernels() noexcept { return kKernels; }

}  // namespace berth::reference::detail
