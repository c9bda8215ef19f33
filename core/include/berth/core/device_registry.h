// DeviceRegistry: finds a Device by id, or says why there is none. Devices open at their first find(), so a program
// that stays on the host runs beside a broken GPU plugin. A failed open is stored and handed out again until retry();
// so is a device that was lost (Device::lost): only the program knows when it is ready for a new one.
//
// The loader fills one from a registry file; engines without a file and tests fill one by add(). cpu:0 is built in.
// Thread rules: every function may be called from any thread at once; openers run one at a time, outside the registry's
// lock for look-ups of devices that are already open.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "berth/core/api.h"
#include "berth/core/device.h"
#include "berth/core/device_id.h"
#include "berth/core/result.h"

namespace berth {

class BERTH_API DeviceRegistry {
 public:
  using Opener = std::function<Result<std::shared_ptr<Device>>()>;
  struct LeakReport {
    DeviceId id;
    ServedBy served_by;
    std::vector<OwnerUsage> usage;
  };

  // `host` is the cpu:0 of this registry; null makes one without a limit.
  explicit DeviceRegistry(std::shared_ptr<Device> host = nullptr);
  ~DeviceRegistry();
  DeviceRegistry(const DeviceRegistry&) = delete;
  DeviceRegistry& operator=(const DeviceRegistry&) = delete;

  // A device that `opener` opens at the first find. kInvalidArgument: the id is cpu:0 or already there. `required`
  // tells open_all whether a failure counts.
  Status add(DeviceId id, Opener opener, bool required = true);
  // Names byte 2 and above of a program's device types; 0 is cpu and 1 is cuda.
  Status name_type(std::uint8_t program_type, std::string name);

  // The device, opened if need be. kNotFound (origin kDevice, lists the ids there are) when no entry has this id;
  // otherwise the stored failure of its opening. A lost device is handed out as any other until retry().
  [[nodiscard]] Result<std::shared_ptr<Device>> find(const DeviceId& id);
  [[nodiscard]] const std::shared_ptr<Device>& host() const noexcept { return host_; }
  // The device if it is open already; null otherwise. Opens nothing.
  [[nodiscard]] std::shared_ptr<Device> find_open(const DeviceId& id) const;
  // Forgets a stored failure, or lets go of a lost device, and opens again. OK when the device is open and was not
  // lost. All ids that the lost device served (fallbacks) let go of it, the others open again at their next find(). It
  // closes with its last Device, buffer, queue and event, in any order, beside the new one; what was on it is not
  // carried over. Other failures: those of the opening, then stored.
  Status retry(const DeviceId& id);
  // Opens everything; the failure of the first required device, if any. All are tried.
  Status open_all();
  // All ids in the order of add(), cpu:0 first.
  [[nodiscard]] std::vector<DeviceId> ids() const;

  // The type name of a program's device type byte; none when unknown.
  [[nodiscard]] std::optional<std::string> type_name(std::uint8_t program_type) const;

  // Devices that still hold memory, by owner. Empty when nothing is left.
  [[nodiscard]] std::vector<LeakReport> leaks() const;

 private:
  struct Entry;
  [[nodiscard]] Result<std::shared_ptr<Device>> open(Entry& entry, bool again);
  [[nodiscard]] Status not_found(const DeviceId& id) const;
  std::shared_ptr<Device> host_;
  struct Tables;
  std::unique_ptr<Tables> tables_;
};

}  // namespace berth
