#include "ledger.h"

#include <algorithm>
#include <new>

namespace berth::detail {
namespace {

// The last byte of a block of at least one byte; the guard has seen that it fits in 64 bits.
std::uint64_t last_byte(const MemoryBlock& block) noexcept { return block.address + (block.size - 1); }

}  // namespace

bool Ledger::grow() noexcept {
  try {
    if (first_free_ == kNoSlot) add_chunk();
    if (!handles_.has_room()) handles_.grow();
    if (!addresses_.has_room()) addresses_.grow();
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

void Ledger::add_chunk() {
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

Ledger::Node& Ledger::take_node() noexcept {
  Node& taken = node(first_free_);
  first_free_ = taken.next_free;
  return taken;
}

void Ledger::give_node(Node& node) noexcept {
  node.state = NodeState::kFree;
  node.next_free = first_free_;
  first_free_ = node.slot;
}

void Ledger::count_live(std::uint64_t bytes, OwnerId owner) noexcept {
  statistics_.current_bytes += bytes;
  statistics_.peak_bytes = std::max(statistics_.peak_bytes, statistics_.current_bytes);
  ++statistics_.current_count;
  ++statistics_.total_count;
  owners_.add(owner, bytes);
}

Ledger::Verdict Ledger::insert(const MemoryBlock& block, std::uint64_t bytes, Owner owner, Entry entry,
                               std::uint32_t& out_slot) noexcept {
  if (!reserve()) return Verdict::kNoMemory;
  Node* entered = nullptr;
  if (bytes == 0) {
    entered = &take_node();
  } else {
    out_slot = handles_.find(block.handle);
    if (out_slot != kNoSlot) return Verdict::kHandleInUse;
    entered = block.has_address ? node_for_range(block, out_slot) : &take_node();
    if (entered == nullptr) return Verdict::kOverlap;
    handles_.insert(block.handle, entered->slot);
  }
  entered->claim = {.block = block, .bytes = bytes, .owner = owner, .entry = entry};
  entered->state = NodeState::kLive;
  out_slot = entered->slot;
  count_live(bytes, owner.id);
  return Verdict::kFine;
}

Ledger::Node* Ledger::node_for_range(const MemoryBlock& block, std::uint32_t& out_other) noexcept {
  const std::uint32_t slot = addresses_.find(block.address);
  if (slot == kNoSlot) return new_range(block, out_other);
  Node& found = node(slot);
  if (found.state != NodeState::kGhost || last_byte(block) > found.last) return new_range(block, out_other);
  --ghosts_;
  return &found;
}

// Live nodes may have a longer range in the tree than their block needs; it is cut to the block when another one wants
// the rest.
Ledger::Node* Ledger::new_range(const MemoryBlock& block, std::uint32_t& out_other) noexcept {
  const std::uint64_t last = last_byte(block);
  auto next = by_address_.upper_bound(block.address);
  if (next != by_address_.begin()) {
    const auto before = std::prev(next);
    if (before->state == NodeState::kGhost) {
      if (before->last >= block.address) evict(*before);
    } else if (last_byte(before->claim.block) >= block.address) {
      out_other = before->slot;
      return nullptr;
    } else {
      before->last = std::min(before->last, block.address - 1);
    }
  }
  while (next != by_address_.end() && next->claim.block.address <= last) {
    if (next->state != NodeState::kGhost) {
      out_other = next->slot;
      return nullptr;
    }
    next = evict(*next);
  }
  Node& entered = take_node();
  entered.claim.block.address = block.address;
  entered.last = last;
  by_address_.insert_before(next, entered);
  addresses_.insert(block.address, entered.slot);
  return &entered;
}

Ledger::Tree::iterator Ledger::evict(Node& ghost) noexcept {
  const auto next = by_address_.erase(by_address_.iterator_to(ghost));
  addresses_.erase(ghost.claim.block.address);
  evicted_[evicted_count_++ % kRemembered] = ghost.claim.block.address;
  --ghosts_;
  give_node(ghost);
  return next;
}

// A hand goes round the nodes, of which half are ghosts when there are too many: about two steps for each eviction.
void Ledger::evict_some() noexcept {
  while (ghosts_ > statistics_.current_count + kSpareGhosts) {
    Node& candidate = node(hand_);
    hand_ = hand_ + 1 < chunks_.size() * kChunk ? hand_ + 1 : 0;
    if (candidate.state == NodeState::kGhost) evict(candidate);
  }
}

Owner Ledger::remove(std::uint32_t slot) noexcept {
  Node& removed = node(slot);
  const Claim& claim = removed.claim;
  const Owner owner = claim.owner;
  statistics_.current_bytes -= claim.bytes;
  --statistics_.current_count;
  owners_.subtract(owner.id, claim.bytes);
  if (claim.bytes != 0) handles_.erase(claim.block.handle);
  if (claim.bytes != 0 && claim.block.has_address) {
    removed.state = NodeState::kGhost;
    if (++ghosts_ > statistics_.current_count + kSpareGhosts) evict_some();
  } else {
    give_node(removed);
  }
  return owner;
}

void Ledger::strand(const Claim& claim) noexcept {
  ++statistics_.stranded_count;
  statistics_.stranded_bytes += claim.bytes;
  if (!reserve()) return;  // counted all the same
  Node& stranded = take_node();
  stranded.claim = claim;
  stranded.state = NodeState::kStranded;
}

void Ledger::count_failure(OwnerId owner) noexcept {
  ++statistics_.failures;
  owners_.count_failure(owner);
}

Ledger::AddressAnswer Ledger::find_address(std::uint64_t address) const noexcept {
  const auto next = by_address_.upper_bound(address);
  if (next != by_address_.begin()) {
    const Node& before = *std::prev(next);
    const bool exact = before.claim.block.address == address;
    if (before.state == NodeState::kLive && exact) return {.state = AddressState::kLive, .slot = before.slot};
    if (before.state == NodeState::kLive && last_byte(before.claim.block) >= address) {
      return {.state = AddressState::kInterior, .slot = before.slot};
    }
    if (before.state == NodeState::kGhost && exact) return {.state = AddressState::kFreed};
  }
  const auto end = evicted_.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(evicted_count_, kRemembered));
  if (std::find(evicted_.begin(), end, address) != end) return {.state = AddressState::kFreed};
  return {};
}

}  // namespace berth::detail
