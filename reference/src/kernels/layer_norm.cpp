// aten::native_layer_norm.out, in float32 and float64. Weight and bias may be absent.
#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>

#include "kernels/arguments.h"
#include "kernels/kernel_lists.h"

namespace berth::reference::detail {
namespace {

struct LayerNorm {
  const Tensor* input;
  const Tensor* weight;  // may be null
  const Tensor* bias;    // may be null
  double epsilon;
  Tensor* out;
  Tensor* mean;
  Tensor* inverse_deviation;
  Sizes statistics;    // of mean and inverse deviation: the normalised dimensions are 1
  std::int64_t rows;   // that are normalised, each on its own
  std::int64_t width;  // elements of a row
};

template <typename T>
void normalise_rows(const LayerNorm& norm) {
  using Row = Eigen::Array<T, Eigen::Dynamic, 1>;
  const T* const input = norm.input->data<T>().data();
  T* const out = norm.out->mutable_data<T>().data();
  T* const means = norm.mean->mutable_data<T>().data();
  T* const inverses = norm.inverse_deviation->mutable_data<T>().data();
  for (std::int64_t i = 0; i < norm.rows; ++i) {
    const Eigen::Map<const Row> x(input + i * norm.width, norm.width);
    Eigen::Map<Row> y(out + i * norm.width, norm.width);
    means[i] = x.mean();
    inverses[i] = T(1) / std::sqrt((x - means[i]).square().mean() + static_cast<T>(norm.epsilon));
    y = (x - means[i]) * inverses[i];
    if (norm.weight != nullptr) y *= Eigen::Map<const Row>(norm.weight->data<T>().data(), norm.width);
    if (norm.bias != nullptr) y += Eigen::Map<const Row>(norm.bias->data<T>().data(), norm.width);
  }
}

// The normalised sizes must be the last ones of the input.
Status read_shape(const Arguments& arguments, LayerNorm& norm) {
  BERTH_ASSIGN_OR_STATUS(const IntList shape, arguments.ints(1));
  const std::size_t rank = norm.input->rank();
  const std::size_t kept = rank - std::min(rank, shape.size());
  bool fits = !shape.empty() && shape.size() <= rank;
  for (std::size_t i = 0; fits && i < shape.size(); ++i) fits = shape[i] == norm.input->size(kept + i);
  if (!fits) {
    return arguments.bad(1, "the last sizes of " + norm.input->describe(), ints_text(shape));
  }
  norm.statistics = Sizes::of(norm.input->sizes());
  for (std::size_t i = kept; i < rank; ++i) norm.statistics[i] = 1;
  norm.width = product(norm.input->sizes().subspan(kept));
  norm.rows = product(norm.input->sizes().first(kept));
  return {};
}

Status read_scale(const Arguments& arguments, std::size_t index, const Tensor& input, const Tensor*& scale) {
  BERTH_ASSIGN_OR_STATUS(scale, arguments.optional_tensor(index));
  if (scale == nullptr) return {};
  BERTH_ASSIGN_OR_STATUS(const IntList shape, arguments.ints(1));
  BERTH_RETURN_IF_ERROR(arguments.expect_type(index, *scale, input.scalar_type()));
  BERTH_RETURN_IF_ERROR(arguments.expect_contiguous(index, *scale));
  return arguments.expect_sizes(index, *scale, input.sizes().last(shape.size()));
}

Status read_outs(const Arguments& arguments, LayerNorm& norm) {
  std::size_t index = 5;
  BERTH_ASSIGN_OR_STATUS(const TensorList outs, arguments.tensors(8));
  for (Tensor** target : {&norm.out, &norm.mean, &norm.inverse_deviation}) {
    BERTH_ASSIGN_OR_STATUS(*target, arguments.writable(index));
    BERTH_RETURN_IF_ERROR(arguments.expect_type(index, **target, norm.input->scalar_type()));
    BERTH_RETURN_IF_ERROR(arguments.expect_contiguous(index, **target));
    if (outs.size() != 3 || outs[index - 5] != *target) {
      return arguments.bad(8, "the list of arguments 5, 6 and 7");
    }
    ++index;
  }
  const Sizes sizes = Sizes::of(norm.input->sizes());
  const auto apart = {norm.weight, norm.bias};
  BERTH_RETURN_IF_ERROR(arguments.resize_in_place(*norm.out, 5, sizes, {norm.input}));
  BERTH_RETURN_IF_ERROR(arguments.expect_apart(*norm.out, 5, apart));
  BERTH_RETURN_IF_ERROR(arguments.resize_apart(*norm.mean, 6, norm.statistics, {norm.input, norm.out}));
  BERTH_RETURN_IF_ERROR(arguments.expect_apart(*norm.mean, 6, apart));
  BERTH_RETURN_IF_ERROR(
      arguments.resize_apart(*norm.inverse_deviation, 7, norm.statistics, {norm.input, norm.out, norm.mean}));
  return arguments.expect_apart(*norm.inverse_deviation, 7, apart);
}

// native_layer_norm.out(Tensor input, int[] normalized_shape, Tensor? weight, Tensor? bias, float eps, out, mean out,
// inverse deviation out, [the three])
Status native_layer_norm_out(KernelContext& context, std::span<Value* const> values) {
  const Arguments arguments(context, values);
  BERTH_RETURN_IF_ERROR(arguments.expect_count(9));
  LayerNorm norm = {};
  BERTH_ASSIGN_OR_STATUS(norm.input, arguments.tensor(0));
  BERTH_RETURN_IF_ERROR(arguments.expect_contiguous(0, *norm.input));
  BERTH_RETURN_IF_ERROR(read_shape(arguments, norm));
  BERTH_RETURN_IF_ERROR(read_scale(arguments, 2, *norm.input, norm.weight));
  BERTH_RETURN_IF_ERROR(read_scale(arguments, 3, *norm.input, norm.bias));
  BERTH_ASSIGN_OR_STATUS(norm.epsilon, arguments.number(4));
  return for_element_type(FloatTypes(), arguments, 0, *norm.input, [&]<typename T>(std::type_identity<T>) -> Status {
    BERTH_RETURN_IF_ERROR(read_outs(arguments, norm));
    if (norm.width > 0) normalise_rows<T>(norm);
    return {};
  });
}

constexpr std::array<KernelEntry, 1> kKernels = {{{"aten::native_layer_norm", "out", native_layer_norm_out}}};

}  // namespace

KernelList layer_norm_kernels() noexcept { return kKernels; }

}  // namespace berth::reference::detail
