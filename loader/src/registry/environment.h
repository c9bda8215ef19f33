// The world outside as load_registry sees it: environment, privileges, and where this library is installed.
#pragma once

#include <string>
#include <vector>

#include "berth/core/result.h"
#include "berth/loader/effective_config.h"
#include "berth/loader/registry_options.h"

namespace berth::loader::detail {

// What `options` says, else AT_SECURE.
[[nodiscard]] bool is_privileged(const RegistryOptions& options);

// The variables of `options` or of the process; always none when privileged.
[[nodiscard]] EnvironmentLookup environment_of(const RegistryOptions& options);

// Folders where plugins are installed with this library, the likeliest first.
[[nodiscard]] std::vector<std::string> install_folders(const RegistryOptions& options);

// The packaged registry file as candidates, the likeliest first.
[[nodiscard]] std::vector<std::string> packaged_configs(const RegistryOptions& options);

// The folders to look for plugin files in: those of the file, then BERTH_PLUGIN_PATH, then the install folders.
// Relative folders of BERTH_PLUGIN_PATH are left out, each with a line in `out_warnings`.
[[nodiscard]] std::vector<SearchFolder> search_folders(std::vector<SearchFolder> of_file,
                                                       const RegistryOptions& options,
                                                       std::vector<std::string>& out_warnings);

}  // namespace berth::loader::detail
