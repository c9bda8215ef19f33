// ProcessEpoch: the one number that every device compares before it touches its driver. It changes when the process
// forks (in the child) and when it exits, so that one load answers both "is this still the process that opened the
// driver?" and "may drivers still be called?".
#pragma once

#include <atomic>
#include <cstdint>

namespace berth::detail {

inline constexpr std::uint32_t kExitingBit = 1u << 31;

// Fork generation in the low bits, kExitingBit once exit handlers run. Written by fork and exit handlers only.
extern std::atomic<std::uint32_t> process_epoch;

[[nodiscard]] inline std::uint32_t current_epoch() noexcept { return process_epoch.load(std::memory_order_relaxed); }

// Makes exit() raise kExitingBit before the destructors of objects that exist by now. Called when a device opens, thus
// after its driver library has registered its own exit handlers. Idempotent.
void watch_exit() noexcept;

}  // namespace berth::detail
