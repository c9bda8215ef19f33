// StridedLoop: visits all elements of N operands that are addressed by strides, in logical order. Dimensions that are
// dense in every operand are fused first, so that contiguous tensors are visited in one flat loop.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/sizes.h"

namespace berth::reference::detail {

template <std::size_t N>
class StridedLoop {
 public:
  using Offsets = std::array<std::int64_t, N>;

  // `strides[k]` are operand k's, in elements, one for each of `sizes`; 0 where the operand does not move.
  StridedLoop(std::span<const std::int32_t> sizes, const std::array<Strides, N>& strides) noexcept {
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (sizes[i] == 0) empty_ = true;
      if (sizes[i] == 1) continue;
      if (rank_ > 0 && fuses(sizes[i], strides, i)) {
        sizes_[rank_ - 1] *= sizes[i];
      } else {
        sizes_[rank_++] = sizes[i];
      }
      for (std::size_t k = 0; k < N; ++k) strides_[rank_ - 1][k] = strides[k][i];
    }
  }

  // Calls `body(offsets)` for each element; offsets are in elements and start at `base`.
  template <typename Body>
  void run(Body&& body, Offsets base = {}) const {
    if (empty_) return;
    if (rank_ == 0) {
      body(base);
    } else {
      visit(0, base, body);
    }
  }

 private:
  // Whether dimension `i` continues the last fused one in every operand.
  bool fuses(std::int64_t size, const std::array<Strides, N>& strides, std::size_t i) const noexcept {
    for (std::size_t k = 0; k < N; ++k) {
      if (strides_[rank_ - 1][k] != strides[k][i] * size) return false;
    }
    return true;
  }

  template <typename Body>
  void visit(std::size_t level, Offsets at, Body& body) const {
    const bool innermost = level + 1 == rank_;
    for (std::int64_t i = 0; i < sizes_[level]; ++i) {
      if (innermost) {
        body(at);
      } else {
        visit(level + 1, at, body);
      }
      for (std::size_t k = 0; k < N; ++k) at[k] += strides_[level][k];
    }
  }

  std::array<std::int64_t, module::kMaxRank> sizes_ = {};
  std::array<Offsets, module::kMaxRank> strides_ = {};
  std::size_t rank_ = 0;
  bool empty_ = false;  // told apart so that a huge dimension beside one of 0 costs nothing
};

}  // namespace berth::reference::detail
