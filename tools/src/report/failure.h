// The report of a command that failed.
#pragma once

#include <ostream>
#include <string_view>

#include "berth/core/status.h"

namespace berth::cli {

// {"command": ..., "version": ..., "error": {...}}
void print_failure_json(std::ostream& out, std::string_view command, const Status& status);

}  // namespace berth::cli
