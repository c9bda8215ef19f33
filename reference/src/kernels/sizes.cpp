#include "kernels/sizes.h"

#include <algorithm>
#include <limits>

namespace berth::reference::detail {

std::optional<Sizes> broadcast(std::span<const std::int32_t> a, std::span<const std::int32_t> b) noexcept {
  if (a.size() < b.size()) std::swap(a, b);
  Sizes result = Sizes::of(a);
  const std::size_t offset = a.size() - b.size();
  for (std::size_t i = 0; i < b.size(); ++i) {
    std::int32_t& size = result[offset + i];
    if (size == 1) {
      size = b[i];
    } else if (b[i] != 1 && b[i] != size) {
      return std::nullopt;
    }
  }
  return result;
}

bool broadcasts_to(std::span<const std::int32_t> from, std::span<const std::int32_t> to) noexcept {
  if (from.size() > to.size()) return false;
  const std::span<const std::int32_t> tail = to.last(from.size());
  return std::equal(from.begin(), from.end(), tail.begin(), [](auto f, auto t) { return f == 1 || f == t; });
}

Strides broadcast_strides(const module::Tensor& tensor, std::size_t rank) noexcept {
  const Strides own = tensor.strides();
  const std::size_t offset = rank - tensor.rank();
  Strides result = {};
  for (std::size_t i = 0; i < tensor.rank(); ++i) result[offset + i] = tensor.size(i) == 1 ? 0 : own[i];
  return result;
}

Strides contiguous_strides(std::span<const std::int32_t> sizes) noexcept {
  Strides result = {};
  std::int64_t stride = 1;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    result[i] = stride;
    stride *= sizes[i];
  }
  return result;
}

std::optional<Sizes> view_sizes(module::IntList sizes, std::int64_t numel) noexcept {
  if (sizes.size() > module::kMaxRank) return std::nullopt;
  Sizes result;
  std::optional<std::size_t> open;
  std::int64_t known = 1;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::int64_t size = sizes[i];
    if (size == -1 && !open.has_value()) {
      open = i;
      result.push_back(0);
      continue;
    }
    if (size < 0 || size > std::numeric_limits<std::int32_t>::max()) return std::nullopt;
    if (__builtin_mul_overflow(known, size, &known)) return std::nullopt;
    result.push_back(static_cast<std::int32_t>(size));
  }
  if (!open.has_value()) return known == numel ? std::optional(result) : std::nullopt;
  if (known == 0 || numel % known != 0) return std::nullopt;
  const std::int64_t rest = numel / known;
  if (rest > std::numeric_limits<std::int32_t>::max()) return std::nullopt;
  result[*open] = static_cast<std::int32_t>(rest);
  return result;
}

std::int64_t product(std::span<const std::int32_t> sizes) noexcept {
  std::int64_t result = 1;
  bool overflow = false;
  for (const std::int32_t size : sizes) {
    if (size == 0) return 0;
    overflow = __builtin_mul_overflow(result, std::int64_t{size}, &result) || overflow;
  }
  return overflow ? std::numeric_limits<std::int64_t>::max() : result;
}

namespace {
template <typename List>
std::string list_text(const List& list) {
  std::string text = "[";
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i > 0) text += ", ";
    text += std::to_string(list[i]);
  }
  return text + "]";
}
}  // namespace

std::string sizes_text(std::span<const std::int32_t> sizes) { return list_text(sizes); }
std::string ints_text(module::IntList list) { return list_text(list); }

}  // namespace berth::reference::detail
