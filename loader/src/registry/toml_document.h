// TOML text -> ConfigValue. The only place that includes the TOML library.
#pragma once

#include <string>
#include <string_view>

#include "berth/core/result.h"
#include "registry/config_value.h"

namespace berth::loader::detail {

// `file` is for messages alone. kInvalidConfig with file:line:column when the text is no TOML (which includes a key
// given twice).
[[nodiscard]] Result<ConfigValue> parse_toml(std::string_view text, const std::string& file);

}  // namespace berth::loader::detail
