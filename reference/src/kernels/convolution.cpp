// aten::convolution.out: one or two spatial dimensions, groups, stride, padding, dilation; float32 and float64, any dim
// order. Written as its definition: a sum for each element of the result. Transposed convolutions are refused.
#include <array>
#include <type_traits>

#include "kernels/arguments.h"
#include "kernels/kernel_lists.h"
#include "kernels/window.h"

namespace berth::reference::detail {
namespace {

// A batch of images, or a set of filters, addressed as [n, channel, y, x] whatever its rank.
struct ImageStrides {
  std::array<std::int64_t, 4> of = {};

  explicit ImageStrides(const Tensor& tensor) noexcept {
    const Strides strides = tensor.strides();
    const std::size_t axes = tensor.rank() - 2;
    of[0] = strides[0];
    of[1] = strides[1];
    for (std::size_t i = 0; i < axes; ++i) of[4 - axes + i] = strides[2 + i];
  }
  [[nodiscard]] std::int64_t offset(std::int64_t n, std::int64_t channel, std::int64_t y,
                                    std::int64_t x) const noexcept {
    return n * of[0] + channel * of[1] + y * of[2] + x * of[3];
  }
};

struct Convolution {
  const Tensor* input;
  const Tensor* weight;
  const Tensor* bias;  // may be null
  Tensor* out;
  Window window;
  std::int64_t batch;
  std::int64_t out_channels;
  std::int64_t group_in;   // input channels of one group
  std::int64_t group_out;  // output channels of one group
};

// The sum over one window of all input channels of a group.
template <typename T>
double window_sum(const Convolution& c, const T* image, const ImageStrides& in, const T* filter,
                  const ImageStrides& taps, std::array<std::int64_t, kSpatial> position) {
  const WindowAxis& rows = c.window[0];
  const WindowAxis& columns = c.window[1];
  double sum = 0;
  for (std::int64_t channel = 0; channel < c.group_in; ++channel) {
    for (std::int64_t ky = rows.begin(position[0]); ky < rows.end(position[0]); ++ky) {
      const std::int64_t y = rows.place(position[0], ky);
      for (std::int64_t kx = columns.begin(position[1]); kx < columns.end(position[1]); ++kx) {
        const std::int64_t x = columns.place(position[1], kx);
        sum += static_cast<double>(image[in.offset(0, channel, y, x)]) *
               static_cast<double>(filter[taps.offset(0, channel, ky, kx)]);
      }
    }
  }
  return sum;
}

template <typename T>
void convolve(const Convolution& c) {
  const ImageStrides in(*c.input);
  const ImageStrides taps(*c.weight);
  const ImageStrides result(*c.out);
  const T* const input = c.input->data<T>().data();
  const T* const weight = c.weight->data<T>().data();
  const T* const bias = c.bias == nullptr ? nullptr : c.bias->data<T>().data();
  T* const out = c.out->mutable_data<T>().data();
  for (std::int64_t n = 0; n < c.batch; ++n) {
    for (std::int64_t channel = 0; channel < c.out_channels; ++channel) {
      const T* const image = input + in.offset(n, channel / c.group_out * c.group_in, 0, 0);
      const T* const filter = weight + taps.offset(channel, 0, 0, 0);
      const double start = bias == nullptr ? 0 : static_cast<double>(bias[channel]);
      for (std::int64_t y = 0; y < c.window[0].output; ++y) {
        for (std::int64_t x = 0; x < c.window[1].output; ++x) {
          const double sum = start + window_sum(c, image, in, filter, taps, {y, x});
          out[result.offset(n, channel, y, x)] = static_cast<T>(sum);
        }
      }
    }
  }
}

Status read_window(const Arguments& arguments, Convolution& c) {
  const std::size_t axes = c.input->rank() - 2;
  for (std::size_t i = 0; i < axes; ++i) {
    WindowAxis& axis = c.window[kSpatial - axes + i];
    axis.input = c.input->size(2 + i);
    axis.kernel = c.weight->size(2 + i);
    if (axis.kernel == 0) return arguments.bad(1, "filters with elements", c.weight->describe());
    BERTH_ASSIGN_OR_STATUS(axis.stride, window_entry(arguments, 3, i, axes, 1));
    BERTH_ASSIGN_OR_STATUS(axis.padding, window_entry(arguments, 4, i, axes, 0));
    BERTH_ASSIGN_OR_STATUS(axis.dilation, window_entry(arguments, 5, i, axes, 1));
    BERTH_RETURN_IF_ERROR(count_positions(arguments, axis, false));
  }
  return {};
}

// Channels of input, weight and bias against the number of groups.
Status read_channels(const Arguments& arguments, Convolution& c) {
  BERTH_ASSIGN_OR_STATUS(const std::int64_t groups, arguments.integer(8));
  const std::int64_t in_channels = c.input->size(1);
  c.batch = c.input->size(0);
  c.out_channels = c.weight->size(0);
  if (groups < 1 || in_channels % groups != 0 || c.out_channels % groups != 0) {
    return arguments.bad(8, "a number of groups that divides " + std::to_string(in_channels) + " input and " +
                                std::to_string(c.out_channels) + " output channels");
  }
  c.group_in = in_channels / groups;
  c.group_out = c.out_channels / groups;
  if (c.weight->size(1) != c.group_in) {
    return arguments.bad(1, "filters with " + std::to_string(c.group_in) + " channels", c.weight->describe());
  }
  if (c.bias == nullptr) return {};
  BERTH_RETURN_IF_ERROR(arguments.expect_type(2, *c.bias, c.input->scalar_type()));
  return arguments.expect_sizes(2, *c.bias, c.weight->sizes().first(1));
}

Status read_convolution(const Arguments& arguments, Convolution& c) {
  BERTH_ASSIGN_OR_STATUS(c.input, arguments.tensor(0));
  BERTH_ASSIGN_OR_STATUS(c.weight, arguments.tensor(1));
  BERTH_ASSIGN_OR_STATUS(c.bias, arguments.optional_tensor(2));
  BERTH_ASSIGN_OR_STATUS(const bool transposed, arguments.boolean(6));
  BERTH_ASSIGN_OR_STATUS(c.out, arguments.out(9));
  if (transposed) return arguments.bad(6, "false (transposed convolutions have no kernel)");
  if (c.input->rank() != 3 && c.input->rank() != 4) return arguments.bad(0, "a tensor of 3 or 4 dimensions");
  BERTH_RETURN_IF_ERROR(arguments.expect_rank(1, *c.weight, c.input->rank()));
  BERTH_RETURN_IF_ERROR(arguments.expect_type(1, *c.weight, c.input->scalar_type()));
  BERTH_RETURN_IF_ERROR(arguments.expect_type(9, *c.out, c.input->scalar_type()));
  BERTH_RETURN_IF_ERROR(read_channels(arguments, c));
  return read_window(arguments, c);
}

// convolution.out(Tensor input, Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] dilation,
// bool transposed, int[] output_padding, int groups, out, out)
Status convolution_out(KernelContext& context, std::span<Value* const> values) {
  const Arguments arguments(context, values);
  BERTH_RETURN_IF_ERROR(arguments.expect_count(11));
  Convolution c = {};
  BERTH_RETURN_IF_ERROR(read_convolution(arguments, c));
  Sizes sizes;
  sizes.push_back(c.input->size(0));
  sizes.push_back(c.weight->size(0));
  if (c.input->rank() == 4) sizes.push_back(static_cast<std::int32_t>(c.window[0].output));
  sizes.push_back(static_cast<std::int32_t>(c.window[1].output));
  return for_element_type(FloatTypes(), arguments, 0, *c.input, [&]<typename T>(std::type_identity<T>) -> Status {
    BERTH_RETURN_IF_ERROR(arguments.resize_apart(*c.out, 9, sizes, {c.input, c.weight, c.bias}));
    if (c.out->numel() > 0) convolve<T>(c);
    return {};
  });
}

constexpr std::array<KernelEntry, 1> kKernels = {{{"aten::convolution", "out", convolution_out}}};

}  // namespace

KernelList convolution_kernels() noexcept { return kKernels; }

}  // namespace berth::reference::detail
