// One device as hardware: its memory, its limits and whether it is lost. All open devices of an ordinal share it.
#pragma once

#include <berth/plugin_helper.hpp>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "kinds.h"
#include "pages.h"

namespace berth::mock {

// The narrowest limits that hold for one allocation.
struct Limits {
  std::uint64_t heap_bytes;
  std::uint64_t allocations;
};

// Any function may be called from any thread.
class Ordinal {
 public:
  Ordinal(std::uint32_t index, std::size_t heap_count) : index_(index), used_(heap_count, 0) {}

  std::uint32_t index() const { return index_; }

  // Counts and takes a block of `size` bytes (a multiple of what the kind asks for) for `owner`; null with an error
  // written when a limit says no. *owner_blocks is counted up under the same lock.
  // Throws std::bad_alloc, with nothing counted.
  Slot* take(std::uint64_t size, std::uint64_t alignment, const Kind& kind, const Limits& limits,
             std::uint64_t* owner_blocks, berth_error* error);

  // The opposite. The slot's bytes are poisoned already.
  void give(Slot* slot, const Kind& kind, std::uint64_t* owner_blocks);

  // Half of give: the block is no child of its owner any more, but its bytes stay used. For a free that failed, and for
  // one that takes place later.
  void detach(std::uint64_t* owner_blocks);

  // The other half.
  void give_detached(Slot* slot, const Kind& kind);

  // A child count read under the lock that guards it.
  std::uint64_t read(const std::uint64_t& owner_blocks);

  std::uint64_t used(std::uint32_t heap);

  // A device is lost when the generation in which it was opened is over.
  std::uint64_t generation() const { return generation_.load(std::memory_order_acquire); }
  void lose() { generation_.fetch_add(1, std::memory_order_acq_rel); }

 private:
  // Addresses that are no host pointers come from memory with a shadow.
  Pages& pages(const Kind& kind) {
    return kind.has(BERTH_KIND_HAS_ADDRESS) && !kind.has(BERTH_KIND_FLAT_ADDRESS) ? shadowed_ : plain_;
  }

  const std::uint32_t index_;
  std::atomic<std::uint64_t> generation_{0};
  std::mutex mutex_;
  Pages plain_{false};
  Pages shadowed_{true};
  std::vector<std::uint64_t> used_;  // by heap
  std::uint64_t live_ = 0;           // blocks with bytes
};

}  // namespace berth::mock
