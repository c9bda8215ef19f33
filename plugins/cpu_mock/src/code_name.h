// The codes of the ABI by name, as fault rules write them: "OUT_OF_DEVICE_MEMORY".
#pragma once

#include <berth/plugin.h>

#include <optional>
#include <string_view>

namespace berth::mock {

// A failure by its name without BERTH_; nothing for other names, OK and NOT_READY.
std::optional<berth_code> code_named(std::string_view name);

}  // namespace berth::mock
