#include "berth/module/shape.h"

#include <algorithm>
#include <string>

#include "tensor_text.h"

namespace berth::module {
namespace {

Status refuse(std::string what, std::string expected, std::string found) {
  return Status({.code = Code::kInvalidArgument,
                 .origin = Origin::kUsage,
                 .what = std::move(what),
                 .expected = std::move(expected),
                 .found = std::move(found)});
}

bool is_permutation(std::span<const std::uint8_t> order) {
  std::uint32_t seen = 0;
  for (const std::uint8_t dimension : order) {
    if (dimension >= order.size()) return false;
    seen |= 1u << dimension;
  }
  return seen == (1u << order.size()) - 1;
}

}  // namespace

Result<Shape> Shape::create(ScalarType type, std::span<const std::int32_t> sizes,
                            std::span<const std::uint8_t> dim_order) {
  if (program::element_size(type) == 0) {
    return fail(refuse("unknown element type", "one of the types of program/scalar_type.h",
                       std::to_string(static_cast<int>(type))));
  }
  if (sizes.size() > kMaxRank) {
    return fail(refuse("too many dimensions", "at most 16", std::to_string(sizes.size())));
  }
  if (!byte_count(type, sizes)) {
    return fail(refuse("impossible sizes", "no negative size, at most 2^63-1 bytes", detail::sizes_text(sizes)));
  }
  Shape shape;
  shape.rank = static_cast<std::uint8_t>(sizes.size());
  std::copy(sizes.begin(), sizes.end(), shape.sizes.begin());
  if (dim_order.empty()) {
    for (std::uint8_t i = 0; i < shape.rank; ++i) shape.dim_order[i] = i;
    return shape;
  }
  if (dim_order.size() != sizes.size() || !is_permutation(dim_order)) {
    return fail(refuse("wrong dim order", "a permutation of the " + std::to_string(sizes.size()) + " dimensions",
                       detail::order_text(dim_order)));
  }
  std::copy(dim_order.begin(), dim_order.end(), shape.dim_order.begin());
  return shape;
}

std::array<std::int64_t, kMaxRank> Shape::strides() const noexcept {
  std::array<std::int64_t, kMaxRank> strides = {};
  std::uint64_t step = 1;
  for (std::size_t i = rank; i-- > 0;) {
    strides[dim_order[i]] = static_cast<std::int64_t>(step);
    step *= static_cast<std::uint32_t>(std::max(sizes[dim_order[i]], 1));
  }
  return strides;
}

bool Shape::contiguous() const noexcept {
  for (std::size_t i = 0; i < rank; ++i) {
    if (dim_order[i] != i) return false;
  }
  return true;
}

std::optional<std::uint64_t> Shape::byte_count(ScalarType type, std::span<const std::int32_t> sizes) noexcept {
  std::int64_t bytes = program::element_size(type);
  bool empty = false;
  for (const std::int32_t size : sizes) {
    if (size < 0) return std::nullopt;
    if (size == 0) {
      empty = true;
    } else if (__builtin_mul_overflow(bytes, std::int64_t{size}, &bytes)) {
      return std::nullopt;
    }
  }
  return empty ? 0 : static_cast<std::uint64_t>(bytes);
}

}  // namespace berth::module
