// Sizes: a list of dimensions without heap, and the arithmetic of shapes that kernels share.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "berth/module/shape.h"
#include "berth/module/tensor.h"
#include "berth/module/value.h"

namespace berth::reference::detail {

using Strides = std::array<std::int64_t, module::kMaxRank>;

class Sizes {
 public:
  Sizes() noexcept = default;
  // At most kMaxRank of them; `Sizes::of` is for those that come from a tensor.
  [[nodiscard]] static Sizes of(std::span<const std::int32_t> sizes) noexcept {
    Sizes result;
    for (const std::int32_t size : sizes) result.push_back(size);
    return result;
  }
  // Does nothing when there are kMaxRank already; see full().
  void push_back(std::int32_t size) noexcept {
    if (rank_ < values_.size()) values_[rank_++] = size;
  }
  [[nodiscard]] bool full() const noexcept { return rank_ == values_.size(); }
  [[nodiscard]] std::size_t rank() const noexcept { return rank_; }
  [[nodiscard]] std::int32_t& operator[](std::size_t index) noexcept { return values_[index]; }
  [[nodiscard]] std::int32_t operator[](std::size_t index) const noexcept { return values_[index]; }
  [[nodiscard]] std::span<const std::int32_t> span() const noexcept { return {values_.data(), rank_}; }

 private:
  std::array<std::int32_t, module::kMaxRank> values_ = {};
  std::size_t rank_ = 0;
};

// The sizes both broadcast to: aligned at the last dimension, 1 stretches. None when they do not fit.
[[nodiscard]] std::optional<Sizes> broadcast(std::span<const std::int32_t> a, std::span<const std::int32_t> b) noexcept;

// Whether `from` can be stretched to `to`, which stays as it is.
[[nodiscard]] bool broadcasts_to(std::span<const std::int32_t> from, std::span<const std::int32_t> to) noexcept;

// Strides of `tensor` seen as a tensor of `rank` dimensions that it broadcasts to: 0 where it is stretched.
[[nodiscard]] Strides broadcast_strides(const module::Tensor& tensor, std::size_t rank) noexcept;

// Strides of a tensor of these sizes in the default dim order.
[[nodiscard]] Strides contiguous_strides(std::span<const std::int32_t> sizes) noexcept;

// The sizes of a view of `numel` elements, where one -1 stands for whatever is left. None when they do not fit.
[[nodiscard]] std::optional<Sizes> view_sizes(module::IntList sizes, std::int64_t numel) noexcept;

// The product, 1 for none; the largest int64 when it is larger.
[[nodiscard]] std::int64_t product(std::span<const std::int32_t> sizes) noexcept;

// "[2, 3]".
[[nodiscard]] std::string sizes_text(std::span<const std::int32_t> sizes);
[[nodiscard]] std::string ints_text(module::IntList list);

}  // namespace berth::reference::detail
