#include "slot_table.h"

#include <utility>

namespace berth::detail {

void SlotTable::grow() {
  std::vector<Entry> old(entries_.size() * 2);
  std::swap(old, entries_);
  --shift_;
  for (const Entry& entry : old) {
    if (entry.slot != kNone) entries_[place_of(entry.key)] = entry;
  }
}

void SlotTable::close_gap(std::size_t hole) noexcept {
  for (std::size_t i = (hole + 1) & mask(); entries_[i].slot != kNone; i = (i + 1) & mask()) {
    const std::size_t from_home = (i - home(entries_[i].key)) & mask();
    const std::size_t from_hole = (i - hole) & mask();
    if (from_home < from_hole) continue;  // it would land before its home
    entries_[hole] = entries_[i];
    hole = i;
  }
  entries_[hole].slot = kNone;
}

}  // namespace berth::detail
