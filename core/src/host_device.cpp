#include "berth/core/host_device.h"

#include "host_driver.h"

namespace berth {

std::shared_ptr<Device> make_host_device(std::optional<std::uint64_t> limit) {
  DeviceOptions options;
  options.identity = {.key = "host", .name = "host memory"};
  options.served_by = {.plugin = "host", .entry = "cpu:0", .reason = "built in"};
  options.limit = limit;
  options.is_host = true;
  return Device::create(std::move(options), std::make_unique<detail::HostDriver>());
}

}  // namespace berth
