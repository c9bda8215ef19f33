// Ledger: every live block of one device, who owns it and what was counted. It answers the guard's two questions about
// a new block, "is this handle in use?" and "does this address range touch a live block?", and keeps what statistics
// and leak reports need.
//
// The idea: drivers hand out the same addresses again and again. A freed block's node therefore stays where it is in
// the tree by address, as a ghost; ranges of live nodes and ghosts never overlap. A new block that fits into the ghost
// of its address revives it, with one look into a table and no change to the tree. Only a new range searches the tree,
// where it evicts the ghosts in its way. Nodes live in chunks and are recycled, the tree is intrusive in them, owners
// are numbers: nothing is allocated on the heap once a device has seen its peak of live blocks.
// Rejected: std::map (a heap node for each block), a tree without ghosts (twice the time at 64 blocks: branches that
// nobody can predict), a sorted vector (5 us for an insert among 10 000).
//
// Not thread safe: DeviceState's lock guards it, and no driver is called under that lock.
#pragma once

#include <array>
#include <boost/intrusive/set.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "berth/core/device_properties.h"
#include "berth/core/memory_block.h"
#include "berth/core/owner.h"
#include "berth/core/statistics.h"
#include "owner_table.h"
#include "slot_table.h"

namespace berth::detail {

// How an allocation came about, and thus who may free it.
enum class Entry : std::uint8_t { kBuffer, kRawAddress };

struct Claim {
  MemoryBlock block;
  std::uint64_t bytes = 0;  // asked for
  Owner owner;
  Entry entry = Entry::kBuffer;
};

class Ledger {
 public:
  enum class Verdict { kFine, kHandleInUse, kOverlap, kNoMemory };
  enum class AddressState { kLive, kInterior, kFreed, kNobodys };

  struct AddressAnswer {
    AddressState state = AddressState::kNobodys;
    std::uint32_t slot = 0;  // of the live block, for kLive and kInterior
  };

  Ledger() = default;
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;

  // Records a live block unless it contradicts another one, then `out_slot` is that other block's slot. Blocks of zero
  // bytes are the host's own and never contradict. kNoMemory when the host has none for its own account.
  [[nodiscard]] Verdict insert(const MemoryBlock& block, std::uint64_t bytes, Owner owner, Entry entry,
                               std::uint32_t& out_slot) noexcept;
  // The claim in a slot that insert gave and remove did not take back.
  [[nodiscard]] const Claim& claim(std::uint32_t slot) const noexcept { return node(slot).claim; }
  [[nodiscard]] bool handle_in_use(std::uint64_t handle) const noexcept {
    return handles_.find(handle) != SlotTable::kNone;
  }
  // Forgets a live block, before its driver is asked to free it: from that moment the driver may give the same handle
  // or address to another thread. Returns whose it was.
  Owner remove(std::uint32_t slot) noexcept;
  // Records a block that the driver did not take back (or that cannot be given back).
  void strand(const Claim& claim) noexcept;
  void count_failure(OwnerId owner) noexcept;

  // Whose the address is. Freed addresses are remembered for a while: as ghosts, then the last kRemembered of those.
  [[nodiscard]] AddressAnswer find_address(std::uint64_t address) const noexcept;
  // Slots of live blocks that came through the raw-address entry.
  [[nodiscard]] std::vector<std::uint32_t> raw_blocks() const;

  [[nodiscard]] const DeviceStatistics& statistics() const noexcept { return statistics_; }
  // Bytes of live blocks whose kind lies on `heap`.
  [[nodiscard]] std::uint64_t live_bytes(const std::vector<MemoryKind>& kinds, std::uint32_t heap) const noexcept;
  [[nodiscard]] std::vector<OwnerUsage> usage() const;
  [[nodiscard]] OwnerTable& owners() noexcept { return owners_; }
  [[nodiscard]] const OwnerTable& owners() const noexcept { return owners_; }

 private:
  static constexpr std::uint32_t kChunkBits = 7;
  static constexpr std::uint32_t kChunk = 1u << kChunkBits;  // nodes allocated together
  static constexpr std::uint32_t kNoSlot = SlotTable::kNone;
  static constexpr std::uint64_t kSpareGhosts = 128;  // ghosts beside as many as there are live blocks
  static constexpr std::size_t kRemembered = 256;

  enum class NodeState : std::uint8_t { kFree, kLive, kGhost, kStranded };
  // What every allocation touches is in the first cache line.
  struct alignas(64) Node {
    Claim claim;
    NodeState state = NodeState::kFree;
    std::uint64_t last = 0;  // last byte of the range that the node has in the tree; a live block may end before it
    std::uint32_t slot = 0;
    std::uint32_t next_free = kNoSlot;
    boost::intrusive::set_member_hook<boost::intrusive::link_mode<boost::intrusive::normal_link>> hook;
  };
  struct AddressOf {
    using type = std::uint64_t;
    type operator()(const Node& node) const noexcept { return node.claim.block.address; }
  };
  using Tree = boost::intrusive::set<
      Node,
      boost::intrusive::member_hook<
          Node, boost::intrusive::set_member_hook<boost::intrusive::link_mode<boost::intrusive::normal_link>>,
          &Node::hook>,
      boost::intrusive::key_of_value<AddressOf>, boost::intrusive::constant_time_size<false>>;

  [[nodiscard]] Node& node(std::uint32_t slot) noexcept { return chunks_[slot >> kChunkBits][slot & (kChunk - 1)]; }
  [[nodiscard]] const Node& node(std::uint32_t slot) const noexcept {
    return chunks_[slot >> kChunkBits][slot & (kChunk - 1)];
  }
  // Whether there is room for one more node, and for one more entry in each table.
  [[nodiscard]] bool reserve() noexcept {
    return (first_free_ != kNoSlot && handles_.has_room() && addresses_.has_room()) || grow();
  }
  [[nodiscard]] bool grow() noexcept;
  void add_chunk();
  Node& take_node() noexcept;
  void give_node(Node& node) noexcept;
  // The node for a new address range, in the tree; null when a live block is in the way, then `out_other` is its slot.
  Node* node_for_range(const MemoryBlock& block, std::uint32_t& out_other) noexcept;
  Node* new_range(const MemoryBlock& block, std::uint32_t& out_other) noexcept;
  Tree::iterator evict(Node& ghost) noexcept;
  void evict_some() noexcept;
  void count_live(std::uint64_t bytes, OwnerId owner) noexcept;
  template <typename Visit>
  void for_each(NodeState state, Visit visit) const;

  std::vector<std::unique_ptr<Node[]>> chunks_;
  std::uint32_t first_free_ = kNoSlot;
  std::uint32_t hand_ = 0;    // where evict_some looks next
  std::uint64_t ghosts_ = 0;  // in the tree
  Tree by_address_;           // live blocks with an address, and ghosts
  SlotTable addresses_;       // the same nodes by their first address
  SlotTable handles_;         // live blocks
  OwnerTable owners_;
  DeviceStatistics statistics_;
  std::array<std::uint64_t, kRemembered> evicted_{};  // addresses, a ring
  std::uint64_t evicted_count_ = 0;
};

}  // namespace berth::detail
