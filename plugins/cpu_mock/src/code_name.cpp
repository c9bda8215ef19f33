#include "code_name.h"

#include <array>
#include <utility>

namespace berth::mock {

std::optional<berth_code> code_named(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, berth_code>, 18> kCodes{{
      {"INVALID_ARGUMENT", BERTH_INVALID_ARGUMENT},
      {"NOT_UNDERSTOOD", BERTH_NOT_UNDERSTOOD},
      {"FAILED_PRECONDITION", BERTH_FAILED_PRECONDITION},
      {"UNSUPPORTED", BERTH_UNSUPPORTED},
      {"TIMEOUT", BERTH_TIMEOUT},
      {"OUT_OF_DEVICE_MEMORY", BERTH_OUT_OF_DEVICE_MEMORY},
      {"TOO_LARGE", BERTH_TOO_LARGE},
      {"TOO_MANY_ALLOCATIONS", BERTH_TOO_MANY_ALLOCATIONS},
      {"OUT_OF_HOST_MEMORY", BERTH_OUT_OF_HOST_MEMORY},
      {"OUT_OF_PINNED_MEMORY", BERTH_OUT_OF_PINNED_MEMORY},
      {"NO_DEVICE", BERTH_NO_DEVICE},
      {"DEPENDENCY_MISSING", BERTH_DEPENDENCY_MISSING},
      {"NO_PERMISSION", BERTH_NO_PERMISSION},
      {"DEVICE_LOST", BERTH_DEVICE_LOST},
      {"EARLIER_WORK", BERTH_EARLIER_WORK},
      {"DRIVER_FAILED", BERTH_DRIVER_FAILED},
      {"PLUGIN_FAULT", BERTH_PLUGIN_FAULT},
      {"VERSION_MISMATCH", BERTH_VERSION_MISMATCH},
  }};
  for (const auto& [known, code] : kCodes)
    if (known == name) return code;
  return std::nullopt;
}

}  // namespace berth::mock
