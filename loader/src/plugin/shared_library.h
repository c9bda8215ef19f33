// SharedLibrary: a plugin file mapped into this process, for good. Nothing is ever unmapped: drivers leave threads,
// thread-exit handlers and callbacks behind that point into what they mapped.
#pragma once

#include <string>
#include <utility>

#include "berth/core/result.h"

namespace berth::loader::detail {

class SharedLibrary {
 public:
  // Opens `path` (absolute) with all symbols bound now and kept to itself. kDependencyMissing when a library or a
  // symbol is missing or there is no room for its static TLS, else kDriverFailed, both with the linker's own message.
  [[nodiscard]] static Result<SharedLibrary> open(const std::string& path);

  // Address of an exported symbol; null when there is none.
  [[nodiscard]] void* symbol(const char* name) const;
  // The file that the linker says it has mapped.
  [[nodiscard]] const std::string& mapped_path() const noexcept { return mapped_path_; }

 private:
  SharedLibrary(const void* library, std::string mapped_path)
      : library_(library), mapped_path_(std::move(mapped_path)) {}
  const void* library_;  // the library that knows how to look up symbols; lives for ever
  std::string mapped_path_;
};

}  // namespace berth::loader::detail
