#include "arena_blocks.h"

#include <array>
#include <atomic>
#include <cstdlib>

namespace berth::module::detail {
namespace {

constexpr std::size_t kSmall = 4096;
std::array<std::atomic<std::byte*>, 8> kept = {};

}  // namespace

std::byte* take_arena_block(std::size_t bytes) noexcept {
  if (bytes > kSmall) return static_cast<std::byte*>(std::malloc(bytes));
  for (std::atomic<std::byte*>& slot : kept) {
    if (slot.load(std::memory_order_relaxed) == nullptr) continue;
    if (std::byte* const block = slot.exchange(nullptr, std::memory_order_acquire)) return block;
  }
  return static_cast<std::byte*>(std::malloc(kSmall));
}

void give_arena_block(std::byte* block, std::size_t bytes) noexcept {
  if (block == nullptr) return;
  if (bytes <= kSmall) {
    for (std::atomic<std::byte*>& slot : kept) {
      std::byte* empty = nullptr;
      if (slot.load(std::memory_order_relaxed) != nullptr) continue;
      if (slot.compare_exchange_strong(empty, block, std::memory_order_release, std::memory_order_relaxed)) return;
    }
  }
  std::free(block);
}

}  // namespace berth::module::detail
