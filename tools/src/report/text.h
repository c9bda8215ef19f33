// Small pieces of text that all reports share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace berth::cli {

// "48 B", "10.1 KiB", "1 GiB": at most three digits and a unit.
[[nodiscard]] std::string bytes_text(std::uint64_t bytes);
// The same; "unknown" when there is no value.
[[nodiscard]] std::string bytes_text(const std::optional<std::uint64_t>& bytes);
// "3 ns", "4.1 us", "12.5 ms", "1.2 s".
[[nodiscard]] std::string duration_text(std::uint64_t nanoseconds);
// "a, b, c"; "none" when empty.
[[nodiscard]] std::string list_text(const std::vector<std::string>& items, std::string_view separator = ", ");
// "1 copy", "2 copies".
[[nodiscard]] std::string count_text(std::uint64_t count, std::string_view one, std::string_view many);
// Whether a device's reason (ServedBy) is that the entry asked for failed.
[[nodiscard]] bool is_fallback(std::string_view reason) noexcept;
// "cuda:0 falls back to mock:0: <why>". `reason` is what a device's ServedBy says.
[[nodiscard]] std::string fallback_text(const std::string& id, const std::string& entry, std::string_view reason);
// A number that reads back as the same number where %.6g does, as people write it: "1", "0.5", "1e-05", "nan".
[[nodiscard]] std::string number_text(double number);

}  // namespace berth::cli
