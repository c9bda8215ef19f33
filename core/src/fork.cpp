#include "berth/core/fork.h"

#include <pthread.h>

#include <cstdlib>

#include "process_epoch.h"

namespace berth {
namespace detail {

std::atomic<std::uint32_t> process_epoch{0};

namespace {

void raise_in_child() noexcept { process_epoch.fetch_add(1, std::memory_order_relaxed); }

void raise_at_exit() noexcept { process_epoch.fetch_or(kExitingBit, std::memory_order_relaxed); }

// Before main, so that no fork is missed. Without memory for the handler nothing else would work either.
[[maybe_unused]] const int fork_handler = pthread_atfork(nullptr, nullptr, raise_in_child);

}  // namespace

void watch_exit() noexcept { [[maybe_unused]] static const int exit_handler = std::atexit(raise_at_exit); }

}  // namespace detail

std::uint32_t fork_generation() noexcept { return detail::current_epoch() & ~detail::kExitingBit; }

}  // namespace berth
