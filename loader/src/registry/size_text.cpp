#include "registry/size_text.h"

#include <array>
#include <charconv>
#include <utility>

namespace berth::loader::detail {
namespace {

constexpr std::array<std::pair<std::string_view, unsigned>, 5> kUnits = {
    {{"B", 0}, {"KiB", 10}, {"MiB", 20}, {"GiB", 30}, {"TiB", 40}}};

// The unit that was probably meant by "GB", "gib", "G".
std::string unit_hint(std::string_view unit) {
  if (unit.empty()) return "add a unit";
  const char letter = static_cast<char>(unit.front() & ~0x20);
  for (const auto& [name, shift] : kUnits) {
    if (name.front() == letter) return "write " + std::string(name);
  }
  return {};
}

}  // namespace

std::optional<std::uint64_t> parse_size(std::string_view text, std::string& out_hint) {
  out_hint.clear();
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc::result_out_of_range) out_hint = "the largest size is 16777215TiB";
  if (error != std::errc()) return std::nullopt;
  std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  while (!unit.empty() && unit.front() == ' ') unit.remove_prefix(1);
  for (const auto& [name, shift] : kUnits) {
    if (unit != name) continue;
    if (number <= (UINT64_MAX >> shift)) return number << shift;
    out_hint = "the largest size is 16777215TiB";
    return std::nullopt;
  }
  out_hint = unit_hint(unit);
  return std::nullopt;
}

}  // namespace berth::loader::detail
