// Exit codes of the command, the same for every subcommand (docs/cli.md).
#pragma once

#include "berth/core/status.h"

namespace berth::cli {

inline constexpr int kExitGood = 0;
inline constexpr int kExitAnswerIsNo = 1;  // the work was done: differs, does not fit, a required device is unusable
inline constexpr int kExitUsage = 2;
inline constexpr int kExitInput = 3;   // a program, data, array or registry file
inline constexpr int kExitDevice = 4;  // a device or plugin failed, is full or is absent
inline constexpr int kExitInternal = 70;

// What a failure exits with; follows from its origin and code alone. Success is 0.
[[nodiscard]] int exit_code(const Status& status) noexcept;

}  // namespace berth::cli
