// SharedLibrary: a plugin file mapped into this process, for good. Nothing is ever unmapped: drivers leave threads,
// thread-exit handlers and callbacks behind that point into what they mapped.
#pragma once

#include <string>
#include <utility>

#include "berth/core/result.h"
#include "plugin/file_snapshot.h"

namespace berth::loader::detail {

class SharedLibrary {
 public:
  // Opens `path` (absolute) with all symbols bound now and kept to itself. kDependencyMissing when a library or a
  // symbol is missing or there is no room for its static TLS, else kDriverFailed, both with the linker's own message;
  // kNotFound when the file vanished meanwhile.
  [[nodiscard]] static Result<SharedLibrary> open(const std::string& path);

  // Address of an exported symbol; null when there is none.
  [[nodiscard]] void* symbol(const char* name) const;
  // The file that the linker has mapped: where it was found when it was mapped first, and which file that was.
  [[nodiscard]] const std::string& mapped_path() const noexcept { return mapped_path_; }
  [[nodiscard]] const FileIdentity& identity() const noexcept { return identity_; }

 private:
  SharedLibrary() = default;
  const void* library_ = nullptr;  // the library that knows how to look up symbols; lives for ever
  std::string mapped_path_;
  FileIdentity identity_;
};

}  // namespace berth::loader::detail
