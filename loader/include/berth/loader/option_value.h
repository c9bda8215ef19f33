// Options that a registry file passes on to a plugin: `options` of [[plugin]] and of [[device]].
#pragma once

#include <cstdint>
#include <string>
#include <variant>

namespace berth::loader {

// A place in a registry file, one-based; 0 means unknown.
struct SourcePosition {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

// The four types that the plugin ABI knows. TOML arrays, tables, dates and times are refused on reading.
using OptionValue = std::variant<bool, std::int64_t, double, std::string>;

struct PluginOption {
  std::string key;
  OptionValue value;
  SourcePosition position = {};  // of the key; the plugin's refusal is reported there
};

}  // namespace berth::loader
