// Shape: sizes and memory order of a tensor, inline (no heap). Plain data.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "berth/core/api.h"
#include "berth/core/result.h"
#include "berth/program/scalar_type.h"

namespace berth::module {

using program::ScalarType;

inline constexpr std::size_t kMaxRank = 16;

// The C++ type that holds one element, as a ScalarType. Types without a C++ counterpart (half, quantised, ...) are
// reached through bytes only.
template <typename T>
struct ScalarTypeOf;
template <>
struct ScalarTypeOf<std::uint8_t> : std::integral_constant<ScalarType, ScalarType::kByte> {};
template <>
struct ScalarTypeOf<std::int8_t> : std::integral_constant<ScalarType, ScalarType::kChar> {};
template <>
struct ScalarTypeOf<std::int16_t> : std::integral_constant<ScalarType, ScalarType::kShort> {};
template <>
struct ScalarTypeOf<std::int32_t> : std::integral_constant<ScalarType, ScalarType::kInt> {};
template <>
struct ScalarTypeOf<std::int64_t> : std::integral_constant<ScalarType, ScalarType::kLong> {};
template <>
struct ScalarTypeOf<float> : std::integral_constant<ScalarType, ScalarType::kFloat> {};
template <>
struct ScalarTypeOf<double> : std::integral_constant<ScalarType, ScalarType::kDouble> {};
template <>
struct ScalarTypeOf<bool> : std::integral_constant<ScalarType, ScalarType::kBool> {};
template <>
struct ScalarTypeOf<std::uint16_t> : std::integral_constant<ScalarType, ScalarType::kUInt16> {};
template <>
struct ScalarTypeOf<std::uint32_t> : std::integral_constant<ScalarType, ScalarType::kUInt32> {};
template <>
struct ScalarTypeOf<std::uint64_t> : std::integral_constant<ScalarType, ScalarType::kUInt64> {};

template <typename T>
inline constexpr ScalarType kScalarTypeOf = ScalarTypeOf<T>::value;

struct BERTH_API Shape {
  std::array<std::int32_t, kMaxRank> sizes = {};      // of each dimension, in logical order
  std::array<std::uint8_t, kMaxRank> dim_order = {};  // a permutation of 0..rank-1, outermost dimension first
  std::uint8_t rank = 0;                              // 0 is a scalar: one element

  // `dim_order` left empty means 0, 1, 2, ... (contiguous). kInvalidArgument: rank above 16, a negative size, a dim
  // order that is no permutation of the dimensions, or more than 2^63-1 bytes of `type`.
  [[nodiscard]] static Result<Shape> create(ScalarType type, std::span<const std::int32_t> sizes,
                                            std::span<const std::uint8_t> dim_order = {});

  [[nodiscard]] std::span<const std::int32_t> size_span() const noexcept { return {sizes.data(), rank}; }
  [[nodiscard]] std::span<const std::uint8_t> order_span() const noexcept { return {dim_order.data(), rank}; }
  // Number of elements; the product of the sizes, 1 for a scalar.
  [[nodiscard]] std::int64_t numel() const noexcept {
    std::uint64_t count = 1;  // unsigned: a zero behind large sizes must not overflow on the way
    for (std::size_t i = 0; i < rank; ++i) count *= static_cast<std::uint32_t>(sizes[i]);
    return static_cast<std::int64_t>(count);
  }
  // Distance in elements between neighbours along each dimension; entries from `rank` on are 0.
  [[nodiscard]] std::array<std::int64_t, kMaxRank> strides() const noexcept;
  // Whether dim_order is 0, 1, 2, ...
  [[nodiscard]] bool contiguous() const noexcept;
  // The product of `sizes` times the element size; none when a size is negative or the product of those that are not
  // zero exceeds int64.
  [[nodiscard]] static std::optional<std::uint64_t> byte_count(ScalarType type,
                                                               std::span<const std::int32_t> sizes) noexcept;
};

}  // namespace berth::module
