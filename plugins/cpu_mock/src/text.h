// Reading the small grammars of the mock's options: lists, numbers, sizes and durations.
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>
#include <vector>

namespace berth::mock {

// Without blanks at both ends.
std::string_view trim(std::string_view text);

// The trimmed parts between separators; none for blank text.
std::vector<std::string_view> split(std::string_view text, char separator);

// Whole decimal numbers, no sign. Throws plugin::Failure INVALID_ARGUMENT naming `what`.
std::uint64_t parse_number(std::string_view text, std::string_view what);

// "4096", "64KiB", "2GiB": bytes. Throws plugin::Failure INVALID_ARGUMENT naming `what`.
std::uint64_t parse_size(std::string_view text, std::string_view what);

// "250ns", "10us", "5ms", "1s". Throws plugin::Failure INVALID_ARGUMENT naming `what`.
std::chrono::nanoseconds parse_duration(std::string_view text, std::string_view what);

// Throws plugin::Failure INVALID_ARGUMENT "what: 'text' is not ...".
[[noreturn]] void refuse(std::string_view what, std::string_view text, std::string_view expected);

}  // namespace berth::mock
