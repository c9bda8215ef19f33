// JSON pieces that all reports share. Shapes are documented in docs/cli.md, and a test compares them with it.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

#include "berth/core/status.h"
#include "berth/loader/effective_config.h"

namespace berth::cli {

// Keys stay in the order in which they are added.
using Json = nlohmann::ordered_json;

// null when there is no value.
[[nodiscard]] Json json_of(const std::optional<std::uint64_t>& number);
// null when the text is empty.
[[nodiscard]] Json json_text(std::string_view text);
// null on success; otherwise code, origin, message and its parts.
[[nodiscard]] Json json_of(const Status& status);
[[nodiscard]] Json json_of(const loader::ConfigSource& source);
// What every report starts with: command, version of Berth.
[[nodiscard]] Json json_head(std::string_view command);
// One object, indented, with a newline; bytes that are not UTF-8 are replaced.
void print_json(std::ostream& out, const Json& json);

}  // namespace berth::cli
