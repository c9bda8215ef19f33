#include "device_state.h"

#include <new>
#include <utility>

#include "abandoned.h"
#include "guard.h"
#include "text.h"

namespace berth::detail {
namespace {

std::uint64_t next_serial() noexcept {
  static std::atomic<std::uint64_t> serial{0};
  return serial.fetch_add(1, std::memory_order_relaxed) + 1;
}

std::string allocation_of(std::uint64_t bytes) { return ", allocation of " + bytes_text(bytes); }

}  // namespace

DeviceState::DeviceState(DeviceOptions options, std::unique_ptr<DeviceDriver> driver, std::shared_ptr<void> keep_alive)
    : options_(std::move(options)),
      epoch_(current_epoch()),
      serial_(next_serial()),
      keep_alive_(std::move(keep_alive)),
      driver_(std::move(driver)),
      properties_(&driver_->properties()) {
  watch_exit();
}

DeviceState::~DeviceState() {
  if (usable()) {
    free_leftovers();
    return;
  }
  abandon(std::move(driver_));
  abandon(keep_alive_);
}

// Blocks of the raw-address entry that nobody freed: with the last reference to the device nobody can any more.
void DeviceState::free_leftovers() noexcept {
  try {
    for (const OwnerUsage& each : ledger_.usage()) {
      if (each.stranded) continue;
      notice(label(options_.id) + ": freed " + std::to_string(each.count) +
             (each.count == 1 ? " block (" : " blocks (") + bytes_text(each.bytes) + ") that '" + each.owner +
             "' left behind");
    }
    for (const std::uint32_t slot : ledger_.raw_blocks()) {
      const Claim claim = ledger_.claim(slot);
      (void)free(options_.id, slot, claim.block, claim.bytes);
    }
  } catch (const std::bad_alloc&) {  // a quiet destructor; the driver sees its live children at close
  }
}

std::string DeviceState::label(const DeviceId& id) const {
  if (options_.is_host || options_.served_by.plugin.empty()) return id.to_string();
  return id.to_string() + " (plugin " + options_.served_by.plugin + ")";
}

Status DeviceState::failed(const DeviceId& id, const Status& failure, const std::string& where) const {
  note_failure(failure);
  if (failure.code() != Code::kDeviceLost) return failure.at(where);
  ErrorInfo info = failure.info();
  info.next_step = "call registry.retry(" + id.to_string() + ") to open the device again";
  return Status(std::move(info)).at(where);
}

Status DeviceState::check_usable(const DeviceId& id) const {
  if (usable()) return {};
  const bool exiting = (current_epoch() & kExitingBit) != 0;
  return Status({.code = Code::kFailedPrecondition,
                 .origin = Origin::kUsage,
                 .where = label(id),
                 .what = "the device cannot be used any more",
                 .expected = "use by the process that opened it",
                 .found = exiting ? "a process that is exiting" : "a child that was forked after it was opened",
                 .next_step = exiting ? "release devices before main returns"
                                      : "open devices after the fork, with a registry of the child's own"});
}

Status DeviceState::check_request(const DeviceId& id, const AllocationRequest& request) const {
  const auto wrong = [&](std::string what, std::string expected, std::string found) {
    return Status({.code = Code::kInvalidArgument,
                   .origin = Origin::kUsage,
                   .where = label(id) + allocation_of(request.bytes),
                   .what = std::move(what),
                   .expected = std::move(expected),
                   .found = std::move(found)});
  };
  const std::size_t kinds = properties_->kinds.size();
  if (request.kind >= kinds) {
    return wrong("the device has no such kind of memory", "a kind below " + std::to_string(kinds),
                 std::to_string(request.kind));
  }
  if (request.alignment == 0) return {};
  if ((request.alignment & (request.alignment - 1)) != 0) {
    return wrong("the alignment is impossible", "a power of two", std::to_string(request.alignment));
  }
  if (const std::uint64_t most = properties_->kinds[request.kind].max_alignment; request.alignment > most) {
    return wrong("the alignment is above what this kind of memory can", "at most " + std::to_string(most),
                 std::to_string(request.alignment));
  }
  return {};
}

bool DeviceState::reserve(std::uint64_t bytes) noexcept {
  if (!options_.limit.has_value()) return true;
  const std::uint64_t limit = *options_.limit;
  std::uint64_t charged = charged_.load(std::memory_order_relaxed);
  do {
    if (charged > limit || bytes > limit - charged) return false;
  } while (!charged_.compare_exchange_weak(charged, charged + bytes, std::memory_order_relaxed));
  return true;
}

void DeviceState::unreserve(std::uint64_t bytes) noexcept {
  if (options_.limit.has_value()) charged_.fetch_sub(bytes, std::memory_order_relaxed);
}

Status DeviceState::limit_exceeded(const DeviceId& id, std::uint64_t bytes) const {
  const std::uint64_t limit = options_.limit.value_or(0);
  const std::uint64_t charged = charged_.load(std::memory_order_relaxed);
  const std::string& entry = options_.served_by.entry;
  return Status(
      {.code = Code::kLimitExceeded,
       .origin = Origin::kDevice,
       .where = label(id) + allocation_of(bytes),
       .what = "the limit of the registry file would be exceeded",
       .expected = "at most " + bytes_text(limit > charged ? limit - charged : 0) + " (limit " + bytes_text(limit) +
                   ", in use " + bytes_text(charged) + ")",
       .found = bytes_text(bytes),
       .next_step = "free memory or raise `limit` of " +
                    (options_.is_host ? "[host]" : "[[device]] " + (entry.empty() ? id.to_string() : entry))});
}

void DeviceState::count_failure(OwnerId owner) noexcept {
  const std::lock_guard lock(lock_);
  ledger_.count_failure(owner);
}

Status DeviceState::allocate(const DeviceId& id, const AllocationRequest& request, Owner owner, Entry entry,
                             MemoryBlock& out, std::uint32_t& out_slot) {
  if (!usable()) return check_usable(id);
  if (Status status = check_request(id, request); !status.ok()) {
    count_failure(owner.id);
    return status;
  }
  if (request.bytes == 0) return allocate_nothing(id, request, owner, entry, out, out_slot);
  if (!reserve(request.bytes)) {
    count_failure(owner.id);
    return limit_exceeded(id, request.bytes);
  }
  out = {};
  if (Status status = driver_->allocate(request, out); !status.ok()) {
    unreserve(request.bytes);
    count_failure(owner.id);
    return failed(id, status, label(id) + allocation_of(request.bytes));
  }
  const MemoryKind& kind = properties_->kinds[request.kind];
  if (const BlockFault fault = check_block(request, kind, out); fault != BlockFault::kNone) {
    return refuse_block(id, {.block = out, .bytes = request.bytes, .owner = owner, .entry = entry},
                        block_fault(fault, request, kind, out));
  }
  Ledger::Verdict verdict = Ledger::Verdict::kNoMemory;
  {
    const std::lock_guard lock(lock_);
    verdict = ledger_.insert(out, request.bytes, owner, entry, out_slot);
  }
  if (verdict == Ledger::Verdict::kFine) return {};
  return refuse_entry(id, {.block = out, .bytes = request.bytes, .owner = owner, .entry = entry}, verdict, out_slot);
}

// Zero bytes never reach the driver, so that they succeed on a full device too. The handle is the host's own, counted
// down from the top, where no driver's handle is. Without an address there is nothing that free_address could be given.
Status DeviceState::allocate_nothing(const DeviceId& id, const AllocationRequest& request, Owner owner, Entry entry,
                                     MemoryBlock& out, std::uint32_t& out_slot) {
  out = {};
  out.kind = request.kind;
  out.handle = UINT64_MAX - empty_handles_.fetch_add(1, std::memory_order_relaxed);
  if (entry == Entry::kRawAddress) return {};
  Ledger::Verdict verdict = Ledger::Verdict::kNoMemory;
  {
    const std::lock_guard lock(lock_);
    verdict = ledger_.insert(out, 0, owner, entry, out_slot);
  }
  if (verdict == Ledger::Verdict::kFine) return {};
  return refuse(id, {.block = out, .bytes = 0, .owner = owner, .entry = entry}, true, no_memory_for_account());
}

Status DeviceState::refuse_block(const DeviceId& id, const Claim& claim, ErrorInfo fault) {
  bool give_back = claim.block.handle != 0;
  if (give_back) {
    const std::lock_guard lock(lock_);
    give_back = !ledger_.handle_in_use(claim.block.handle);
  }
  return refuse(id, claim, give_back, std::move(fault));
}

Status DeviceState::refuse_entry(const DeviceId& id, const Claim& claim, Ledger::Verdict verdict,
                                 std::uint32_t other_slot) {
  if (verdict == Ledger::Verdict::kNoMemory) return refuse(id, claim, true, no_memory_for_account());
  Claim other;
  std::string other_owner;
  {
    const std::lock_guard lock(lock_);
    other = ledger_.claim(other_slot);
    other_owner = ledger_.owners().name(other.owner.id);
  }
  if (verdict == Ledger::Verdict::kHandleInUse) return refuse(id, claim, false, handle_fault(claim, other_owner));
  return refuse(id, claim, false, overlap_fault(claim, other, other_owner));
}

// A handle or bytes that a live block has as well cannot be given back without taking them from that block.
Status DeviceState::refuse(const DeviceId& id, const Claim& claim, bool give_back, ErrorInfo fault) {
  if (give_back) {
    (void)free_at_driver(claim);
  } else if (claim.block.handle == 0) {
    unreserve(claim.bytes);
  } else {
    strand(claim);
  }
  count_failure(claim.owner.id);
  fault.origin = Origin::kDevice;
  fault.where = label(id) + allocation_of(claim.bytes);
  return Status(std::move(fault));
}

Status DeviceState::free(const DeviceId& id, std::uint32_t slot, const MemoryBlock& block,
                         std::uint64_t bytes) noexcept {
  if (!usable()) return check_usable(id);
  Owner owner;
  {
    const std::lock_guard lock(lock_);
    owner = ledger_.remove(slot);
  }
  return free_at_driver({.block = block, .bytes = bytes, .owner = owner});
}

// Stranded bytes stay charged against the limit: the driver may still hold them.
Status DeviceState::free_at_driver(const Claim& claim) noexcept {
  if (claim.bytes == 0) return {};
  Status status = driver_->free(claim.block);
  if (status.ok()) {
    unreserve(claim.bytes);
  } else {
    note_failure(status);
    strand(claim);
  }
  return status;
}

void DeviceState::strand(const Claim& claim) noexcept {
  const std::lock_guard lock(lock_);
  ledger_.strand(claim);
}

OwnerId DeviceState::intern_owner(std::string_view name) noexcept {
  if (!usable()) return 0;
  try {
    const std::lock_guard lock(lock_);
    return ledger_.owners().intern(name);
  } catch (const std::bad_alloc&) {
    return 0;
  }
}

void DeviceState::notice(std::string text) noexcept {
  if (options_.log != nullptr) options_.log->log(LogLevel::kWarning, text);
  try {
    const std::lock_guard lock(lock_);
    notices_.push_back(std::move(text));
  } catch (const std::bad_alloc&) {  // said in the log; a report lacks it
  }
}

}  // namespace berth::detail
