// aten::relu.out and aten::gelu.out.
#include <array>
#include <cmath>
#include <numbers>
#include <type_traits>

#include "kernels/arguments.h"
#include "kernels/elementwise.h"
#include "kernels/kernel_lists.h"

namespace berth::reference::detail {
namespace {

// relu.out(Tensor self, out, out). NaN stays NaN.
Status relu_out(KernelContext& context, std::span<Value* const> values) {
  const Arguments arguments(context, values);
  BERTH_RETURN_IF_ERROR(arguments.expect_count(3));
  BERTH_ASSIGN_OR_STATUS(const Tensor* self, arguments.tensor(0));
  BERTH_ASSIGN_OR_STATUS(Tensor * out, arguments.out(1));
  BERTH_RETURN_IF_ERROR(arguments.expect_type(1, *out, self->scalar_type()));
  return for_element_type(RealTypes(), arguments, 0, *self, [&]<typename T>(std::type_identity<T>) -> Status {
    BERTH_RETURN_IF_ERROR(arguments.resize_in_place(*out, 1, Sizes::of(self->sizes()), {self}));
    map_elements<T, T>(
        *out, [](T x) { return x < T(0) ? T(0) : x; }, *self);
    return {};
  });
}

template <typename T>
T gelu_exact(T x) {
  return x * T(0.5) * (T(1) + std::erf(x * (std::numbers::sqrt2_v<T> / T(2))));
}

template <typename T>
T gelu_tanh(T x) {
  const T scale = std::numbers::sqrt2_v<T> * std::numbers::inv_sqrtpi_v<T>;
  return x * T(0.5) * (T(1) + std::tanh(scale * (x + T(0.044715) * x * x * x)));
}

// gelu.out(Tensor self, str approximate, out, out)
Status gelu_out(KernelContext& context, std::span<Value* const> values) {
  const Arguments arguments(context, values);
  BERTH_RETURN_IF_ERROR(arguments.expect_count(4));
  BERTH_ASSIGN_OR_STATUS(const Tensor* self, arguments.tensor(0));
  BERTH_ASSIGN_OR_STATUS(Tensor * out, arguments.out(2));
  const Value& approximate = arguments.value(1);
  const bool exact = approximate.to_string() == "none";
  if (!exact && approximate.to_string() != "tanh") return arguments.bad(1, "the string 'none' or 'tanh'");
  BERTH_RETURN_IF_ERROR(arguments.expect_type(2, *out, self->scalar_type()));
  return for_element_type(FloatTypes(), arguments, 0, *self, [&]<typename T>(std::type_identity<T>) -> Status {
    BERTH_RETURN_IF_ERROR(arguments.resize_in_place(*out, 2, Sizes::of(self->sizes()), {self}));
    map_elements<T, T>(*out, exact ? gelu_exact<T> : gelu_tanh<T>, *self);
    return {};
  });
}

constexpr std::array<KernelEntry, 2> kKernels = {{{"aten::relu", "out", relu_out}, {"aten::gelu", "out", gelu_out}}};

}  // namespace

KernelList activation_kernels() noexcept { return kKernels; }

}  // namespace berth::reference::detail
