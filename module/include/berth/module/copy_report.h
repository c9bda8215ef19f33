// CopyReport: what a Module copied between host and devices, by direction and by cause. Copies from host to host are
// not counted. Plain data.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "berth/core/api.h"

namespace berth::module {

enum class CopyDirection : std::uint8_t { kHostToDevice, kDeviceToHost, kDeviceToDevice };
inline constexpr std::size_t kCopyDirections = 3;

enum class CopyCause : std::uint8_t {
  kProgram,   // a copy operator of the program, or a condition read from a device
  kStaging,   // constants and initial state at load, inputs given on the other side
  kDelegate,  // a delegate moved its arguments
  kAlignment  // a delegate's argument lay below the device's bind alignment
};
inline constexpr std::size_t kCopyCauses = 4;

struct CopyCount {
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
  friend bool operator==(const CopyCount&, const CopyCount&) = default;
};

class CopyReport {
 public:
  void add(CopyDirection direction, CopyCause cause, std::uint64_t bytes) noexcept {
    CopyCount& entry = counts_[static_cast<std::size_t>(direction)][static_cast<std::size_t>(cause)];
    ++entry.count;
    entry.bytes += bytes;
  }
  [[nodiscard]] const CopyCount& of(CopyDirection direction, CopyCause cause) const noexcept {
    return counts_[static_cast<std::size_t>(direction)][static_cast<std::size_t>(cause)];
  }
  [[nodiscard]] CopyCount total() const noexcept {
    CopyCount sum;
    for (const auto& row : counts_) {
      for (const CopyCount& entry : row) {
        sum.count += entry.count;
        sum.bytes += entry.bytes;
      }
    }
    return sum;
  }
  friend bool operator==(const CopyReport&, const CopyReport&) = default;

 private:
  std::array<std::array<CopyCount, kCopyCauses>, kCopyDirections> counts_ = {};
};

// "host to device", ...; "program", "staging", "delegate", "alignment". Never null.
[[nodiscard]] BERTH_API const char* copy_direction_name(CopyDirection direction) noexcept;
[[nodiscard]] BERTH_API const char* copy_cause_name(CopyCause cause) noexcept;

}  // namespace berth::module
