// Which of a plugin's devices an entry means, and which hardware that is.
#pragma once

#include <string>

#include "berth/core/device_properties.h"
#include "berth/core/result.h"
#include "berth/loader/effective_config.h"
#include "plugin/plugin_instance.h"

namespace berth::loader::detail {

// The device that `selector` names. Failures list what there is: kNoDevice (no device fits), kInvalidConfig (several
// fit); else what the plugin answers.
[[nodiscard]] Result<DeviceDescription> select_device(const PluginInstance& instance, const DeviceSelector& selector);

// PCI address, else UUID unless software, each only where it is exact; else `instance_key` and the ordinal.
[[nodiscard]] PhysicalIdentity identity_from(const DeviceDescription& description, const std::string& instance_key);

// File and instance options: what makes two instances one.
[[nodiscard]] std::string instance_key_of(const FileIdentity& file, const std::vector<PluginOption>& options);

}  // namespace berth::loader::detail
