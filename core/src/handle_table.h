// HandleTable: driver handle -> ledger slot, by open addressing with linear probing and backward-shift deletion, so
// that a device that allocates and frees for days neither allocates nor fills up with tombstones. Not thread safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace berth::detail {

class HandleTable {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  // The slot of `handle`, kNone when it is not there. Handles are never zero.
  [[nodiscard]] std::uint32_t find(std::uint64_t handle) const noexcept;
  // Makes room for one more entry. Throws std::bad_alloc and changes nothing.
  void reserve_one();
  // After reserve_one, for a handle that is not there.
  void insert(std::uint64_t handle, std::uint32_t slot) noexcept;
  // A handle that is there.
  void erase(std::uint64_t handle) noexcept;

 private:
  struct Entry {
    std::uint64_t handle = 0;  // 0 is an empty place
    std::uint32_t slot = kNone;
  };

  [[nodiscard]] std::size_t home(std::uint64_t handle) const noexcept {
    return static_cast<std::size_t>((handle * 0x9E3779B97F4A7C15u) >> shift_);
  }
  void grow();

  std::vector<Entry> entries_;  // a power of two, at most half full
  std::size_t count_ = 0;
  std::size_t mask_ = 0;
  int shift_ = 63;
};

}  // namespace berth::detail
