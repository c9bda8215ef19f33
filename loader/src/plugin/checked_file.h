// A plugin file that was read and found fit to be opened: permissions, hash, ELF structure, note.
#pragma once

#include <optional>
#include <string>

#include "berth/core/result.h"
#include "berth/loader/plugin_file.h"
#include "plugin/file_snapshot.h"

namespace berth::loader::detail {

struct CheckedFile {
  PluginFileInfo info;
  FileIdentity identity;
};

// Reads `path` without running its code. `pinned` is the sha256 that it must have. Errors: those of read_snapshot and
// read_elf, PluginFileInfo::usable, kNoPermission (writable by everyone, or in a folder that is) and kInvalidConfig
// (another hash than pinned).
[[nodiscard]] Result<CheckedFile> check_file(const std::string& path, const std::optional<std::string>& pinned);

// OK, or kNoPermission when everyone can write the file, or the folder that holds it or the link to it, sticky or not:
// what is there may then be anybody's.
[[nodiscard]] Status check_permissions(const FileSnapshot& snapshot);

}  // namespace berth::loader::detail
