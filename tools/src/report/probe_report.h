// What `berth probe` says about a plugin file.
#pragma once

#include <optional>
#include <ostream>

#include "berth/loader/plugin_file.h"
#include "report/style.h"

namespace berth::cli {

struct ProbeReport {
  loader::PluginFileInfo file;
  std::optional<loader::PluginQueryInfo> query;  // with --run, when the file could be opened and asked
  Status query_failure;                          // with --run, otherwise
};

void print_text(std::ostream& out, const ProbeReport& report, const Style& style);
void print_json(std::ostream& out, const ProbeReport& report);

}  // namespace berth::cli
