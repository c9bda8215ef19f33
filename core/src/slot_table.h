// SlotTable: 64-bit key -> ledger slot, by open addressing with linear probing and backward-shift deletion, so that a
// device that allocates and frees for days neither allocates nor fills up with tombstones. At most a quarter full: the
// first place looked at is nearly always the right one. Not thread safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace berth::detail {

class SlotTable {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  SlotTable() : entries_(kFirstSize) {}

  // The slot of `key`, kNone when it is not there.
  [[nodiscard]] std::uint32_t find(std::uint64_t key) const noexcept { return entries_[place_of(key)].slot; }
  // Whether one more entry fits without grow().
  [[nodiscard]] bool has_room() const noexcept { return (count_ + 1) * 4 <= entries_.size(); }
  // Makes room. Throws std::bad_alloc and changes nothing.
  void grow();
  // When there is room, for a key that is not there.
  void insert(std::uint64_t key, std::uint32_t slot) noexcept {
    entries_[place_of(key)] = {.key = key, .slot = slot};
    ++count_;
  }
  // A key that is there.
  void erase(std::uint64_t key) noexcept {
    const std::size_t place = place_of(key);
    --count_;
    if (entries_[(place + 1) & mask()].slot == kNone) {
      entries_[place].slot = kNone;
    } else {
      close_gap(place);
    }
  }

 private:
  static constexpr int kFirstBits = 9;
  static constexpr std::size_t kFirstSize = std::size_t{1} << kFirstBits;

  struct Entry {
    std::uint64_t key = 0;
    std::uint32_t slot = kNone;  // kNone is an empty place
  };

  [[nodiscard]] std::size_t mask() const noexcept { return entries_.size() - 1; }
  [[nodiscard]] std::size_t home(std::uint64_t key) const noexcept {
    return static_cast<std::size_t>((key * 0x9E3779B97F4A7C15u) >> shift_);
  }
  // Where `key` is, or the empty place where it would go.
  [[nodiscard]] std::size_t place_of(std::uint64_t key) const noexcept {
    std::size_t place = home(key);
    while (entries_[place].slot != kNone && entries_[place].key != key) place = (place + 1) & mask();
    return place;
  }
  void close_gap(std::size_t hole) noexcept;

  std::vector<Entry> entries_;  // a power of two
  std::size_t count_ = 0;
  int shift_ = 64 - kFirstBits;
};

}  // namespace berth::detail
