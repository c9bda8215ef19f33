// Moving elements of any type without looking into them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "berth/module/tensor.h"
#include "kernels/sizes.h"

namespace berth::reference::detail {

// A place in memory whose neighbours along dimension i are strides[i] elements away.
template <typename Byte>
struct StridedBytes {
  Byte* data;
  Strides strides;
};

// Copies product(sizes) elements of `element_size` bytes (1, 2, 4 or 8; any other is copied bytewise). The ranges do
// not overlap, or are the same.
void copy_elements(StridedBytes<const std::byte> source, StridedBytes<std::byte> target,
                   std::span<const std::int32_t> sizes, std::size_t element_size);

// Fills out with source, broadcast to out's sizes, converted to out's type as convert_element does. Answers false when
// there is no conversion between the types; nothing is written then.
[[nodiscard]] bool convert_elements(const module::Tensor& source, const module::Tensor& out);

}  // namespace berth::reference::detail
