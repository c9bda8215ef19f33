#include "handle_table.h"

#include <utility>

namespace berth::detail {
namespace {

constexpr std::size_t kFirstSize = 64;
constexpr int kFirstShift = 64 - 6;

}  // namespace

std::uint32_t HandleTable::find(std::uint64_t handle) const noexcept {
  if (count_ == 0) return kNone;
  for (std::size_t i = home(handle);; i = (i + 1) & mask_) {
    if (entries_[i].handle == handle) return entries_[i].slot;
    if (entries_[i].handle == 0) return kNone;
  }
}

void HandleTable::reserve_one() {
  if ((count_ + 1) * 2 > entries_.size()) grow();
}

void HandleTable::grow() {
  std::vector<Entry> old(entries_.empty() ? kFirstSize : entries_.size() * 2);
  std::swap(old, entries_);
  shift_ = old.empty() ? kFirstShift : shift_ - 1;
  mask_ = entries_.size() - 1;
  count_ = 0;
  for (const Entry& entry : old) {
    if (entry.handle != 0) insert(entry.handle, entry.slot);
  }
}

void HandleTable::insert(std::uint64_t handle, std::uint32_t slot) noexcept {
  std::size_t i = home(handle);
  while (entries_[i].handle != 0) i = (i + 1) & mask_;
  entries_[i] = {.handle = handle, .slot = slot};
  ++count_;
}

void HandleTable::erase(std::uint64_t handle) noexcept {
  std::size_t hole = home(handle);
  while (entries_[hole].handle != handle) hole = (hole + 1) & mask_;
  for (std::size_t i = (hole + 1) & mask_; entries_[i].handle != 0; i = (i + 1) & mask_) {
    const std::size_t from_home = (i - home(entries_[i].handle)) & mask_;
    const std::size_t from_hole = (i - hole) & mask_;
    if (from_home < from_hole) continue;  // it would land before its home
    entries_[hole] = entries_[i];
    hole = i;
  }
  entries_[hole] = {};
  --count_;
}

}  // namespace berth::detail
