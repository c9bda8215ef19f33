// Sizes and dim orders, as programs, data files and bundled programs store them.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "berth/program/scalar_type.h"
#include "element_bytes.h"
#include "failure.h"

namespace berth::program::detail {

inline constexpr std::size_t kLargestRank = 16;

// Both are there, of one rank of at most 16; no size is negative; the dim order is a permutation.
[[nodiscard]] inline bool is_good_shape(std::span<const std::int32_t> sizes, std::span<const std::uint8_t> order) {
  if (sizes.data() == nullptr || order.data() == nullptr || sizes.size() > kLargestRank ||
      sizes.size() != order.size()) {
    return false;
  }
  std::uint32_t seen = 0;
  std::int32_t signs = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    signs |= sizes[i];
    seen |= order[i] < kLargestRank ? 1U << order[i] : 0;
  }
  return signs >= 0 && seen == (1U << sizes.size()) - 1;
}

// Says why is_good_shape is false.
[[nodiscard, gnu::cold]] Complaint shape_complaint(std::span<const std::int32_t> sizes,
                                                   std::span<const std::uint8_t> order);

// The bytes of all elements; false when they are 2^63 or more. No size is negative.
[[nodiscard]] inline bool count_bytes(std::span<const std::int32_t> sizes, ScalarType type, std::uint64_t& out) {
  std::uint64_t bytes = element_bytes(type);
  bool overflow = false;
  bool empty = false;
  for (const std::int32_t size : sizes) {
    empty |= size == 0;
    overflow |= __builtin_mul_overflow(bytes, static_cast<std::uint64_t>(size), &bytes);
  }
  out = empty ? 0 : bytes;
  return empty || (!overflow && bytes <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()));
}

// Says that count_bytes is false.
[[nodiscard, gnu::cold]] Complaint bytes_complaint(std::span<const std::int32_t> sizes, ScalarType type);

// "[2, 3]"
[[nodiscard, gnu::cold]] std::string list_text(std::span<const std::int32_t> items);
[[nodiscard, gnu::cold]] std::string list_text(std::span<const std::uint8_t> items);

}  // namespace berth::program::detail
