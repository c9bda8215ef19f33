// The text of compile spec "target_device", taken apart without allocating anything.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "berth/program/method_plan.h"

namespace berth::program::detail {

struct TargetText {
  std::string_view text;   // as it stands in the file
  std::string_view type;   // trimmed, in the file's case
  std::int32_t index = 0;  // 0 to 127
  bool valid = false;

  // The device as tensors are tagged for it; none when the type has no built-in name.
  [[nodiscard]] std::optional<ProgramDevice> program_device() const;
};

// None when the delegate has no such spec.
[[nodiscard]] std::optional<TargetText> target_text(const DelegatePlan& delegate);

}  // namespace berth::program::detail
