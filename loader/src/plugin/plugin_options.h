// Options of a registry file in the form that the plugin ABI takes, and refusals of them back in the form of the file.
#pragma once

#define BERTH_HOST
#include <berth/plugin.h>

#include <string>
#include <vector>

#include "berth/loader/option_value.h"
#include "plugin/plugin_call.h"

namespace berth::loader::detail {

// Borrows the strings of `options`.
[[nodiscard]] std::vector<berth_option> to_abi(const std::vector<PluginOption>& options);

// One text for equal sets of options, whatever their order.
[[nodiscard]] std::string canonical_text(const std::vector<PluginOption>& options);

// A failure with an option at fault is a mistake in the registry file `file`, at the option's place; others stay as
// they are.
[[nodiscard]] Status blame_option(const PluginFailure& failure, const std::vector<PluginOption>& options,
                                  const std::string& file);

}  // namespace berth::loader::detail
