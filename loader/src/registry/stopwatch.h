// How long a step of loading took.
#pragma once

#include <chrono>
#include <cstdint>

namespace berth::loader::detail {

class Stopwatch {
 public:
  [[nodiscard]] std::uint64_t elapsed_ns() const {
    const auto passed = std::chrono::steady_clock::now() - start_;
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(passed).count());
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace berth::loader::detail
