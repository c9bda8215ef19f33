// aten::_softmax.out and aten::_log_softmax.out, in float32 and float64, for any dim order.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>

#include "kernels/arguments.h"
#include "kernels/kernel_lists.h"
#include "kernels/strided_loop.h"

namespace berth::reference::detail {
namespace {

// A line of elements along one dimension.
template <typename T>
struct Line {
  T* data;
  std::int64_t stride;
  T& operator[](std::int64_t i) const noexcept { return data[i * stride]; }
};

// `in` may be `out`. The largest element is taken off first, so that no power overflows.
template <typename T, bool Logarithm>
void normalise(Line<const T> in, Line<T> out, std::int64_t count) {
  T largest = -std::numeric_limits<T>::infinity();
  for (std::int64_t i = 0; i < count; ++i) largest = std::max(largest, in[i]);
  double sum = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const T shifted = in[i] - largest;
    const T power = std::exp(shifted);
    sum += static_cast<double>(power);
    out[i] = Logarithm ? shifted : power;
  }
  const T total = static_cast<T>(Logarithm ? std::log(sum) : sum);
  for (std::int64_t i = 0; i < count; ++i) out[i] = Logarithm ? out[i] - total : out[i] / total;
}

template <typename T, bool Logarithm>
void normalise_all(const Tensor& self, const Tensor& out, std::size_t dimension) {
  const Strides in_strides = self.strides();
  const Strides out_strides = out.strides();
  Sizes others = Sizes::of(self.sizes());
  const std::int64_t count = self.rank() == 0 ? 1 : self.size(dimension);
  if (self.rank() > 0) others[dimension] = 1;
  const T* const source = self.data<T>().data();
  T* const target = out.mutable_data<T>().data();
  StridedLoop<2>(others.span(), {in_strides, out_strides}).run([&](const auto& at) {
    normalise<T, Logarithm>({source + at[0], in_strides[dimension]}, {target + at[1], out_strides[dimension]}, count);
  });
}

// _softmax.out(Tensor self, int dim, bool half_to_float, out, out), and the same for _log_softmax
template <bool Logarithm>
Status softmax_out(KernelContext& context, std::span<Value* const> values) {
  const Arguments arguments(context, values);
  BERTH_RETURN_IF_ERROR(arguments.expect_count(5));
  BERTH_ASSIGN_OR_STATUS(const Tensor* self, arguments.tensor(0));
  BERTH_ASSIGN_OR_STATUS(const std::int64_t dim, arguments.integer(1));
  BERTH_ASSIGN_OR_STATUS(const std::size_t dimension, arguments.dimension(1, dim, self->rank()));
  BERTH_ASSIGN_OR_STATUS(const bool half_to_float, arguments.boolean(2));
  if (half_to_float) return arguments.bad(2, "false (float16 has no kernel)");
  BERTH_ASSIGN_OR_STATUS(Tensor * out, arguments.out(3));
  BERTH_RETURN_IF_ERROR(arguments.expect_type(3, *out, self->scalar_type()));
  return for_element_type(FloatTypes(), arguments, 0, *self, [&]<typename T>(std::type_identity<T>) -> Status {
    BERTH_RETURN_IF_ERROR(arguments.resize_in_place(*out, 3, Sizes::of(self->sizes()), {self}));
    if (self->numel() > 0) normalise_all<T, Logarithm>(*self, *out, dimension);
    return {};
  });
}

constexpr std::array<KernelEntry, 2> kKernels = {
    {{"aten::_softmax", "out", softmax_out<false>}, {"aten::_log_softmax", "out", softmax_out<true>}}};

}  // namespace

KernelList softmax_kernels() noexcept { return kKernels; }

}  // namespace berth::reference::detail
