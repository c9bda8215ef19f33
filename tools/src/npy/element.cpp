#include "npy/element.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "report/text.h"

namespace berth::cli {
namespace {

template <typename T>
T load(const std::byte* bytes) noexcept {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

double half_number(std::uint16_t bits) noexcept {
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  const int exponent = bits >> 10 & 0x1F;
  const int fraction = bits & 0x3FF;
  if (exponent == 0x1F) {
    return fraction == 0 ? sign * std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  }
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(fraction | 0x400, exponent - 25);
}

double bfloat16_number(std::uint16_t bits) noexcept { return std::bit_cast<float>(std::uint32_t{bits} << 16); }

std::string hexadecimal(const std::byte* bytes, std::size_t size) {
  static constexpr std::array<char, 17> kDigits = {"0123456789abcdef"};
  std::string text = "0x";
  for (std::size_t i = size; i-- > 0;) {
    const auto value = std::to_integer<unsigned>(bytes[i]);
    text += kDigits[value >> 4];
    text += kDigits[value & 15];
  }
  return text;
}

}  // namespace

Element element_at(program::ScalarType type, const std::byte* bytes) {
  using program::ScalarType;
  switch (type) {
    case ScalarType::kByte:
      return std::uint64_t{load<std::uint8_t>(bytes)};
    case ScalarType::kChar:
      return std::int64_t{load<std::int8_t>(bytes)};
    case ScalarType::kShort:
      return std::int64_t{load<std::int16_t>(bytes)};
    case ScalarType::kInt:
      return std::int64_t{load<std::int32_t>(bytes)};
    case ScalarType::kLong:
      return load<std::int64_t>(bytes);
    case ScalarType::kUInt16:
      return std::uint64_t{load<std::uint16_t>(bytes)};
    case ScalarType::kUInt32:
      return std::uint64_t{load<std::uint32_t>(bytes)};
    case ScalarType::kUInt64:
      return load<std::uint64_t>(bytes);
    case ScalarType::kBool:
      return load<std::uint8_t>(bytes) != 0;
    case ScalarType::kHalf:
      return half_number(load<std::uint16_t>(bytes));
    case ScalarType::kBFloat16:
      return bfloat16_number(load<std::uint16_t>(bytes));
    case ScalarType::kFloat:
      return double{load<float>(bytes)};
    case ScalarType::kDouble:
      return load<double>(bytes);
    default:
      return hexadecimal(bytes, program::element_size(type));
  }
}

std::optional<double> element_number(const Element& element) {
  return std::visit(
      [](const auto& value) -> std::optional<double> {
        if constexpr (std::is_arithmetic_v<std::decay_t<decltype(value)>>) return static_cast<double>(value);
        return std::nullopt;
      },
      element);
}

std::string element_text(const Element& element) {
  return std::visit(
      [](const auto& value) -> std::string {
        using Value = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, bool>) {
          return value ? "true" : "false";
        } else if constexpr (std::is_same_v<Value, double>) {
          return number_text(value);
        } else if constexpr (std::is_same_v<Value, std::string>) {
          return value;
        } else {
          return std::to_string(value);
        }
      },
      element);
}

bool is_floating(program::ScalarType type) noexcept {
  using program::ScalarType;
  return type == ScalarType::kHalf || type == ScalarType::kBFloat16 || type == ScalarType::kFloat ||
         type == ScalarType::kDouble;
}

}  // namespace berth::cli
