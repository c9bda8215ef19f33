// aten::add.out and aten::mul.out.
#include <array>
#include <type_traits>

#include "kernels/arguments.h"
#include "kernels/broadcast_arguments.h"
#include "kernels/elementwise.h"
#include "kernels/kernel_lists.h"

namespace berth::reference::detail {
namespace {

// add.out(Tensor self, Tensor other, Scalar alpha, out, out): self + alpha * other
Status add_out(KernelContext& context, std::span<Value* const> values) {
  const Arguments arguments(context, values);
  BERTH_RETURN_IF_ERROR(arguments.expect_count(5));
  BERTH_ASSIGN_OR_STATUS(const BinaryOperands in, binary_operands(arguments, 0, 1));
  BERTH_ASSIGN_OR_STATUS(Tensor * out, arguments.out(3));
  BERTH_RETURN_IF_ERROR(arguments.expect_type(3, *out, in.a->scalar_type()));
  return for_element_type(RealOrBoolTypes(), arguments, 0, *in.a, [&]<typename T>(std::type_identity<T>) -> Status {
    BERTH_ASSIGN_OR_STATUS(const T alpha, arguments.scalar<T>(2));
    BERTH_RETURN_IF_ERROR(arguments.resize_in_place(*out, 3, in.sizes, {in.a, in.b}));
    map_elements<T, T, T>(
        *out, [alpha](T a, T b) { return add_elements(a, multiply_elements(alpha, b)); }, *in.a, *in.b);
    return {};
  });
}

// mul.out(Tensor self, Tensor other, out, out)
Status mul_out(KernelContext& context, std::span<Value* const> values) {
  const Arguments arguments(context, values);
  BERTH_RETURN_IF_ERROR(arguments.expect_count(4));
  BERTH_ASSIGN_OR_STATUS(const BinaryOperands in, binary_operands(arguments, 0, 1));
  BERTH_ASSIGN_OR_STATUS(Tensor * out, arguments.out(2));
  BERTH_RETURN_IF_ERROR(arguments.expect_type(2, *out, in.a->scalar_type()));
  return for_element_type(RealOrBoolTypes(), arguments, 0, *in.a, [&]<typename T>(std::type_identity<T>) -> Status {
    BERTH_RETURN_IF_ERROR(arguments.resize_in_place(*out, 2, in.sizes, {in.a, in.b}));
    map_elements<T, T, T>(*out, multiply_elements<T>, *in.a, *in.b);
    return {};
  });
}

constexpr std::array<KernelEntry, 2> kKernels = {{{"aten::add", "out", add_out}, {"aten::mul", "out", mul_out}}};

}  // namespace

KernelList add_mul_kernels() noexcept { return kKernels; }

}  // namespace berth::reference::detail
