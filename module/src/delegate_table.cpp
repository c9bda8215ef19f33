#include "berth/module/delegate_table.h"

#include <algorithm>

namespace berth::module {

Status DelegateTable::add(std::string_view id, DelegateFactory factory) {
  const bool present = find(id) != nullptr;
  if (id.empty() || !factory || present) {
    return Status({.code = Code::kInvalidArgument,
                   .origin = Origin::kUsage,
                   .what = present ? "there is a delegate '" + std::string(id) + "' already"
                                   : "a delegate needs an id and a factory"});
  }
  entries_.push_back({std::string(id), std::move(factory)});
  return {};
}

const DelegateFactory* DelegateTable::find(std::string_view id) const noexcept {
  for (const Entry& entry : entries_) {
    if (entry.id == id) return &entry.factory;
  }
  return nullptr;
}

std::vector<std::string> DelegateTable::ids() const {
  std::vector<std::string> ids;
  for (const Entry& entry : entries_) ids.push_back(entry.id);
  std::sort(ids.begin(), ids.end());
  return ids;
}

}  // namespace berth::module
