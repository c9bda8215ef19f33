// Text that comes from plugins and files, made fit for messages and JSON.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace berth::loader::detail {

// `text` as one line of valid UTF-8: control characters become spaces, bytes that are no UTF-8 become '?'.
[[nodiscard]] std::string clean_text(std::string_view text);

// The text in a fixed array of a struct, cleaned; none when it has no end.
[[nodiscard]] std::optional<std::string> text_in(const char* array, std::size_t capacity);

}  // namespace berth::loader::detail
