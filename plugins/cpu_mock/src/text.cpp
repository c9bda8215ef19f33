#include "text.h"

#include <array>
#include <berth/plugin_helper.hpp>
#include <charconv>
#include <limits>
#include <string>
#include <utility>

namespace berth::mock {
namespace {

struct Unit {
  std::string_view name;
  std::uint64_t factor;
};

// The number and what follows it; false if there is no number or it does not fit.
bool leading_number(std::string_view text, std::uint64_t& number, std::string_view& rest) {
  const char* const end = text.data() + text.size();
  const auto [stopped, problem] = std::from_chars(text.data(), end, number);
  if (problem != std::errc()) return false;
  rest = trim(std::string_view(stopped, static_cast<std::size_t>(end - stopped)));
  return true;
}

// A number with one of the units, multiplied out; false if it is not that or does not fit.
template <std::size_t N>
bool number_with_unit(std::string_view text, const std::array<Unit, N>& units, std::uint64_t& out) {
  std::uint64_t number = 0;
  std::string_view rest;
  if (!leading_number(trim(text), number, rest)) return false;
  for (const Unit& unit : units) {
    if (rest != unit.name) continue;
    if (number > std::numeric_limits<std::uint64_t>::max() / unit.factor) return false;
    out = number * unit.factor;
    return true;
  }
  return false;
}

constexpr std::array<Unit, 6> kSizes{
    {{"", 1}, {"B", 1}, {"KiB", 1ULL << 10}, {"MiB", 1ULL << 20}, {"GiB", 1ULL << 30}, {"TiB", 1ULL << 40}}};
constexpr std::array<Unit, 4> kDurations{{{"ns", 1}, {"us", 1'000}, {"ms", 1'000'000}, {"s", 1'000'000'000}}};

}  // namespace

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  if (trim(text).empty()) return parts;
  while (true) {
    const std::size_t at = text.find(separator);
    parts.push_back(trim(text.substr(0, at)));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

void refuse(std::string_view what, std::string_view text, std::string_view expected) {
  throw plugin::Failure(BERTH_INVALID_ARGUMENT,
                        std::string(what) + ": '" + std::string(text) + "' is not " + std::string(expected));
}

std::uint64_t parse_number(std::string_view text, std::string_view what) {
  std::uint64_t number = 0;
  std::string_view rest;
  if (!leading_number(trim(text), number, rest) || !rest.empty()) refuse(what, text, "a whole number");
  return number;
}

std::uint64_t parse_size(std::string_view text, std::string_view what) {
  std::uint64_t bytes = 0;
  if (!number_with_unit(text, kSizes, bytes)) refuse(what, text, "a size, such as 4096, 64KiB, 2MiB or 1GiB");
  return bytes;
}

std::chrono::nanoseconds parse_duration(std::string_view text, std::string_view what) {
  constexpr std::uint64_t kLongestNs = 3'600'000'000'000;
  std::uint64_t nanoseconds = 0;
  if (!number_with_unit(text, kDurations, nanoseconds) || nanoseconds > kLongestNs)
    refuse(what, text, "a duration up to an hour, such as 250ns, 10us, 5ms or 1s");
  return std::chrono::nanoseconds(nanoseconds);
}

}  // namespace berth::mock
