#include "registry/schema.h"

#include <algorithm>

namespace berth::loader::detail {

const TableSchema& top_schema() {
  static const TableSchema schema{"the top level", {"version", "plugins", "host", "types", "plugin", "device"}};
  return schema;
}

const TableSchema& plugins_schema() {
  static const TableSchema schema{"[plugins]", {"path"}};
  return schema;
}

const TableSchema& host_schema() {
  static const TableSchema schema{"[host]", {"limit"}};
  return schema;
}

const TableSchema& plugin_schema() {
  static const TableSchema schema{"[[plugin]]", {"name", "file", "sha256", "options"}};
  return schema;
}

const TableSchema& device_schema() {
  static const TableSchema schema{"[[device]]",
                                  {"id", "plugin", "ordinal", "uuid", "pci", "policy", "fallback", "shared",
                                   "allow_software", "claim", "limit", "pool", "options"}};
  return schema;
}

const TableSchema& ordinal_schema() {
  static const TableSchema schema{"'ordinal' of [[device]]", {"env"}};
  return schema;
}

const TableSchema& pool_schema() {
  static const TableSchema schema{"'pool' of [[device]]", {"kind"}};
  return schema;
}

std::vector<std::string> tables_with(const std::string& key) {
  std::vector<std::string> names;
  for (const TableSchema* schema : {&top_schema(), &plugins_schema(), &host_schema(), &plugin_schema(),
                                    &device_schema(), &ordinal_schema(), &pool_schema()}) {
    if (std::ranges::find(schema->keys, key) != schema->keys.end()) names.push_back(schema->name);
  }
  return names;
}

}  // namespace berth::loader::detail
