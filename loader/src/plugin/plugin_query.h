// The handshake: berth_plugin_query asked, its answer checked against the contract and against the note.
#pragma once

#define BERTH_HOST
#include <berth/plugin.h>

#include <string>

#include "berth/loader/load_report.h"
#include "berth/loader/plugin_file.h"

namespace berth::loader::detail {

struct QueryAnswer {
  std::string name;
  std::string device_type;
  std::string version;
  std::string vendor;
  std::uint32_t abi_minor = 0;  // chosen
  std::uint32_t abi_minor_min = 0;
  std::uint32_t abi_minor_max = 0;
  std::uint32_t flags = 0;
  berth_table table{};
};

// Asks and checks. `out_stage` is version or table, the step that failed or was last done. Failures: what the plugin
// answered, kUnsupported (no version in common), kPluginFault with the rule.
[[nodiscard]] Result<QueryAnswer> ask_plugin(berth_plugin_query_function query, const PluginNote& note,
                                             LoadStage& out_stage);

}  // namespace berth::loader::detail
