// Durations: the median of any number of durations in bounded memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace berth::cli {

class Durations {
 public:
  static constexpr std::size_t kMost = 1 << 16;

  void add(std::uint64_t nanoseconds) {
    if (count_++ % stride_ != 0) return;
    if (kept_.size() == kMost) thin_out();
    kept_.push_back(nanoseconds);
  }
  // Exact up to kMost durations, then that of evenly spaced ones. 0 when there are none.
  [[nodiscard]] std::uint64_t median() const {
    if (kept_.empty()) return 0;
    std::vector<std::uint64_t> sorted = kept_;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    return *middle;
  }
  [[nodiscard]] std::size_t kept() const noexcept { return kept_.size(); }

 private:
  void thin_out() {
    for (std::size_t i = 0; i < kMost / 2; ++i) kept_[i] = kept_[2 * i];
    kept_.resize(kMost / 2);
    stride_ *= 2;
  }
  std::vector<std::uint64_t> kept_;
  std::uint64_t stride_ = 1;  // one in so many is kept
  std::uint64_t count_ = 0;
};

}  // namespace berth::cli
