// What a DeviceState tells: counts, usage, memory figures; and the raw-address entry with its explanations.
#include <algorithm>

#include "device_state.h"
#include "guard.h"
#include "text.h"

namespace berth::detail {

// In a forked child the lock may be held by a thread that does not exist there; the numbers are plain, so they are read
// without it, and lists, which may be half changed, stay empty.
DeviceStatistics DeviceState::statistics() const {
  if (!usable()) return ledger_.statistics();
  const std::lock_guard lock(lock_);
  return ledger_.statistics();
}

std::vector<OwnerUsage> DeviceState::usage() const {
  if (!usable()) return {};
  const std::lock_guard lock(lock_);
  return ledger_.usage();
}

std::vector<std::string> DeviceState::notices() const {
  if (!usable()) return {};
  const std::lock_guard lock(lock_);
  return notices_;
}

Result<MemoryInfo> DeviceState::memory_info(const DeviceId& id, std::uint32_t heap) const {
  BERTH_FAIL_IF_ERROR(check_usable(id));
  const std::string where = label(id) + ", memory information of heap " + std::to_string(heap);
  if (heap >= properties_->heaps.size()) {
    return fail({.code = Code::kInvalidArgument,
                 .origin = Origin::kUsage,
                 .where = where,
                 .what = "the device has no such heap",
                 .expected = "a heap below " + std::to_string(properties_->heaps.size()),
                 .found = std::to_string(heap)});
  }
  MemoryInfo info;
  if (properties_->can(Capability::kMemoryInfo)) {
    if (Status status = driver_->memory_info(heap, info); !status.ok()) {
      return fail(failed(id, status, where));
    }
    if (auto fault = info_fault(info)) {
      fault->where = where;
      return fail(*std::move(fault));
    }
  } else {
    info.total = properties_->heaps[heap].total;
  }
  if (!info.used_by_this_instance.has_value()) {
    const std::lock_guard lock(lock_);
    info.used_by_this_instance = ledger_.live_bytes(properties_->kinds, heap);
  }
  return info;
}

Status DeviceState::free_address(const DeviceId& id, std::uint64_t address) {
  BERTH_RETURN_IF_ERROR(check_usable(id));
  Ledger::AddressAnswer answer;
  Claim claim;
  {
    const std::lock_guard lock(lock_);
    answer = ledger_.find_address(address);
    if (answer.state == Ledger::AddressState::kLive || answer.state == Ledger::AddressState::kInterior) {
      claim = ledger_.claim(answer.slot);
    }
    if (answer.state == Ledger::AddressState::kLive && claim.entry == Entry::kRawAddress) ledger_.remove(answer.slot);
  }
  const std::string where = label(id) + ", free of address " + hex_text(address);
  std::string found;
  switch (answer.state) {
    case Ledger::AddressState::kLive:
      if (claim.entry == Entry::kRawAddress) {
        const Status status = free_at_driver(claim);
        return status.ok() ? status : failed(id, status, where);
      }
      found = "the address of a block that a DeviceBuffer owns";
      break;
    case Ledger::AddressState::kInterior:
      found = "an address " + bytes_text(address - claim.block.address) + " inside the block at " +
              hex_text(claim.block.address);
      break;
    case Ledger::AddressState::kFreed:
      found = "an address that was freed before";
      break;
    case Ledger::AddressState::kNobodys:
      found = "an address that this device never gave out";
      break;
  }
  return Status({.code = Code::kInvalidArgument,
                 .origin = Origin::kUsage,
                 .where = where,
                 .what = "the address cannot be freed",
                 .expected = "the address of a live block from allocate_address",
                 .found = std::move(found)});
}

}  // namespace berth::detail
