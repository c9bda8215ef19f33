#include "ledger.h"

#include <algorithm>
#include <map>
#include <new>
#include <tuple>

namespace berth::detail {
namespace {

// The last byte of a block of at least one byte; the guard has seen that it fits in 64 bits.
std::uint64_t last_byte(const MemoryBlock& block) noexcept { return block.address + (block.size - 1); }

}  // namespace

template <typename Visit>
void Ledger::for_each(Visit visit) const {
  for (const auto& chunk : chunks_) {
    for (std::uint32_t i = 0; i < kChunk; ++i) {
      if (chunk[i].state != NodeState::kFree) visit(chunk[i]);
    }
  }
}

void Ledger::reserve_node() {
  if (first_free_ != kNoSlot) return;
  chunks_.reserve(chunks_.size() + 1);
  auto chunk = std::make_unique<Node[]>(kChunk);
  const auto first = static_cast<std::uint32_t>(chunks_.size()) * kChunk;
  for (std::uint32_t i = 0; i < kChunk; ++i) {
    chunk[i].slot = first + i;
    chunk[i].next_free = i + 1 < kChunk ? first + i + 1 : kNoSlot;
  }
  chunks_.push_back(std::move(chunk));
  first_free_ = first;
}

Ledger::Node& Ledger::take_node(const Claim& claim, NodeState state) noexcept {
  Node& taken = node(first_free_);
  first_free_ = taken.next_free;
  taken.claim = claim;
  taken.state = state;
  return taken;
}

void Ledger::count_live(const Claim& claim) noexcept {
  statistics_.current_bytes += claim.bytes;
  statistics_.peak_bytes = std::max(statistics_.peak_bytes, statistics_.current_bytes);
  ++statistics_.current_count;
  ++statistics_.total_count;
  owners_.add(claim.owner.id, claim.bytes);
}

Ledger::Verdict Ledger::insert(const Claim& claim, std::uint32_t& out_slot) {
  const MemoryBlock& block = claim.block;
  reserve_node();
  if (claim.bytes == 0) {
    out_slot = take_node(claim, NodeState::kLive).slot;
    count_live(claim);
    return Verdict::kFine;
  }
  handles_.reserve_one();
  if (const std::uint32_t other = handles_.find(block.handle); other != HandleTable::kNone) {
    out_slot = other;
    return Verdict::kHandleInUse;
  }
  Tree::iterator after = by_address_.end();
  if (block.has_address) {
    after = by_address_.lower_bound(block.address);
    if (after != by_address_.end() && after->claim.block.address <= last_byte(block)) {
      out_slot = after->slot;
      return Verdict::kOverlap;
    }
    if (after != by_address_.begin()) {
      const auto before = std::prev(after);
      if (last_byte(before->claim.block) >= block.address) {
        out_slot = before->slot;
        return Verdict::kOverlap;
      }
    }
  }
  Node& taken = take_node(claim, NodeState::kLive);
  if (block.has_address) by_address_.insert_before(after, taken);
  handles_.insert(block.handle, taken.slot);
  count_live(claim);
  out_slot = taken.slot;
  return Verdict::kFine;
}

Claim Ledger::remove(std::uint32_t slot) noexcept {
  Node& removed = node(slot);
  const Claim claim = removed.claim;
  if (claim.bytes != 0) {
    handles_.erase(claim.block.handle);
    if (claim.block.has_address) {
      by_address_.erase(Tree::s_iterator_to(removed));
      freed_[freed_count_++ % kRemembered] = claim.block.address;
    }
  }
  removed.state = NodeState::kFree;
  removed.next_free = first_free_;
  first_free_ = slot;
  statistics_.current_bytes -= claim.bytes;
  --statistics_.current_count;
  owners_.subtract(claim.owner.id, claim.bytes);
  return claim;
}

void Ledger::strand(const Claim& claim) noexcept {
  ++statistics_.stranded_count;
  statistics_.stranded_bytes += claim.bytes;
  try {
    reserve_node();
  } catch (const std::bad_alloc&) {
    return;  // counted all the same
  }
  take_node(claim, NodeState::kStranded);
}

void Ledger::count_failure(OwnerId owner) noexcept {
  ++statistics_.failures;
  owners_.count_failure(owner);
}

Ledger::AddressAnswer Ledger::find_address(std::uint64_t address) const noexcept {
  auto after = by_address_.upper_bound(address);
  if (after != by_address_.begin()) {
    const Node& candidate = *std::prev(after);
    if (candidate.claim.block.address == address) return {.state = AddressState::kLive, .slot = candidate.slot};
    if (last_byte(candidate.claim.block) >= address) return {.state = AddressState::kInterior, .slot = candidate.slot};
  }
  const std::size_t remembered = std::min<std::uint64_t>(freed_count_, kRemembered);
  const auto end = freed_.begin() + static_cast<std::ptrdiff_t>(remembered);
  if (std::find(freed_.begin(), end, address) != end) return {.state = AddressState::kFreed};
  return {};
}

std::vector<std::uint32_t> Ledger::raw_blocks() const {
  std::vector<std::uint32_t> slots;
  for_each([&](const Node& each) {
    if (each.state == NodeState::kLive && each.claim.entry == Entry::kRawAddress) slots.push_back(each.slot);
  });
  return slots;
}

std::uint64_t Ledger::live_bytes(const std::vector<MemoryKind>& kinds, std::uint32_t heap) const noexcept {
  std::uint64_t sum = 0;
  for_each([&](const Node& each) {
    if (each.state == NodeState::kLive && kinds[each.claim.block.kind].heap == heap) sum += each.claim.bytes;
  });
  return sum;
}

std::vector<OwnerUsage> Ledger::usage() const {
  std::map<std::tuple<OwnerId, std::uint32_t, bool>, OwnerUsage> groups;
  for_each([&](const Node& each) {
    const Owner owner = each.claim.owner;
    const bool stranded = each.state == NodeState::kStranded;
    OwnerUsage& group = groups[{owner.id, owner.part, stranded}];
    group.bytes += each.claim.bytes;
    ++group.count;
    if (group.count > 1) return;
    group.owner = owners_.name(owner.id);
    group.part = owner.part;
    group.peak_bytes = owners_.counters(owner.id).peak_bytes;
    group.failures = owners_.counters(owner.id).failures;
    group.stranded = stranded;
  });
  std::vector<OwnerUsage> sorted;
  sorted.reserve(groups.size());
  for (auto& [key, group] : groups) sorted.push_back(std::move(group));
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const OwnerUsage& a, const OwnerUsage& b) { return a.bytes > b.bytes; });
  return sorted;
}

}  // namespace berth::detail
