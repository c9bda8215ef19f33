#include "owner_table.h"

namespace berth::detail {

OwnerTable::OwnerTable() { intern("unnamed"); }

OwnerId OwnerTable::intern(std::string_view name) {
  if (const auto found = ids_.find(name); found != ids_.end()) return found->second;
  names_.reserve(names_.size() + 1);
  counters_.reserve(counters_.size() + 1);
  const auto id = static_cast<OwnerId>(names_.size());
  const auto entry = ids_.emplace(name, id).first;
  names_.push_back(&entry->first);
  counters_.push_back({});
  return id;
}

}  // namespace berth::detail
