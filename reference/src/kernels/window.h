// Sliding windows over the last two dimensions of an image: what convolution and pooling share. Images with one spatial
// dimension are seen as images of height 1.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "kernels/arguments.h"

namespace berth::reference::detail {

inline constexpr std::size_t kSpatial = 2;

// How a window moves along one dimension.
struct WindowAxis {
  std::int64_t input = 1;   // size of the image
  std::int64_t output = 1;  // number of positions
  std::int64_t kernel = 1;
  std::int64_t stride = 1;
  std::int64_t padding = 0;
  std::int64_t dilation = 1;

  // The entries [begin, end) of the window at `position` that lie in the image; the others lie in the padding.
  [[nodiscard]] std::int64_t begin(std::int64_t position) const noexcept {
    return std::clamp<std::int64_t>(steps_to(0, position), 0, kernel);
  }
  [[nodiscard]] std::int64_t end(std::int64_t position) const noexcept {
    return std::clamp<std::int64_t>(steps_to(input, position), 0, kernel);
  }
  // The place in the image of entry `k` of the window at `position`.
  [[nodiscard]] std::int64_t place(std::int64_t position, std::int64_t k) const noexcept {
    return position * stride - padding + k * dilation;
  }

 private:
  // The first entry at `place` or behind it.
  [[nodiscard]] std::int64_t steps_to(std::int64_t place, std::int64_t position) const noexcept {
    const std::int64_t distance = place + padding - position * stride;
    return distance <= 0 ? 0 : (distance + dilation - 1) / dilation;
  }
};

using Window = std::array<WindowAxis, kSpatial>;

// Reads entry `axis` of an int list with one entry for each of `axes` dimensions, or one for all. The entry must lie in
// [lowest, 2^31 - 1], so that products of two fit int64.
[[nodiscard]] Result<std::int64_t> window_entry(const Arguments& arguments, std::size_t index, std::size_t axis,
                                                std::size_t axes, std::int64_t lowest);

// Sets axis.output. kInvalidProgram, blaming the image at argument 0, when the window is larger than the padded image.
// With `round_up`, a window that begins inside the image or its left padding may reach beyond the right one.
Status count_positions(const Arguments& arguments, WindowAxis& axis, bool round_up);

}  // namespace berth::reference::detail
