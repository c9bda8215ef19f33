// Properties, kinds and heaps of an open device, read once and checked.
#pragma once

#define BERTH_HOST
#include <berth/plugin.h>

#include <string>

#include "berth/core/device_properties.h"
#include "berth/core/result.h"

namespace berth::loader::detail {

// kPluginFault with the rule for figures that cannot be; otherwise what the plugin answers. The capability kNative is
// left to the caller.
[[nodiscard]] Result<DeviceProperties> read_properties(const berth_table& table, berth_device* device,
                                                       const std::string& who);

}  // namespace berth::loader::detail
