// The version of the library that is running, which may differ from the headers that a program was built with.
#pragma once

#include "berth/core/api.h"

namespace berth {

// "major.minor.patch", for example "0.1.0"; a constant that never goes away.
[[nodiscard]] BERTH_API const char* version() noexcept;

}  // namespace berth
