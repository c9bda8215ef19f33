// aten::max_pool2d_with_indices.out: the largest element of each window, and its place y * width + x in the image. The
// first of equals counts; NaN counts as the largest. For any dim order.
#include <array>
#include <cmath>
#include <string>
#include <type_traits>

#include "kernels/arguments.h"
#include "kernels/kernel_lists.h"
#include "kernels/strided_loop.h"
#include "kernels/window.h"

namespace berth::reference::detail {
namespace {

struct MaxPool {
  const Tensor* input;
  Tensor* out;
  Tensor* indices;
  Window window;
  Sizes sizes;  // of the results
};

template <typename T>
bool exceeds(T candidate, T best) noexcept {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(candidate)) return !std::isnan(best);
  }
  return candidate > best;
}

// The place of the largest element of one window, which has an element in the image: see expect_elements.
template <typename T>
std::int64_t largest_place(const Window& window, const T* image, std::int64_t row_stride, std::int64_t column_stride,
                           std::int64_t row, std::int64_t column) {
  std::int64_t best = -1;
  T largest = {};
  for (std::int64_t ky = window[0].begin(row); ky < window[0].end(row); ++ky) {
    const std::int64_t y = window[0].place(row, ky);
    for (std::int64_t kx = window[1].begin(column); kx < window[1].end(column); ++kx) {
      const std::int64_t x = window[1].place(column, kx);
      const T element = image[y * row_stride + x * column_stride];
      if (best < 0 || exceeds(element, largest)) {
        best = y * window[1].input + x;
        largest = element;
      }
    }
  }
  return best;
}

template <typename T>
void pool(const MaxPool& p) {
  const std::size_t rank = p.input->rank();
  const Strides in = p.input->strides();
  const Strides out = p.out->strides();
  const Strides index = p.indices->strides();
  const T* const source = p.input->data<T>().data();
  T* const target = p.out->mutable_data<T>().data();
  std::int64_t* const places = p.indices->mutable_data<std::int64_t>().data();
  const std::int64_t width = p.window[1].input;
  StridedLoop<3>(p.sizes.span().first(rank - 2), {in, out, index}).run([&](const auto& at) {
    const T* const image = source + at[0];
    for (std::int64_t y = 0; y < p.window[0].output; ++y) {
      for (std::int64_t x = 0; x < p.window[1].output; ++x) {
        const std::int64_t place = largest_place(p.window, image, in[rank - 2], in[rank - 1], y, x);
        target[at[1] + y * out[rank - 2] + x * out[rank - 1]] =
            image[place / width * in[rank - 2] + place % width * in[rank - 1]];
        places[at[2] + y * index[rank - 2] + x * index[rank - 1]] = place;
      }
    }
  });
}

// With dilation, a window can step over a small image.
Status expect_elements(const Arguments& arguments, const WindowAxis& axis) {
  for (std::int64_t i = 0; i < axis.output; ++i) {
    if (axis.begin(i) >= axis.end(i)) {
      return arguments.bad(4, "a dilation with which every window meets the image", std::to_string(axis.dilation));
    }
  }
  return {};
}

Status read_axis(const Arguments& arguments, std::size_t i, bool round_up, WindowAxis& axis) {
  BERTH_ASSIGN_OR_STATUS(axis.kernel, window_entry(arguments, 1, i, kSpatial, 1));
  BERTH_ASSIGN_OR_STATUS(const IntList strides, arguments.ints(2));
  axis.stride = axis.kernel;
  if (!strides.empty()) {
    BERTH_ASSIGN_OR_STATUS(axis.stride, window_entry(arguments, 2, i, kSpatial, 1));
  }
  BERTH_ASSIGN_OR_STATUS(axis.padding, window_entry(arguments, 3, i, kSpatial, 0));
  BERTH_ASSIGN_OR_STATUS(axis.dilation, window_entry(arguments, 4, i, kSpatial, 1));
  if (axis.padding > axis.kernel / 2) {
    return arguments.bad(3, "at most half the window, " + std::to_string(axis.kernel / 2),
                         std::to_string(axis.padding));
  }
  return count_positions(arguments, axis, round_up);
}

Status read_outs(const Arguments& arguments, MaxPool& p) {
  BERTH_ASSIGN_OR_STATUS(p.out, arguments.writable(6));
  BERTH_ASSIGN_OR_STATUS(p.indices, arguments.writable(7));
  BERTH_ASSIGN_OR_STATUS(const TensorList outs, arguments.tensors(8));
  if (outs.size() != 2 || outs[0] != p.out || outs[1] != p.indices) {
    return arguments.bad(8, "the list of arguments 6 and 7");
  }
  BERTH_RETURN_IF_ERROR(arguments.expect_type(6, *p.out, p.input->scalar_type()));
  BERTH_RETURN_IF_ERROR(arguments.expect_type(7, *p.indices, module::ScalarType::kLong));
  BERTH_RETURN_IF_ERROR(arguments.resize_apart(*p.out, 6, p.sizes, {p.input}));
  return arguments.resize_apart(*p.indices, 7, p.sizes, {p.input, p.out});
}

// max_pool2d_with_indices.out(Tensor self, int[] kernel, int[] stride (empty: the kernel's), int[] padding,
// int[] dilation, bool ceil_mode, out, LONG indices out, [both])
Status max_pool2d_with_indices_out(KernelContext& context, std::span<Value* const> values) {
  const Arguments arguments(context, values);
  BERTH_RETURN_IF_ERROR(arguments.expect_count(9));
  MaxPool p = {};
  BERTH_ASSIGN_OR_STATUS(p.input, arguments.tensor(0));
  const std::size_t rank = p.input->rank();
  if (rank != 3 && rank != 4) return arguments.bad(0, "a tensor of 3 or 4 dimensions");
  BERTH_ASSIGN_OR_STATUS(const bool round_up, arguments.boolean(5));
  p.sizes = Sizes::of(p.input->sizes());
  for (std::size_t i = 0; i < kSpatial; ++i) {
    const std::size_t dimension = rank - kSpatial + i;
    p.window[i].input = p.input->size(dimension);
    if (p.window[i].input == 0) return arguments.bad(0, "an image with elements");
    BERTH_RETURN_IF_ERROR(read_axis(arguments, i, round_up, p.window[i]));
    p.sizes[dimension] = static_cast<std::int32_t>(p.window[i].output);
  }
  return for_element_type(RealTypes(), arguments, 0, *p.input, [&]<typename T>(std::type_identity<T>) -> Status {
    BERTH_RETURN_IF_ERROR(read_outs(arguments, p));
    if (p.out->numel() == 0) return {};
    for (const WindowAxis& axis : p.window) BERTH_RETURN_IF_ERROR(expect_elements(arguments, axis));
    pool<T>(p);
    return {};
  });
}

constexpr std::array<KernelEntry, 1> kKernels = {
    {{"aten::max_pool2d_with_indices", "out", max_pool2d_with_indices_out}}};

}  // namespace

KernelList max_pool_kernels() noexcept { return kKernels; }

}  // namespace berth::reference::detail
