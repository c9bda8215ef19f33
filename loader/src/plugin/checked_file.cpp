#include "plugin/checked_file.h"

#include <sys/stat.h>

#include <filesystem>

#include "plugin/elf_file.h"
#include "plugin/sha256.h"

namespace berth::loader::detail {
namespace {

namespace fs = std::filesystem;

Status open_to_everyone(const std::string& file, const std::string& what, const std::string& path) {
  return Status({.code = Code::kNoPermission,
                 .origin = Origin::kDevice,
                 .where = file,
                 .what = what + " can be written by everyone",
                 .next_step = "chmod o-w " + path});
}

Result<PluginFileInfo> describe(const FileSnapshot& snapshot) {
  PluginFileInfo info;
  info.path = snapshot.path;
  info.real_path = snapshot.real_path;
  info.device = snapshot.identity.device;
  info.inode = snapshot.identity.inode;
  info.size = snapshot.identity.size;
  BERTH_FAIL_IF_ERROR(read_elf(snapshot.bytes, info));
  return info;
}

Status check_hash(const FileSnapshot& snapshot, const std::string& pinned) {
  const std::string hash = sha256_hex(snapshot.bytes);
  if (hash == pinned) return {};
  return Status({.code = Code::kInvalidConfig,
                 .origin = Origin::kRegistry,
                 .where = snapshot.path,
                 .what = "the plugin file is not the one that the registry file pins",
                 .expected = "sha256 " + pinned,
                 .found = hash.empty() ? "a system without sha256" : hash,
                 .next_step = "install the pinned file, or update 'sha256' of its [[plugin]]"});
}

}  // namespace

Status check_permissions(const FileSnapshot& snapshot) {
  if ((snapshot.mode & S_IWOTH) != 0) return open_to_everyone(snapshot.path, "the plugin file", snapshot.real_path);
  for (const std::string& path : {snapshot.path, snapshot.real_path}) {
    const std::string folder = fs::path(path).parent_path().string();
    struct stat facts {};
    if (stat(folder.c_str(), &facts) != 0 || (facts.st_mode & S_IWOTH) == 0) continue;
    return open_to_everyone(snapshot.path, "the folder " + folder + " of the plugin file", folder);
  }
  return {};
}

Result<CheckedFile> check_file(const std::string& path, const std::optional<std::string>& pinned) {
  BERTH_ASSIGN(const FileSnapshot snapshot, read_snapshot(path, kPluginFile));
  BERTH_FAIL_IF_ERROR(check_permissions(snapshot));
  if (pinned) BERTH_FAIL_IF_ERROR(check_hash(snapshot, *pinned));
  BERTH_ASSIGN(PluginFileInfo info, describe(snapshot));
  BERTH_FAIL_IF_ERROR(info.usable);
  return CheckedFile{.info = std::move(info), .identity = snapshot.identity};
}

}  // namespace berth::loader::detail

namespace berth::loader {

Result<PluginFileInfo> probe_file(const std::string& path) {
  std::error_code error;
  const std::filesystem::path full = std::filesystem::absolute(path, error);
  BERTH_ASSIGN(const detail::FileSnapshot snapshot,
               detail::read_snapshot(error ? path : full.lexically_normal().string(), detail::kPluginFile));
  BERTH_ASSIGN(PluginFileInfo info, detail::describe(snapshot));
  info.sha256 = detail::sha256_hex(snapshot.bytes);
  if (Status permissions = detail::check_permissions(snapshot); !permissions.ok()) info.usable = permissions;
  return info;
}

}  // namespace berth::loader
