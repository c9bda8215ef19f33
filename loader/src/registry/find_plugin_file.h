// From a plugin entry to a file that may be opened.
#pragma once

#include <string>
#include <vector>

#include "berth/core/result.h"
#include "berth/loader/effective_config.h"
#include "berth/loader/load_report.h"
#include "plugin/checked_file.h"

namespace berth::loader::detail {

// Paths where `entry` may be, in order: its own path, or libberth_<name>.so in each folder.
[[nodiscard]] std::vector<std::string> candidate_paths(const PluginEntry& entry,
                                                       const std::vector<SearchFolder>& folders,
                                                       const std::string& config_file);

// The first candidate that passes check_file. A broken one does not hide a good one behind it. Adds a record for each
// candidate looked at. The failure is that of the first candidate that is there, else kNotFound; `out_stage` says how
// far the best of them came.
[[nodiscard]] Result<CheckedFile> find_plugin_file(const PluginEntry& entry, const EffectiveConfig& config,
                                                   std::vector<LoadRecord>& records, LoadStage& out_stage);

}  // namespace berth::loader::detail
