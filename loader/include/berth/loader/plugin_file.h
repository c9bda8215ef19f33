// What a plugin file says about itself: read from the file without running its code (probe_file), or asked
// (query_file).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "berth/core/api.h"
#include "berth/core/result.h"

namespace berth::loader {

// The ELF note .note.berth.
struct PluginNote {
  std::uint32_t abi_major = 0;
  std::uint32_t abi_minor_min = 0;
  std::uint32_t abi_minor_max = 0;
  std::string name;
  std::string device_type;
  std::string version;
  std::string vendor;
  std::string cpu_baseline;  // "x86-64-v3"; empty: unknown
  std::string sanitizer;     // "address"; empty: none
};

struct PluginFileInfo {
  std::string path;       // as given, made absolute
  std::string real_path;  // symbolic links resolved
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t size = 0;              // bytes
  std::string sha256;                  // 64 lower-case hex digits
  std::string elf_class;               // "ELF64"
  std::string machine;                 // "x86-64"
  std::string type;                    // "shared object"
  bool exports_query = false;          // berth_plugin_query is a defined dynamic function
  bool static_tls = false;             // takes from the small static TLS reserve (DF_STATIC_TLS)
  std::vector<std::string> needed;     // libraries, in order
  std::vector<std::string> undefined;  // dynamic symbols that others must define, weak ones left out
  std::vector<std::string> exported;   // dynamic symbols that it defines
  std::optional<PluginNote> note;
  Status usable;  // OK, or why the loader would refuse this file before opening it
};

// Reads `path` (a bare name means the current folder) without running any of its code. A file that is readable ELF
// always gives an answer, with what is wrong in `usable`. Errors (origin kDevice):
//   kNotFound         no such file, a loop of symbolic links
//   kNoPermission     it may not be read
//   kInvalidArgument  it is no regular file (a folder, a pipe), or no ELF file, or a damaged one
//   kIoError          reading failed
[[nodiscard]] BERTH_API Result<PluginFileInfo> probe_file(const std::string& path);

// One function group of the plugin's table.
struct PluginGroup {
  std::string name;  // "memory"
  bool required = false;
  bool present = false;
};

struct PluginQueryInfo {
  PluginFileInfo file;
  std::string name;
  std::string device_type;
  std::string version;
  std::string vendor;
  std::uint32_t abi_major = 0;
  std::uint32_t abi_minor = 0;  // chosen
  std::uint32_t abi_minor_min = 0;
  std::uint32_t abi_minor_max = 0;
  bool driver_starts_threads = false;
  bool driver_keeps_threads = false;
  std::vector<PluginGroup> groups;
  // What loading and asking it changed in this process, each restored: "the locale", "the signal actions of SIGFPE".
  std::vector<std::string> process_changes;
};

// As probe_file, then opens the file, runs berth_plugin_query and checks the answer as the loader does. The file stays
// mapped until the process ends. Errors: those of probe_file, `usable` when it is a failure, and
//   kDependencyMissing    a library or symbol that it needs is missing (origin kDevice)
//   kPluginFault          the answer breaks the contract; names the rule or the missing function
[[nodiscard]] BERTH_API Result<PluginQueryInfo> query_file(const std::string& path);

}  // namespace berth::loader
