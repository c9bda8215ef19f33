#include <filesystem>

#include "berth/loader/load_registry.h"
#include "registry/environment.h"
#include "registry/source_text.h"

namespace berth::loader {
namespace {

namespace fs = std::filesystem;

std::string absolute(const std::string& path) {
  std::error_code error;
  const fs::path full = fs::absolute(path, error);
  return error ? path : full.lexically_normal().string();
}

}  // namespace

Result<ConfigSource> choose_config(const RegistryOptions& options) {
  if (!options.path.empty()) return ConfigSource{absolute(options.path), "given by the caller"};
  const bool privileged = detail::is_privileged(options);
  const auto variable = detail::environment_of(options)("BERTH_CONFIG");
  if (variable && !variable->empty()) return ConfigSource{absolute(*variable), "named by BERTH_CONFIG"};

  const std::string why = privileged ? "BERTH_CONFIG is ignored in a privileged process"
                          : variable ? "BERTH_CONFIG is empty"
                                     : "BERTH_CONFIG is not set";
  const std::vector<std::string> candidates = detail::packaged_configs(options);
  for (const std::string& candidate : candidates) {
    std::error_code error;
    if (fs::exists(candidate, error)) return ConfigSource{candidate, "the packaged file, as " + why};
  }
  return fail({.code = Code::kNotFound,
               .origin = Origin::kRegistry,
               .what = "there is no registry file: none was given, " + why + ", and no packaged file is installed",
               .expected = detail::list_text(candidates, "or"),
               .found = "no such file",
               .next_step = "give a registry file, for example with --config"});
}

}  // namespace berth::loader
