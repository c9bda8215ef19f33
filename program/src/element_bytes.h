// Sizes of element types, where a call for each tensor would be too slow.
#pragma once

#include <array>
#include <cstdint>

#include "berth/program/scalar_type.h"

namespace berth::program::detail {

// Indexed by the number of the type; 0 where there is no such type.
inline constexpr std::array<std::uint8_t, 32> kElementBytes = {1, 1, 2, 4, 8, 2, 4, 8, 0, 0, 0, 1, 1, 1, 4, 2,
                                                               1, 1, 0, 0, 0, 0, 2, 1, 1, 1, 1, 2, 4, 8, 0, 0};

inline std::uint32_t element_bytes(ScalarType type) {
  const auto number = static_cast<std::uint8_t>(type);
  return number < kElementBytes.size() ? kElementBytes[number] : 0;
}

}  // namespace berth::program::detail
