// The function table of a plugin: checked once, then copied in full size, so that calls need no further checks.
#pragma once

#define BERTH_HOST
#include <berth/plugin.h>

#include <string>
#include <vector>

#include "berth/core/result.h"
#include "berth/loader/plugin_file.h"

namespace berth::loader::detail {

// Checks that every required group is there, and every group whole. The copy has null for absent groups. kPluginFault
// names each missing function and the rule.
[[nodiscard]] Result<berth_table> check_table(const berth_table* table, const std::string& who);

// All groups that this version knows, in the order of the table.
[[nodiscard]] std::vector<PluginGroup> list_groups(const berth_table& table);

}  // namespace berth::loader::detail
