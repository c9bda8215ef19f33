// Ledger: every live block of one device, who owns it and what was counted. It answers the guard's two questions about
// a new block, "is this handle in use?" and "does this address range touch a live block?", and keeps what statistics
// and leak reports need.
//
// The idea: nodes live in chunks and are recycled, the tree by address is intrusive in them, handles are in a table of
// their own, owners are numbers. So nothing is allocated on the heap once a device has seen its peak of live blocks.
// Rejected: std::map (a heap node for each block, twice the time), a sorted vector (5 us for an insert among 10 000).
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
#include "handle_table.h"
#include "owner_table.h"

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
  enum class Verdict { kFine, kHandleInUse, kOverlap };
  enum class AddressState { kLive, kInterior, kFreed, kNobodys };

  struct AddressAnswer {
    AddressState state = AddressState::kNobodys;
    std::uint32_t slot = 0;  // of the live block, for kLive and kInterior
  };

  Ledger() = default;
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;

  // Records a live block unless it contradicts another one, then `out_slot` is that other block's slot. Blocks of zero
  // bytes are the host's own and never contradict. Throws std::bad_alloc and changes nothing.
  [[nodiscard]] Verdict insert(const Claim& claim, std::uint32_t& out_slot);
  // The claim in a slot that insert gave and remove did not take back.
  [[nodiscard]] const Claim& claim(std::uint32_t slot) const noexcept { return node(slot).claim; }
  [[nodiscard]] bool handle_in_use(std::uint64_t handle) const noexcept {
    return handles_.find(handle) != HandleTable::kNone;
  }
  // Forgets a live block, before its driver is asked to free it: from that moment the driver may give the same handle
  // or address to another thread.
  Claim remove(std::uint32_t slot) noexcept;
  // Records a block that the driver did not take back (or that cannot be given back).
  void strand(const Claim& claim) noexcept;
  void count_failure(OwnerId owner) noexcept;

  // Whose the address is. Freed blocks are remembered for a while (the last kRemembered of them).
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
  static constexpr std::uint32_t kChunk = 128;  // nodes allocated together
  static constexpr std::uint32_t kNoSlot = UINT32_MAX;
  static constexpr std::size_t kRemembered = 256;

  enum class NodeState : std::uint8_t { kFree, kLive, kStranded };
  struct Node : boost::intrusive::set_base_hook<boost::intrusive::link_mode<boost::intrusive::normal_link>> {
    Claim claim;
    std::uint32_t slot = 0;
    std::uint32_t next_free = kNoSlot;
    NodeState state = NodeState::kFree;
  };
  struct AddressOf {
    using type = std::uint64_t;
    type operator()(const Node& node) const noexcept { return node.claim.block.address; }
  };
  using Tree = boost::intrusive::set<Node, boost::intrusive::key_of_value<AddressOf>,
                                     boost::intrusive::constant_time_size<false>>;

  [[nodiscard]] Node& node(std::uint32_t slot) noexcept { return chunks_[slot / kChunk][slot % kChunk]; }
  [[nodiscard]] const Node& node(std::uint32_t slot) const noexcept { return chunks_[slot / kChunk][slot % kChunk]; }
  void reserve_node();
  Node& take_node(const Claim& claim, NodeState state) noexcept;
  void count_live(const Claim& claim) noexcept;
  template <typename Visit>
  void for_each(Visit visit) const;

  std::vector<std::unique_ptr<Node[]>> chunks_;
  std::uint32_t first_free_ = kNoSlot;
  Tree by_address_;  // live blocks with an address
  HandleTable handles_;
  OwnerTable owners_;
  DeviceStatistics statistics_;
  std::array<std::uint64_t, kRemembered> freed_{};  // addresses, a ring
  std::uint64_t freed_count_ = 0;
};

}  // namespace berth::detail
