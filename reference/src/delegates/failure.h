// Failures of delegates: the program is at fault.
#pragma once

#include <string>
#include <utility>

#include "berth/core/status.h"

namespace berth::reference::detail {

[[nodiscard]] inline Status program_fault(std::string what, std::string expected, std::string found) {
  return Status({.code = Code::kInvalidProgram,
                 .origin = Origin::kInput,
                 .what = std::move(what),
                 .expected = std::move(expected),
                 .found = std::move(found)});
}

}  // namespace berth::reference::detail
