// Sizes in registry files: a whole number and a unit, "8GiB".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace berth::loader::detail {

// What parse_size expects, for messages.
inline constexpr const char* kSizeExpected = "a whole number and one of B, KiB, MiB, GiB and TiB, such as \"8GiB\"";

// Bytes; spaces between number and unit are allowed. None when `text` is no size or does not fit into 64 bits; then
// `out_hint` says how to put it right, if that is clear.
[[nodiscard]] std::optional<std::uint64_t> parse_size(std::string_view text, std::string& out_hint);

}  // namespace berth::loader::detail
