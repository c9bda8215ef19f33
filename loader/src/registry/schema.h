// Which keys a registry file can hold, and where: the one list behind checks and messages.
#pragma once

#include <string>
#include <vector>

namespace berth::loader::detail {

struct TableSchema {
  std::string name;  // as messages say it: "[host]"
  std::vector<std::string> keys;
};

[[nodiscard]] const TableSchema& top_schema();
[[nodiscard]] const TableSchema& plugins_schema();
[[nodiscard]] const TableSchema& host_schema();
[[nodiscard]] const TableSchema& plugin_schema();
[[nodiscard]] const TableSchema& device_schema();
[[nodiscard]] const TableSchema& ordinal_schema();
[[nodiscard]] const TableSchema& pool_schema();

// Names of all tables that have `key`, for keys in the wrong place.
[[nodiscard]] std::vector<std::string> tables_with(const std::string& key);

}  // namespace berth::loader::detail
