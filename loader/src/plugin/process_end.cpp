#include "plugin/process_end.h"

#include <atomic>
#include <cstdlib>

namespace berth::loader::detail {
namespace {

std::atomic<bool> ending{false};

void raise() noexcept { ending.store(true, std::memory_order_relaxed); }

}  // namespace

void watch_process_end() noexcept { [[maybe_unused]] static const int handler = std::atexit(raise); }

bool process_is_ending() noexcept { return ending.load(std::memory_order_relaxed); }

}  // namespace berth::loader::detail
