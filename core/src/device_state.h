// DeviceState: what all Devices, buffers, queues and events of one open device share: the driver, the guard over it,
// the budget, and the ledger.
//
// One lock covers guard and ledger, with plain integers under it; the driver is called outside that lock. Order on the
// way in: budget (reserve) -> driver -> lock { guard, ledger }. On the way out: lock { ledger forgets the block } ->
// driver -> budget. Forgetting comes first because the driver may give the same handle to another thread as soon as it
// has taken it back. The budget is an atomic of its own, touched only on devices that have a limit, so that the path
// without a limit takes the lock once for each call.
//
// Thread rules: every function may be called from any thread at once.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "berth/core/device.h"
#include "berth/core/device_driver.h"
#include "ledger.h"
#include "peer_table.h"
#include "process_epoch.h"
#include "spin_lock.h"

namespace berth::detail {

class DeviceState {
 public:
  DeviceState(DeviceOptions options, std::unique_ptr<DeviceDriver> driver, std::shared_ptr<void> keep_alive);
  ~DeviceState();
  DeviceState(const DeviceState&) = delete;
  DeviceState& operator=(const DeviceState&) = delete;

  [[nodiscard]] const DeviceOptions& options() const noexcept { return options_; }
  [[nodiscard]] const DeviceProperties& properties() const noexcept { return *properties_; }
  [[nodiscard]] DeviceDriver& driver() const noexcept { return *driver_; }
  [[nodiscard]] std::uint64_t serial() const noexcept { return serial_; }  // never used twice in a process
  [[nodiscard]] PeerTable& peers() noexcept { return peers_; }

  // Whether the driver may still be called: not in a forked child, not once the process exits.
  [[nodiscard]] bool usable() const noexcept { return epoch_ == current_epoch(); }
  // kFailedPrecondition with the reason when it may not.
  [[nodiscard]] Status check_usable(const DeviceId& id) const;
  // Whether the driver answered kDeviceLost to a call.
  [[nodiscard]] bool lost() const noexcept { return lost_.load(std::memory_order_relaxed); }
  // Takes note of what a failure of the driver says about the device. Every failure must come by here.
  void note_failure(const Status& failure) const noexcept {
    if (failure.code() == Code::kDeviceLost) lost_.store(true, std::memory_order_relaxed);
  }
  // A failure of the driver as callers see it: noted, seen from `where`, and with the way out of a loss.
  [[nodiscard]] Status failed(const DeviceId& id, const Status& failure, const std::string& where) const;
  // "cuda:0 (plugin cpu_mock)", for messages.
  [[nodiscard]] std::string label(const DeviceId& id) const;

  // On failure `out` is unspecified. Errors as DeviceBuffer::allocate.
  Status allocate(const DeviceId& id, const AllocationRequest& request, Owner owner, Entry entry, MemoryBlock& out,
                  std::uint32_t& out_slot);
  // What allocate gave. The driver's own answer, not yet decorated: destructors drop it.
  Status free(const DeviceId& id, std::uint32_t slot, const MemoryBlock& block, std::uint64_t bytes) noexcept;
  Status free_address(const DeviceId& id, std::uint64_t address);

  OwnerId intern_owner(std::string_view name) noexcept;
  [[nodiscard]] DeviceStatistics statistics() const;
  [[nodiscard]] std::vector<OwnerUsage> usage() const;
  [[nodiscard]] Result<MemoryInfo> memory_info(const DeviceId& id, std::uint32_t heap) const;

  // A thing that a person should know although the work went on, logged and kept for reports.
  void notice(std::string text) noexcept;
  [[nodiscard]] std::vector<std::string> notices() const;

 private:
  Status check_request(const DeviceId& id, const AllocationRequest& request) const;
  Status allocate_nothing(const DeviceId& id, const AllocationRequest& request, Owner owner, Entry entry,
                          MemoryBlock& out, std::uint32_t& out_slot);
  // The ledger would not take `block`, which the driver gave: says why, and gets rid of the block.
  Status refuse_entry(const DeviceId& id, const Claim& claim, Ledger::Verdict verdict, std::uint32_t other_slot);
  Status refuse_block(const DeviceId& id, const Claim& claim, ErrorInfo fault);
  // Gives an impossible block back where that is safe, else strands it, and says what is wrong with it.
  Status refuse(const DeviceId& id, const Claim& claim, bool give_back, ErrorInfo fault);
  Status free_at_driver(const Claim& claim) noexcept;
  void strand(const Claim& claim) noexcept;
  [[nodiscard]] bool reserve(std::uint64_t bytes) noexcept;
  void unreserve(std::uint64_t bytes) noexcept;
  Status limit_exceeded(const DeviceId& id, std::uint64_t bytes) const;
  void count_failure(OwnerId owner) noexcept;
  void free_leftovers() noexcept;
  [[nodiscard]] std::uint64_t host_count_of_heap(std::uint32_t heap) const;

  const DeviceOptions options_;
  const std::uint32_t epoch_;
  const std::uint64_t serial_;
  std::shared_ptr<void> keep_alive_;  // outlives the driver
  std::unique_ptr<DeviceDriver> driver_;
  const DeviceProperties* const properties_;

  mutable std::atomic<bool> lost_{false};
  std::atomic<std::uint64_t> charged_{0};  // bytes against the limit
  std::atomic<std::uint64_t> empty_handles_{0};
  mutable SpinLock lock_;
  Ledger ledger_;                     // under lock_
  std::vector<std::string> notices_;  // under lock_
  PeerTable peers_;
};

}  // namespace berth::detail
