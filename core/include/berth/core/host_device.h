// The built-in cpu:0: the process's own memory behind the same interface as every other device.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "berth/core/api.h"
#include "berth/core/device.h"

namespace berth {

// A new cpu:0 whose allocations together stay within `limit` bytes (none: unlimited). Absurd sizes are kOutOfHostMemory
// or kLimitExceeded, never an exception. Memory is aligned as asked (at least 64) and uninitialised.
[[nodiscard]] BERTH_API std::shared_ptr<Device> make_host_device(std::optional<std::uint64_t> limit = std::nullopt);

}  // namespace berth
