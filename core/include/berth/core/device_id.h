// DeviceId: what programs ask for, written "cuda:0" everywhere: a device type's name and an index.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "berth/core/api.h"
#include "berth/core/result.h"

namespace berth {

struct BERTH_API DeviceId {
  std::string type = "cpu";  // [a-z][a-z0-9_]*, at most 31 characters
  std::int32_t index = 0;    // >= 0

  // "cuda:0", or "cuda" for index 0. Lower case only. kInvalidArgument (usage) says what is wrong with the text.
  [[nodiscard]] static Result<DeviceId> parse(std::string_view text);

  // The built-in host device, cpu:0.
  [[nodiscard]] bool is_host() const noexcept { return index == 0 && type == "cpu"; }
  [[nodiscard]] std::string to_string() const;

  friend bool operator==(const DeviceId&, const DeviceId&) = default;
  // clang-tidy 14 takes the zero that a rewritten comparison compares with for a pointer.
  friend std::strong_ordering operator<=>(const DeviceId&, const DeviceId&) = default;  // NOLINT(modernize-use-nullptr)
};

}  // namespace berth

template <>
struct std::hash<berth::DeviceId> {
  std::size_t operator()(const berth::DeviceId& id) const noexcept {
    return std::hash<std::string_view>{}(id.type) * 31 + static_cast<std::size_t>(id.index);
  }
};
