#include "registry/find_plugin_file.h"

#include <filesystem>

#include "registry/read_entries.h"
#include "registry/source_text.h"
#include "registry/stopwatch.h"

namespace berth::loader::detail {
namespace {

std::string file_name(const PluginEntry& entry) { return "libberth_" + entry.file + ".so"; }

Status not_found(const PluginEntry& entry, const EffectiveConfig& config) {
  std::vector<std::string> folders;
  for (const SearchFolder& folder : config.search) folders.push_back(folder.path);
  std::vector<std::string> names;
  for (const PluginEntry& other : config.plugins) {
    if (!other.implied) names.push_back(other.name);
  }
  std::string step = "install the plugin, or add its folder to [plugins] path or BERTH_PLUGIN_PATH";
  if (const std::string name = entry.implied ? nearest(entry.name, names) : ""; !name.empty()) {
    step += "; if the [[plugin]] '" + name + "' is meant, write '" + name + "'";
  }
  return Status({.code = Code::kNotFound,
                 .origin = Origin::kDevice,
                 .what = "there is no plugin file " + file_name(entry),
                 .expected = "it in " + list_text(folders, "or"),
                 .found = "no such file",
                 .next_step = std::move(step)});
}

}  // namespace

std::vector<std::string> candidate_paths(const PluginEntry& entry, const std::vector<SearchFolder>& folders,
                                         const std::string& config_file) {
  if (entry.file.find('/') != std::string::npos) return {resolve_from(config_file, entry.file)};
  std::vector<std::string> paths;
  paths.reserve(folders.size());
  for (const SearchFolder& folder : folders) {
    paths.push_back((std::filesystem::path(folder.path) / file_name(entry)).lexically_normal().string());
  }
  return paths;
}

Result<CheckedFile> find_plugin_file(const PluginEntry& entry, const EffectiveConfig& config,
                                     std::vector<LoadRecord>& records, LoadStage& out_stage) {
  Status first;
  out_stage = LoadStage::kFind;
  const bool by_name = entry.file.find('/') == std::string::npos;
  for (const std::string& path : candidate_paths(entry, config.search, config.source.path)) {
    const Stopwatch watch;
    auto file = check_file(path, entry.sha256);
    LoadRecord record;
    record.plugin = entry.name;
    record.path_tried = path;
    const bool absent = !file.has_value() && file.error().code() == Code::kNotFound;
    record.stage = absent ? LoadStage::kFind : LoadStage::kMetadata;
    record.status = file.status();
    if (file.has_value()) record.detail = file->info.note->name + " " + file->info.note->version;
    record.duration_ns = watch.elapsed_ns();
    records.push_back(record);
    if (file.has_value()) {
      out_stage = LoadStage::kMetadata;
      return file;
    }
    if (first.ok() && (!absent || !by_name)) {
      first = file.error();
      out_stage = record.stage;
    }
  }
  return fail(first.ok() ? not_found(entry, config) : first);
}

}  // namespace berth::loader::detail
