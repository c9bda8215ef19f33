// How places and choices are written in messages about a registry file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "berth/loader/option_value.h"

namespace berth::loader::detail {

// "/etc/berth/devices.toml:12:3"; the file alone when the position is unknown.
[[nodiscard]] std::string place_text(const std::string& file, SourcePosition position);

// "a, b and c", "a, b or c"; "none" for an empty list.
[[nodiscard]] std::string list_text(const std::vector<std::string>& items, std::string_view last_word);

// The item that `text` is most likely a misspelling of; empty when none is near.
[[nodiscard]] std::string nearest(std::string_view text, const std::vector<std::string>& items);

// "write 'policy'" for the nearest item; empty when none is near.
[[nodiscard]] std::string nearest_step(std::string_view text, const std::vector<std::string>& items);

}  // namespace berth::loader::detail
