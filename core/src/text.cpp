#include "text.h"

#include <charconv>

namespace berth::detail {

std::string hex_text(std::uint64_t value) {
  char digits[16];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value, 16);
  return "0x" + std::string(digits, end);
}

}  // namespace berth::detail
