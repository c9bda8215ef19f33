#include "plugin/identity_text.h"

#include <charconv>
#include <vector>

namespace berth::loader::detail {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

// `text` as a hex number of at most `digits` digits.
std::optional<std::uint32_t> hex_number(std::string_view text, std::size_t digits) {
  std::uint32_t number = 0;
  if (text.empty() || text.size() > digits) return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, 16);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string hex_text(std::uint32_t number, std::size_t digits) {
  std::string text(digits, '0');
  for (std::size_t i = digits; i-- > 0; number >>= 4) text[i] = kHexDigits[number & 15];
  return text;
}

}  // namespace

std::optional<std::string> parse_uuid_prefix(std::string_view text) {
  constexpr std::size_t kDigits = 32;
  if (text.size() >= 2 && text.front() == '{' && text.back() == '}') text = text.substr(1, text.size() - 2);
  std::string lower;
  for (char c : text) lower += to_lower(c);
  std::string_view rest = lower;
  for (std::string_view lead : {"urn:uuid:", "gpu-", "uuid-"}) {
    if (rest.starts_with(lead)) rest.remove_prefix(lead.size());
  }
  std::string digits;
  for (char c : rest) {
    if (c == '-') continue;
    if (kHexDigits.find(c) == std::string_view::npos) return std::nullopt;
    digits += c;
  }
  if (digits.empty() || digits.size() > kDigits) return std::nullopt;
  return digits;
}

std::string uuid_text(std::span<const std::uint8_t, 16> bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += hex_text(bytes[i], 2);
  }
  return text;
}

std::optional<std::string> parse_pci(std::string_view text) {
  const std::size_t dot = text.rfind('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const auto function = hex_number(text.substr(dot + 1), 1);
  std::vector<std::string_view> parts;
  std::string_view rest = text.substr(0, dot);
  for (std::size_t colon = rest.find(':'); colon != std::string_view::npos; colon = rest.find(':')) {
    parts.push_back(rest.substr(0, colon));
    rest.remove_prefix(colon + 1);
  }
  parts.push_back(rest);
  if (parts.size() < 2 || parts.size() > 3) return std::nullopt;
  const auto domain = parts.size() == 3 ? hex_number(parts.front(), 8) : std::optional<std::uint32_t>(0);
  const auto bus = hex_number(parts[parts.size() - 2], 2);
  const auto slot = hex_number(parts.back(), 2);
  if (!domain || !bus || !slot || !function || *slot > 31 || *function > 7) return std::nullopt;
  const std::size_t domain_digits = *domain > 0xffff ? 8 : 4;
  return hex_text(*domain, domain_digits) + ":" + hex_text(*bus, 2) + ":" + hex_text(*slot, 2) + "." +
         hex_text(*function, 1);
}

}  // namespace berth::loader::detail
