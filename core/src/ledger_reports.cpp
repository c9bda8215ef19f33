// What the ledger tells when somebody asks: walks over all nodes, in cold code.
#include <algorithm>
#include <map>
#include <tuple>

#include "ledger.h"

namespace berth::detail {

template <typename Visit>
void Ledger::for_each(NodeState state, Visit visit) const {
  for (const auto& chunk : chunks_) {
    for (std::uint32_t i = 0; i < kChunk; ++i) {
      if (chunk[i].state == state) visit(chunk[i]);
    }
  }
}

std::vector<std::uint32_t> Ledger::raw_blocks() const {
  std::vector<std::uint32_t> slots;
  for_each(NodeState::kLive, [&](const Node& each) {
    if (each.claim.entry == Entry::kRawAddress) slots.push_back(each.slot);
  });
  return slots;
}

std::uint64_t Ledger::live_bytes(const std::vector<MemoryKind>& kinds, std::uint32_t heap) const noexcept {
  std::uint64_t sum = 0;
  for_each(NodeState::kLive, [&](const Node& each) {
    if (kinds[each.claim.block.kind].heap == heap) sum += each.claim.bytes;
  });
  return sum;
}

std::vector<OwnerUsage> Ledger::usage() const {
  std::map<std::tuple<OwnerId, std::uint32_t, bool>, OwnerUsage> groups;
  const auto collect = [&](const Node& each) {
    const Owner owner{.id = owners_.known(each.claim.owner.id), .part = each.claim.owner.part};
    const bool stranded = each.state == NodeState::kStranded;
    const auto [position, added] = groups.try_emplace({owner.id, owner.part, stranded});
    OwnerUsage& group = position->second;
    if (added) {
      const OwnerCounters& counters = owners_.counters(owner.id);
      group.owner = owners_.name(owner.id);
      group.part = owner.part;
      group.peak_bytes = counters.peak_bytes;
      group.failures = counters.failures;
      group.stranded = stranded;
    }
    group.bytes += each.claim.bytes;
    ++group.count;
  };
  for_each(NodeState::kLive, collect);
  for_each(NodeState::kStranded, collect);
  std::vector<OwnerUsage> sorted;
  sorted.reserve(groups.size());
  for (auto& [key, group] : groups) sorted.push_back(std::move(group));
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const OwnerUsage& a, const OwnerUsage& b) { return a.bytes > b.bytes; });
  return sorted;
}

}  // namespace berth::detail
