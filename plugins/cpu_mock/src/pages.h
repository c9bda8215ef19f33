// Where the bytes of mock devices live: slots of host memory that are recycled and stay mapped, so that the first touch
// of a page is paid once. Slots come in powers of two and lie at multiples of their size, so every alignment up to the
// slot's size is met. Nothing is kept inside the slots themselves: their records lie elsewhere.
//
// With a shadow, every slot also has an address in a range of equal size that nobody may touch: a host that
// dereferences it traps.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace berth::mock {

class Device;

// New and freed memory holds this in every byte: as a float it is NaN, so a missing fill shows in results.
inline constexpr unsigned char kPoison = 0xFF;

// One block, live or waiting for reuse. The handle of a memory is the address of its slot.
struct Slot {
  std::byte* data = nullptr;
  std::uint64_t address = 0;
  std::uint64_t size = 0;      // usable bytes while live
  std::uint64_t poisoned = 0;  // leading bytes that hold kPoison while waiting for reuse
  Slot* next = nullptr;
  Device* owner = nullptr;  // null while waiting for reuse
  std::uint32_t kind = 0;
  std::uint8_t size_class = 0;
};

// Not thread-safe but for poison.
class Pages {
 public:
  explicit Pages(bool shadowed) : shadowed_(shadowed) {}
  ~Pages();
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;

  // A slot of at least `size` bytes at a multiple of `alignment`, a power of two. size 0: a record without bytes.
  // Throws std::bad_alloc.
  Slot* take(std::uint64_t size, std::uint64_t alignment);

  // Gives a slot back. Its first `slot->poisoned` bytes hold kPoison.
  void give(Slot* slot);

  // Bytes that wait for reuse in slots large enough to hand their pages back.
  std::uint64_t idle_bytes() const { return idle_bytes_; }

  // Hands the pages of those slots back to the system; the slots stay.
  void trim();

 private:
  static constexpr std::size_t kClasses = 49;
  struct Region {
    std::byte* data;
    std::byte* shadow;
    std::size_t bytes;
  };
  struct Fresh {
    std::byte* next = nullptr;
    std::uint64_t address = 0;
    std::uint64_t left = 0;
  };

  Slot* carve(std::size_t size_class);
  void map_region(std::size_t size_class);

  bool shadowed_;
  std::uint64_t idle_bytes_ = 0;
  std::array<Slot*, kClasses> idle_{};
  std::array<Fresh, kClasses> fresh_{};
  std::vector<Region> regions_;
  std::deque<Slot> slots_;
};

// Makes the first `bytes` of a slot hold kPoison, whatever it held; the caller owns the slot.
void poison(Slot& slot, std::uint64_t bytes);

// The same, sparing the bytes that still hold it since the slot was given back.
void poison_rest(Slot& slot, std::uint64_t bytes);

}  // namespace berth::mock
