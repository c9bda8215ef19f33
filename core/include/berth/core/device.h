// Device: one device that programs can ask for, with the checks, the budget and the bookkeeping that the host adds to
// what a driver does. Layers, each knowing only the one below: driver -> guard (is the driver's answer possible?) ->
// budget
// (`limit`) -> ledger (owner, generation, counters) -> DeviceBuffer.
//
// A Device is an id plus a counted reference to shared state: after a fallback two ids are served by the same state.
// Thread rules: every function may be called from any thread at once. In a forked child every call that would reach the
// driver answers kFailedPrecondition.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "berth/core/api.h"
#include "berth/core/device_id.h"
#include "berth/core/device_properties.h"
#include "berth/core/log.h"
#include "berth/core/memory_block.h"
#include "berth/core/native_handle.h"
#include "berth/core/owner.h"
#include "berth/core/result.h"
#include "berth/core/statistics.h"

namespace berth {

class DeviceDriver;
namespace detail {
class DeviceState;
}

struct DeviceOptions {
  DeviceId id;
  PhysicalIdentity identity;
  ServedBy served_by;
  std::optional<std::uint64_t> limit;  // bytes; none: only the driver's own limits
  bool is_host = false;                // the built-in cpu:0: addresses are host pointers
  std::shared_ptr<LogSink> log;        // for notices; null: nowhere
};

class BERTH_API Device {
 public:
  // Takes the driver over; it is closed when the last Device, DeviceBuffer, Queue and Event on it are gone. Null when
  // `driver` is.
  [[nodiscard]] static std::shared_ptr<Device> create(DeviceOptions options, std::unique_ptr<DeviceDriver> driver);
  // Keeps `keep_alive` (the plugin instance) until the driver is closed.
  [[nodiscard]] static std::shared_ptr<Device> create(DeviceOptions options, std::unique_ptr<DeviceDriver> driver,
                                                      std::shared_ptr<void> keep_alive);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  // The same state under another id, for fallbacks. `reason` says why, for reports.
  [[nodiscard]] std::shared_ptr<Device> alias(DeviceId id, std::string reason) const;

  [[nodiscard]] const DeviceId& id() const noexcept;
  [[nodiscard]] const PhysicalIdentity& identity() const noexcept;
  [[nodiscard]] const ServedBy& served_by() const noexcept;
  [[nodiscard]] const DeviceProperties& properties() const noexcept;
  [[nodiscard]] std::optional<std::uint64_t> limit() const noexcept;
  [[nodiscard]] bool is_host() const noexcept;
  // The same hardware (equal identity keys), whatever the ids.
  [[nodiscard]] bool same_hardware(const Device& other) const noexcept;
  // The same open device: buffers of one can be used with the other.
  [[nodiscard]] bool same_state(const Device& other) const noexcept;
  // Whether a call of the driver answered kDeviceLost: it stays so for this open device, while what is on it can be
  // given back as ever. A copy between two devices that answers so marks both, as the answer does not say which one it
  // is. DeviceRegistry::retry opens a new one.
  [[nodiscard]] bool lost() const noexcept;

  // The number of `name`, interned on first use; equal names have equal numbers. Never fails: out of memory gives 0.
  [[nodiscard]] OwnerId intern_owner(std::string_view name);

  // Memory of one heap as the driver says it; `used_by_this_instance` falls back to the host's own count. Unknown
  // values are absent.
  [[nodiscard]] Result<MemoryInfo> memory_info(std::uint32_t heap = 0) const;
  [[nodiscard]] DeviceStatistics statistics() const;
  // Live and stranded bytes by owner and part, largest first: what leaks are named by.
  [[nodiscard]] std::vector<OwnerUsage> usage() const;
  // Things that a person should know although the work went on, for reports: a peer pair that moves nothing, blocks
  // left behind. Each was also logged as a warning.
  [[nodiscard]] std::vector<std::string> notices() const;
  [[nodiscard]] Result<NativeHandle> native() const;

  // Raw entry for adapters that must hand out bare addresses. Prefer DeviceBuffer. The block belongs to the caller
  // until free_address; what is left when the device goes away is freed and noticed. Zero bytes give a block without an
  // address, which nobody frees. Errors as DeviceBuffer::allocate; kUnsupported when the kind has no addresses.
  [[nodiscard]] Result<MemoryBlock> allocate_address(const AllocationRequest& request, Owner owner = {});
  // kInvalidArgument, told apart by text: an address of nobody, one inside a block, one freed before.
  Status free_address(std::uint64_t address);

  [[nodiscard]] const std::shared_ptr<detail::DeviceState>& state() const noexcept { return state_; }

 private:
  Device(DeviceId id, ServedBy served_by, std::shared_ptr<detail::DeviceState> state);
  DeviceId id_;
  ServedBy served_by_;
  std::shared_ptr<detail::DeviceState> state_;
};

}  // namespace berth
