// A registry file as values with positions: what is left of TOML once it is parsed, so that only one file of ours sees
// the TOML library. Tables keep the order of the file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "berth/loader/option_value.h"

namespace berth::loader::detail {

struct ConfigMember;

struct ConfigValue {
  enum class Kind : std::uint8_t { kBool, kInteger, kDouble, kString, kDate, kArray, kTable };

  Kind kind = Kind::kTable;
  SourcePosition position;
  OptionValue scalar;                 // for the first four kinds
  std::vector<ConfigValue> items;     // kArray
  std::vector<ConfigMember> members;  // kTable

  // The member of that name; null when there is none or this is no table.
  [[nodiscard]] const ConfigMember* find(std::string_view key) const noexcept;
};

struct ConfigMember {
  std::string key;
  SourcePosition position;  // of the key
  ConfigValue value;
};

// "a string", "a table", ... as messages say it.
[[nodiscard]] const char* kind_text(ConfigValue::Kind kind) noexcept;

}  // namespace berth::loader::detail
