// Devices as programs write them, with the names that people know.
#pragma once

#include <string>

#include "berth/core/device_id.h"
#include "berth/core/device_registry.h"
#include "berth/program/method_plan.h"

namespace berth::cli {

// "cuda:0". Types that neither the program format nor `registry` (may be null) names are "type2:0".
[[nodiscard]] DeviceId device_id_of(program::ProgramDevice device, const DeviceRegistry* registry);
[[nodiscard]] std::string device_name(program::ProgramDevice device, const DeviceRegistry* registry);

}  // namespace berth::cli
