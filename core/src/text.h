// Numbers as they are written in messages.
#pragma once

#include <cstdint>
#include <string>

namespace berth::detail {

// "1 byte", "64 bytes".
[[nodiscard]] inline std::string bytes_text(std::uint64_t bytes) {
  return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

// "0x1f00".
[[nodiscard]] std::string hex_text(std::uint64_t value);

}  // namespace berth::detail
