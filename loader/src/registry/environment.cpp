#include "registry/environment.h"

#include <dlfcn.h>
#include <sys/auxv.h>

#include <cstdlib>
#include <filesystem>
#include <string_view>

namespace berth::loader::detail {
namespace {

namespace fs = std::filesystem;

// The folder of the file that this code is in: libberth.so, or a program that holds it.
fs::path own_folder() {
  static const char anchor = 0;
  Dl_info info{};
  std::error_code error;
  if (dladdr(&anchor, &info) == 0 || info.dli_fname == nullptr) return {};
  // A program that was started by a bare or relative name has that name here: no path once the folder has changed.
  const fs::path name = info.dli_fname;
  const fs::path file = fs::canonical(name.is_absolute() ? name : fs::path("/proc/self/exe"), error);
  return error ? fs::path() : file.parent_path();
}

std::string normal(const fs::path& path) { return path.lexically_normal().string(); }

}  // namespace

bool is_privileged(const RegistryOptions& options) { return options.privileged.value_or(getauxval(AT_SECURE) != 0); }

EnvironmentLookup environment_of(const RegistryOptions& options) {
  if (is_privileged(options)) return [](std::string_view) { return std::optional<std::string>(); };
  if (options.environment) return options.environment;
  return [](std::string_view name) -> std::optional<std::string> {
    const char* value = std::getenv(std::string(name).c_str());
    if (value == nullptr) return std::nullopt;
    return value;
  };
}

std::vector<std::string> install_folders(const RegistryOptions& options) {
  if (options.install_folder) return {*options.install_folder};
  const fs::path folder = own_folder();
  if (folder.empty()) return {};
  const fs::path beside = folder / "berth" / "plugins";
  const fs::path from_program = folder / ".." / BERTH_LIBRARY_FOLDER / "berth" / "plugins";
  if (normal(beside) == normal(from_program)) return {normal(beside)};
  return {normal(beside), normal(from_program)};
}

std::vector<std::string> packaged_configs(const RegistryOptions& options) {
  if (options.packaged_config) return {*options.packaged_config};
  const fs::path folder = own_folder();
  if (folder.empty()) return {};
  const fs::path name = fs::path("berth") / "devices.toml";
  const fs::path from_library = folder / BERTH_LIBRARY_TO_DATA / name;
  const fs::path from_program = folder / ".." / BERTH_DATA_FOLDER / name;
  if (normal(from_library) == normal(from_program)) return {normal(from_library)};
  return {normal(from_library), normal(from_program)};
}

std::vector<SearchFolder> search_folders(std::vector<SearchFolder> of_file, const RegistryOptions& options,
                                         std::vector<std::string>& out_warnings) {
  std::vector<SearchFolder> folders = std::move(of_file);
  const std::string value = environment_of(options)("BERTH_PLUGIN_PATH").value_or("");
  std::string_view rest = value;
  while (!rest.empty()) {
    const std::size_t colon = rest.find(':');
    const std::string folder(rest.substr(0, colon));
    rest.remove_prefix(colon == std::string_view::npos ? rest.size() : colon + 1);
    if (folder.starts_with('/')) {
      folders.push_back({normal(folder), "BERTH_PLUGIN_PATH"});
    } else if (!folder.empty()) {
      out_warnings.push_back("BERTH_PLUGIN_PATH: the folder '" + folder + "' is left out, as it is not absolute");
    }
  }
  for (std::string& folder : install_folders(options)) folders.push_back({std::move(folder), "install folder"});
  return folders;
}

}  // namespace berth::loader::detail
