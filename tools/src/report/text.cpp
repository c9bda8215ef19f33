#include "report/text.h"

#include <array>
#include <cstdio>

namespace berth::cli {
namespace {

// How a ServedBy's reason starts when the entry asked for failed.
constexpr std::string_view kFallback = "fallback: ";

// `value` with at most one decimal, none when it is whole.
std::string short_decimal(double value) {
  std::array<char, 32> text = {};
  std::snprintf(text.data(), text.size(), "%.1f", value);
  std::string result(text.data());
  if (result.size() > 2 && result.compare(result.size() - 2, 2, ".0") == 0) result.resize(result.size() - 2);
  return result;
}

}  // namespace

std::string bytes_text(std::uint64_t bytes) {
  static constexpr std::array<const char*, 7> kUnits = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  return short_decimal(value) + " " + kUnits[unit];
}

std::string bytes_text(const std::optional<std::uint64_t>& bytes) {
  return bytes.has_value() ? bytes_text(*bytes) : "unknown";
}

std::string duration_text(std::uint64_t nanoseconds) {
  const auto value = static_cast<double>(nanoseconds);
  if (nanoseconds < 1'000) return std::to_string(nanoseconds) + " ns";
  if (nanoseconds < 1'000'000) return short_decimal(value / 1e3) + " us";
  if (nanoseconds < 1'000'000'000) return short_decimal(value / 1e6) + " ms";
  return short_decimal(value / 1e9) + " s";
}

std::string list_text(const std::vector<std::string>& items, std::string_view separator) {
  if (items.empty()) return "none";
  std::string text;
  for (const std::string& item : items) {
    if (!text.empty()) text += separator;
    text += item;
  }
  return text;
}

std::string count_text(std::uint64_t count, std::string_view one, std::string_view many) {
  return std::to_string(count) + " " += count == 1 ? one : many;
}

bool is_fallback(std::string_view reason) noexcept { return reason.substr(0, kFallback.size()) == kFallback; }

std::string fallback_text(const std::string& id, const std::string& entry, std::string_view reason) {
  if (is_fallback(reason)) reason.remove_prefix(kFallback.size());
  return id + " falls back to " + entry + ": " += reason;
}

std::string number_text(double number) {
  std::array<char, 32> text = {};
  std::snprintf(text.data(), text.size(), "%.6g", number);
  return text.data();
}

}  // namespace berth::cli
