#include "plugin/saved_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace berth::loader::detail {
namespace {

constexpr std::array<const char*, 3> kStreamNames = {"standard input", "standard output", "standard error"};

bool same_folder(int a, const char* path) {
  struct stat first {};
  struct stat second {};
  return fstat(a, &first) == 0 && stat(path, &second) == 0 && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino;
}

}  // namespace

SavedFiles::Stream SavedFiles::facts_of(int descriptor) {
  Stream stream;
  struct stat facts {};
  stream.open = fstat(descriptor, &facts) == 0;
  if (!stream.open) return stream;
  stream.device = facts.st_dev;
  stream.inode = facts.st_ino;
  stream.flags = fcntl(descriptor, F_GETFL);
  return stream;
}

SavedFiles::SavedFiles() : folder_(open(".", O_PATH | O_DIRECTORY | O_CLOEXEC)) {
  constexpr int kAboveStreams = 3;
  for (int i = 0; i < static_cast<int>(streams_.size()); ++i) {
    Stream& stream = streams_[static_cast<std::size_t>(i)];
    stream = facts_of(i);
    if (stream.open) stream.copy = fcntl(i, F_DUPFD_CLOEXEC, kAboveStreams);
  }
}

SavedFiles::~SavedFiles() {
  for (const Stream& stream : streams_) {
    if (stream.copy >= 0) close(stream.copy);
  }
  if (folder_ >= 0) close(folder_);
}

void SavedFiles::restore(std::vector<std::string>& changes) const {
  if (folder_ >= 0 && !same_folder(folder_, ".")) {
    changes.emplace_back(fchdir(folder_) == 0 ? "the working directory"
                                              : "the working directory, which cannot be entered again");
  }
  for (int i = 0; i < static_cast<int>(streams_.size()); ++i) {
    const Stream& saved = streams_[static_cast<std::size_t>(i)];
    // A stream that was closed may be taken by a file that the plugin rightly opened.
    if (saved.copy < 0) continue;
    const Stream now = facts_of(i);
    if (now.open && now.device == saved.device && now.inode == saved.inode && now.flags == saved.flags) continue;
    dup2(saved.copy, i);
    fcntl(i, F_SETFL, saved.flags);
    changes.emplace_back(kStreamNames[static_cast<std::size_t>(i)]);
  }
}

}  // namespace berth::loader::detail
