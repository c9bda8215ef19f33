// Part of ProcessStateGuard: the working directory and the three standard streams.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace berth::loader::detail {

class SavedFiles {
 public:
  SavedFiles();
  SavedFiles(const SavedFiles&) = delete;
  SavedFiles& operator=(const SavedFiles&) = delete;
  ~SavedFiles();
  // Puts back what has changed; adds a line to `changes` for each kind of change.
  void restore(std::vector<std::string>& changes) const;

 private:
  struct Stream {
    bool open = false;
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    int flags = 0;
    int copy = -1;  // a duplicate to restore from
  };
  static Stream facts_of(int descriptor);
  std::array<Stream, 3> streams_;
  int folder_;  // a descriptor of the working directory, -1 if it cannot be opened
};

}  // namespace berth::loader::detail
