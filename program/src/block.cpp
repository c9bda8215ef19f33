#include "block.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>

namespace berth::program::detail {

namespace {
constexpr std::size_t kSmallestKept = 32 * 1024;
constexpr std::size_t kLargestKept = 512 * 1024;
}  // namespace

// The blocks that were given back. A few atomic slots instead of a lock: taking and putting are one exchange each.
// Never destroyed, so that programs may die at any point of the process's exit.
class BlockCache {
 public:
  static Block::Header* take(std::size_t bytes) noexcept {
    for (auto& slot : slots_) {
      if (slot.load(std::memory_order_relaxed) == nullptr) continue;
      Block::Header* header = slot.exchange(nullptr, std::memory_order_acquire);
      if (header == nullptr) continue;
      if (header->capacity >= bytes && header->capacity / 4 <= bytes) return header;
      if (!put(header)) std::free(header);
    }
    return nullptr;
  }

  static bool put(Block::Header* header) noexcept {
    for (auto& slot : slots_) {
      Block::Header* expected = nullptr;
      if (slot.load(std::memory_order_relaxed) == nullptr &&
          slot.compare_exchange_strong(expected, header, std::memory_order_release, std::memory_order_relaxed)) {
        return true;
      }
    }
    return false;
  }

 private:
  static constinit std::array<std::atomic<Block::Header*>, 4> slots_;
};

constinit std::array<std::atomic<Block::Header*>, 4> BlockCache::slots_{};

Block Block::allocate(std::size_t bytes) noexcept {
  if (bytes > PTRDIFF_MAX - sizeof(Header)) return {};
  if (bytes >= kSmallestKept && bytes <= kLargestKept) {
    if (Header* kept = BlockCache::take(bytes); kept != nullptr) return Block(kept);
  }
  auto* header = static_cast<Header*>(std::malloc(sizeof(Header) + bytes));
  if (header == nullptr) return {};
  header->capacity = bytes;
  return Block(header);
}

void Block::release() noexcept {
  const bool keep = header_->capacity >= kSmallestKept && header_->capacity <= kLargestKept;
  if (!keep || !BlockCache::put(header_)) std::free(header_);
  header_ = nullptr;
}

}  // namespace berth::program::detail
