// A value of a plugin option as the registry file writes it.
#pragma once

#include <string>
#include <vector>

#include "berth/loader/effective_config.h"

namespace berth::cli {

// "8", "true", "0.5", "\"text\"".
[[nodiscard]] std::string option_text(const loader::OptionValue& value);
// "{ devices = 2 }"; "none" when there are none.
[[nodiscard]] std::string options_text(const std::vector<loader::PluginOption>& options);
// "ordinal 0", "uuid 1a2b", "pci 0000:65:00.0", "ordinal 3 (from RANK)".
[[nodiscard]] std::string selector_text(const loader::DeviceSelector& selector);

}  // namespace berth::cli
