// A file read once, through one descriptor: what is checked is what was read, and the file's identity says later
// whether it is still the same one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "berth/core/result.h"

namespace berth::loader::detail {

struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t size = 0;        // bytes
  std::int64_t modified_ns = 0;  // since the epoch

  [[nodiscard]] bool same_file(const FileIdentity& other) const noexcept {
    return device == other.device && inode == other.inode;
  }
  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

struct FileSnapshot {
  std::string path;       // as asked for
  std::string real_path;  // what the descriptor is open on
  FileIdentity identity;
  std::uint32_t mode = 0;
  std::vector<std::byte> bytes;
};

// What kind of file it is meant to be, for messages.
struct FileRole {
  const char* what;         // "the plugin file"
  Origin origin;            // whose mistake a bad one is
  std::uint64_t max_bytes;  // larger files are refused
};

// Reads a regular file; never blocks on a pipe. Errors, at `path`: kNotFound (no such file, a loop of symbolic links),
// kNoPermission, kInvalidArgument (no regular file, too large), kIoError.
[[nodiscard]] Result<FileSnapshot> read_snapshot(const std::string& path, const FileRole& role);

// The identity of what `path` leads to now; kNotFound or kIoError.
[[nodiscard]] Result<FileIdentity> identity_of(const std::string& path, const FileRole& role);

inline constexpr FileRole kPluginFile{"the plugin file", Origin::kDevice, std::uint64_t{1} << 30};
inline constexpr FileRole kRegistryFile{"the registry file", Origin::kRegistry, std::uint64_t{1} << 20};

}  // namespace berth::loader::detail
