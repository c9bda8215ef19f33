// How long calls take: "10us" for all of a device's functions, or "allocate=1ms, work=50ms, *=10us" by function.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <string_view>

#include "function.h"

namespace berth::mock {

class Latency {
 public:
  // Throws plugin::Failure INVALID_ARGUMENT. A later entry wins over an earlier one.
  static Latency parse(std::string_view text);

  // The functions that take any time.
  std::uint64_t watched() const { return watched_; }

  // Returns once the time of the function is over. Any thread.
  void spend(Function function) const;

 private:
  std::array<std::chrono::nanoseconds, kFunctionCount> by_function_{};
  std::uint64_t watched_ = 0;
};

}  // namespace berth::mock
