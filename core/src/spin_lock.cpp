#include "spin_lock.h"

#include <chrono>
#include <thread>

namespace berth::detail {
namespace {

constexpr int kSpins = 128;    // longer than the lock is held, unless its holder lost its core
constexpr int kYields = 1024;  // then sleep: the holder may have a lower priority

void pause_core() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace

void SpinLock::wait() noexcept {
  int tries = 0;
  do {
    while (taken_.load(std::memory_order_relaxed)) {
      if (tries < kSpins) {
        pause_core();
      } else if (tries < kSpins + kYields) {
        std::this_thread::yield();
      } else {
        std::this_thread::sleep_for(std::chrono::microseconds(50));
      }
      ++tries;
    }
  } while (taken_.exchange(true, std::memory_order_acquire));
}

}  // namespace berth::detail
