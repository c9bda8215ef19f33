// aten::eq.Scalar_out and aten::eq.Tensor_out. The result is BOOL.
#include <array>
#include <type_traits>

#include "kernels/arguments.h"
#include "kernels/broadcast_arguments.h"
#include "kernels/elementwise.h"
#include "kernels/kernel_lists.h"

namespace berth::reference::detail {
namespace {

// An integer element and a whole number compare as integers, everything else in the element's own precision or, for
// integer elements and a real number, as doubles.
template <typename T>
Status equal_to_scalar(const Arguments& arguments, const Tensor& self, const Tensor& out) {
  if (std::is_integral_v<T> && !arguments.value(1).is_double()) {
    BERTH_ASSIGN_OR_STATUS(const std::int64_t other, arguments.integer(1));
    map_elements<bool, T>(
        out, [other](T x) { return static_cast<std::int64_t>(x) == other; }, self);
    return {};
  }
  BERTH_ASSIGN_OR_STATUS(const double other, arguments.number(1));
  using Real = std::conditional_t<std::is_same_v<T, float>, float, double>;
  const Real rounded = static_cast<Real>(other);
  map_elements<bool, T>(
      out, [rounded](T x) { return static_cast<Real>(x) == rounded; }, self);
  return {};
}

// eq.Scalar_out(Tensor self, Scalar other, out, out)
Status eq_scalar_out(KernelContext& context, std::span<Value* const> values) {
  const Arguments arguments(context, values);
  BERTH_RETURN_IF_ERROR(arguments.expect_count(4));
  BERTH_ASSIGN_OR_STATUS(const Tensor* self, arguments.tensor(0));
  BERTH_ASSIGN_OR_STATUS([[maybe_unused]] const double checked, arguments.number(1));
  BERTH_ASSIGN_OR_STATUS(Tensor * out, arguments.out(2));
  BERTH_RETURN_IF_ERROR(arguments.expect_type(2, *out, module::ScalarType::kBool));
  return for_element_type(RealOrBoolTypes(), arguments, 0, *self, [&]<typename T>(std::type_identity<T>) -> Status {
    BERTH_RETURN_IF_ERROR(arguments.resize_in_place(*out, 2, Sizes::of(self->sizes()), {self}));
    return equal_to_scalar<T>(arguments, *self, *out);
  });
}

// eq.Tensor_out(Tensor self, Tensor other, out, out)
Status eq_tensor_out(KernelContext& context, std::span<Value* const> values) {
  const Arguments arguments(context, values);
  BERTH_RETURN_IF_ERROR(arguments.expect_count(4));
  BERTH_ASSIGN_OR_STATUS(const BinaryOperands in, binary_operands(arguments, 0, 1));
  BERTH_ASSIGN_OR_STATUS(Tensor * out, arguments.out(2));
  BERTH_RETURN_IF_ERROR(arguments.expect_type(2, *out, module::ScalarType::kBool));
  return for_element_type(RealOrBoolTypes(), arguments, 0, *in.a, [&]<typename T>(std::type_identity<T>) -> Status {
    BERTH_RETURN_IF_ERROR(arguments.resize_in_place(*out, 2, in.sizes, {in.a, in.b}));
    map_elements<bool, T, T>(
        *out, [](T a, T b) { return a == b; }, *in.a, *in.b);
    return {};
  });
}

constexpr std::array<KernelEntry, 2> kKernels = {
    {{"aten::eq", "Scalar_out", eq_scalar_out}, {"aten::eq", "Tensor_out", eq_tensor_out}}};

}  // namespace

KernelList comparison_kernels() noexcept { return kKernels; }

}  // namespace berth::reference::detail
