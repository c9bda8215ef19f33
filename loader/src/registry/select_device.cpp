#include "registry/select_device.h"

#include <algorithm>
#include <span>

#include "plugin/plugin_options.h"
#include "plugin/sha256.h"

namespace berth::loader::detail {
namespace {

std::string device_text(const DeviceDescription& device) {
  std::string text = std::to_string(device.ordinal) + ": " + device.name;
  if (!device.uuid.empty()) text += ", uuid " + device.uuid;
  if (!device.pci.empty()) text += ", pci " + device.pci;
  return text;
}

std::string list_devices(const std::vector<DeviceDescription>& devices) {
  std::string text;
  for (const DeviceDescription& device : devices) text += (text.empty() ? "" : "; ") + device_text(device);
  return text.empty() ? "none" : text;
}

// All devices that can be described. A broken one does not hide the others; if all are, the first failure.
Result<std::vector<DeviceDescription>> describe_all(const PluginInstance& instance, std::uint32_t count) {
  std::vector<DeviceDescription> devices;
  Status first;
  for (std::uint32_t i = 0; i < count; ++i) {
    auto device = instance.describe(i);
    if (device.has_value()) {
      devices.push_back(std::move(*device));
    } else if (first.ok()) {
      first = device.error();
    }
  }
  if (devices.empty()) return fail(first);
  return devices;
}

std::string digits_of(std::string uuid) {
  std::erase(uuid, '-');
  return uuid;
}

Result<DeviceDescription> by_ordinal(const PluginInstance& instance, const DeviceSelector& selector,
                                     std::uint32_t count) {
  if (*selector.ordinal < count) return instance.describe(*selector.ordinal);
  const auto devices = describe_all(instance, count);
  const std::string origin =
      selector.environment.empty() ? "" : " from the environment variable " + selector.environment;
  return fail({.code = Code::kNoDevice,
               .origin = Origin::kDevice,
               .where = instance.plugin().who(),
               .what = "there is no device of this ordinal",
               .expected = count == 1 ? "0" : "0 to " + std::to_string(count - 1),
               .found = std::to_string(*selector.ordinal) + origin,
               .next_step = "the devices are " + (devices.has_value() ? list_devices(*devices) : "not described")});
}

bool matches(const DeviceDescription& device, const DeviceSelector& selector) {
  if (selector.uuid) return digits_of(device.uuid).starts_with(*selector.uuid);
  return device.pci == *selector.pci;
}

}  // namespace

Result<DeviceDescription> select_device(const PluginInstance& instance, const DeviceSelector& selector) {
  BERTH_ASSIGN(const std::uint32_t count, instance.count());
  if (selector.ordinal) return by_ordinal(instance, selector, count);
  BERTH_ASSIGN(const std::vector<DeviceDescription> devices, describe_all(instance, count));
  std::vector<DeviceDescription> fitting;
  for (const DeviceDescription& device : devices) {
    if (matches(device, selector)) fitting.push_back(device);
  }
  if (fitting.size() == 1) return fitting.front();
  const bool several = !fitting.empty();
  const std::string wanted = selector.uuid ? "uuid " + *selector.uuid : "pci " + *selector.pci;
  return fail({.code = several ? Code::kInvalidConfig : Code::kNoDevice,
               .origin = several ? Origin::kRegistry : Origin::kDevice,
               .where = instance.plugin().who(),
               .what = several ? "several devices have this identity" : "no device has this identity",
               .expected = "one device of " + wanted,
               .found = list_devices(several ? fitting : devices),
               .next_step = several ? "write more of the UUID, or use pci or ordinal" : ""});
}

PhysicalIdentity identity_from(const DeviceDescription& description, const std::string& instance_key) {
  PhysicalIdentity identity;
  identity.name = description.name;
  identity.uuid = description.uuid;
  identity.pci = description.pci;
  identity.software = description.software;
  identity.integrated = description.integrated;
  if (description.pci_exact) {
    identity.key = "pci-" + description.pci;
  } else if (description.uuid_exact && !description.software) {
    identity.key = "uuid-" + description.uuid;
  } else {
    identity.key = instance_key + "-" + std::to_string(description.ordinal);
  }
  return identity;
}

std::string instance_key_of(const FileIdentity& file, const std::vector<PluginOption>& options) {
  const std::string text = canonical_text(options);
  constexpr std::size_t kHashDigits = 16;
  return "file-" + std::to_string(file.device) + "-" + std::to_string(file.inode) + "-" +
         sha256_hex(std::as_bytes(std::span(text))).substr(0, kHashDigits);
}

}  // namespace berth::loader::detail
