#include "ordinal.h"

namespace berth::mock {

Slot* Ordinal::take(std::uint64_t size, std::uint64_t alignment, const Kind& kind, const Limits& limits,
                    std::uint64_t* owner_blocks, berth_error* error) {
  const std::lock_guard lock(mutex_);
  if (size != 0) {
    const std::uint64_t used = used_[kind.heap];
    if (used > limits.heap_bytes || size > limits.heap_bytes - used) {
      berth_fail(error, BERTH_OUT_OF_DEVICE_MEMORY,
                 "heap %" PRIu32 " of device %" PRIu32 " is full: %" PRIu64 " bytes asked, %" PRIu64 " of %" PRIu64
                 " in use",
                 kind.heap, index_, size, used, limits.heap_bytes);
      return nullptr;
    }
    if (live_ >= limits.allocations) {
      berth_fail(error, BERTH_TOO_MANY_ALLOCATIONS,
                 "device %" PRIu32 " has %" PRIu64 " live allocations, the limit is %" PRIu64, index_, live_,
                 limits.allocations);
      return nullptr;
    }
  }
  Pages& from = pages(kind);
  Slot* const slot = from.take(size, alignment);
  // What waits for reuse is trimmed before it pushes the resident size beyond the device's own.
  if (from.idle_bytes() != 0 && from.idle_bytes() + used_[kind.heap] + size > limits.heap_bytes) from.trim();
  if (size != 0) {
    used_[kind.heap] += size;
    ++live_;
  }
  ++*owner_blocks;
  return slot;
}

void Ordinal::give(Slot* slot, const Kind& kind, std::uint64_t* owner_blocks) {
  const std::lock_guard lock(mutex_);
  if (slot->size != 0) {
    used_[kind.heap] -= slot->size;
    --live_;
  }
  --*owner_blocks;
  pages(kind).give(slot);
}

void Ordinal::detach(std::uint64_t* owner_blocks) {
  const std::lock_guard lock(mutex_);
  --*owner_blocks;
}

void Ordinal::give_detached(Slot* slot, const Kind& kind) {
  std::uint64_t one = 1;
  give(slot, kind, &one);
}

std::uint64_t Ordinal::read(const std::uint64_t& owner_blocks) {
  const std::lock_guard lock(mutex_);
  return owner_blocks;
}

std::uint64_t Ordinal::used(std::uint32_t heap) {
  const std::lock_guard lock(mutex_);
  return used_[heap];
}

}  // namespace berth::mock
