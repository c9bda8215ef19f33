#include "pages.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

namespace berth::mock {
namespace {

constexpr std::size_t kPageBytes = 4096;
constexpr std::size_t kSmallestClass = 6;  // 64 bytes
constexpr std::size_t kRegionBytes = std::size_t{256} << 10;
constexpr std::size_t kTrimClass = 16;  // 64 KiB: below, pages are shared by slots

constexpr std::size_t class_of(std::uint64_t bytes) {
  return std::max<std::size_t>(kSmallestClass, static_cast<std::size_t>(std::bit_width(bytes - 1)));
}

// An anonymous mapping at a multiple of `alignment`; throws std::bad_alloc.
std::byte* map_aligned(std::size_t bytes, std::size_t alignment, int protection) {
  const std::size_t spare = alignment > kPageBytes ? alignment : 0;
  void* const whole = mmap(nullptr, bytes + spare, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (whole == MAP_FAILED) throw std::bad_alloc();
  auto* const start = static_cast<std::byte*>(whole);
  const std::size_t misaligned = reinterpret_cast<std::uintptr_t>(start) & (alignment - 1);
  const std::size_t head = spare != 0 && misaligned != 0 ? alignment - misaligned : 0;
  if (head != 0) munmap(start, head);
  if (spare > head) munmap(start + head + bytes, spare - head);
  return start + head;
}

}  // namespace

Pages::~Pages() {
  for (const Region& region : regions_) {
    munmap(region.data, region.bytes);
    if (region.shadow != nullptr) munmap(region.shadow, region.bytes);
  }
}

Slot* Pages::take(std::uint64_t size, std::uint64_t alignment) {
  const std::size_t size_class = size == 0 ? 0 : class_of(std::max(size, alignment));
  if (size_class >= kClasses) throw std::bad_alloc();
  Slot* slot = idle_[size_class];
  if (slot == nullptr) return carve(size_class);
  idle_[size_class] = slot->next;
  if (size_class >= kTrimClass) idle_bytes_ -= slot->poisoned;
  return slot;
}

void Pages::give(Slot* slot) {
  slot->next = idle_[slot->size_class];
  idle_[slot->size_class] = slot;
  if (slot->size_class >= kTrimClass) idle_bytes_ += slot->poisoned;
}

void Pages::trim() {
  for (std::size_t size_class = kTrimClass; size_class < kClasses; ++size_class) {
    for (Slot* slot = idle_[size_class]; slot != nullptr; slot = slot->next) {
      if (slot->poisoned == 0) continue;
      madvise(slot->data, std::size_t{1} << size_class, MADV_DONTNEED);
      slot->poisoned = 0;
    }
  }
  idle_bytes_ = 0;
}

Slot* Pages::carve(std::size_t size_class) {
  Slot slot;
  slot.size_class = static_cast<std::uint8_t>(size_class);
  if (size_class != 0) {
    const std::uint64_t bytes = std::uint64_t{1} << size_class;
    Fresh& fresh = fresh_[size_class];
    if (fresh.left < bytes) map_region(size_class);
    slot.data = fresh.next;
    slot.address = fresh.address;
    slots_.push_back(slot);
    fresh.next += bytes;
    fresh.address += bytes;
    fresh.left -= bytes;
  } else {
    slots_.push_back(slot);
  }
  return &slots_.back();
}

void Pages::map_region(std::size_t size_class) {
  const std::size_t slot_bytes = std::size_t{1} << size_class;
  const std::size_t bytes = std::max(slot_bytes, kRegionBytes);
  regions_.reserve(regions_.size() + 1);
  Region region{nullptr, nullptr, bytes};
  region.data = map_aligned(bytes, slot_bytes, PROT_READ | PROT_WRITE);
  regions_.push_back(region);
  if (shadowed_) regions_.back().shadow = map_aligned(bytes, slot_bytes, PROT_NONE);
  Fresh& fresh = fresh_[size_class];
  fresh.next = region.data;
  fresh.address = reinterpret_cast<std::uintptr_t>(shadowed_ ? regions_.back().shadow : region.data);
  fresh.left = bytes;
}

void poison(Slot& slot, std::uint64_t bytes) {
  if (bytes != 0) std::memset(slot.data, kPoison, bytes);
  slot.poisoned = std::max(slot.poisoned, bytes);
}

void poison_rest(Slot& slot, std::uint64_t bytes) {
  if (slot.poisoned >= bytes) return;
  std::memset(slot.data + slot.poisoned, kPoison, bytes - slot.poisoned);
  slot.poisoned = bytes;
}

}  // namespace berth::mock
