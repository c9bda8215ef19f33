#include "plugin/file_snapshot.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

namespace berth::loader::detail {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int number) noexcept : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  [[nodiscard]] int number() const noexcept { return number_; }

 private:
  int number_;
};

tl::unexpected<Status> system_failure(const std::string& path, const FileRole& role, int error) {
  ErrorInfo info{.code = Code::kIoError, .origin = role.origin, .where = path};
  info.what = std::string(role.what) + " cannot be read";
  info.found = std::system_category().message(error);
  if (error == ENOENT || error == ENOTDIR) {
    info.code = Code::kNotFound;
    info.what = std::string(role.what) + " does not exist";
    info.found.clear();
  } else if (error == ELOOP) {
    info.code = Code::kNotFound;
    info.found = "a loop of symbolic links";
  } else if (error == EACCES || error == EPERM) {
    info.code = Code::kNoPermission;
    info.next_step = "give this user read permission on it and on the folders above";
  }
  return fail(std::move(info));
}

const char* type_text(mode_t mode) {
  switch (mode & S_IFMT) {
    case S_IFREG:
      return "a regular file";
    case S_IFDIR:
      return "a folder";
    case S_IFIFO:
      return "a pipe";
    case S_IFSOCK:
      return "a socket";
    default:
      return "a device file";
  }
}

Status check_kind(const struct stat& facts, const std::string& path, const FileRole& role) {
  const auto size = static_cast<std::uint64_t>(facts.st_size);
  if (S_ISREG(facts.st_mode) && size <= role.max_bytes) return {};
  ErrorInfo info{.code = Code::kInvalidArgument, .origin = role.origin, .where = path};
  info.what = std::string(role.what) + " cannot be used";
  info.expected = S_ISREG(facts.st_mode) ? "at most " + std::to_string(role.max_bytes) + " bytes" : "a regular file";
  info.found = S_ISREG(facts.st_mode) ? std::to_string(size) + " bytes" : type_text(facts.st_mode);
  return Status(std::move(info));
}

FileIdentity identity_from(const struct stat& facts) {
  constexpr std::int64_t kNanoseconds = 1'000'000'000;
  return {.device = facts.st_dev,
          .inode = facts.st_ino,
          .size = static_cast<std::uint64_t>(facts.st_size),
          .modified_ns = facts.st_mtim.tv_sec * kNanoseconds + facts.st_mtim.tv_nsec};
}

// 0, or the number of the error. The bytes end early when the file shrinks meanwhile.
int read_all(int descriptor, std::vector<std::byte>& bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = pread(descriptor, bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
  }
  bytes.resize(done);
  return 0;
}

std::string path_of(int descriptor, const std::string& otherwise) {
  std::error_code error;
  const auto path = std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(descriptor), error);
  return error ? otherwise : path.string();
}

}  // namespace

Result<FileSnapshot> read_snapshot(const std::string& path, const FileRole& role) {
  struct stat facts {};
  // Looked at before it is opened: opening a device file can have effects.
  if (stat(path.c_str(), &facts) != 0) return system_failure(path, role, errno);
  BERTH_FAIL_IF_ERROR(check_kind(facts, path, role));
  const Descriptor file(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
  if (file.number() < 0) return system_failure(path, role, errno);
  if (fstat(file.number(), &facts) != 0) return system_failure(path, role, errno);
  BERTH_FAIL_IF_ERROR(check_kind(facts, path, role));

  FileSnapshot snapshot{.path = path,
                        .real_path = path_of(file.number(), path),
                        .identity = identity_from(facts),
                        .mode = facts.st_mode,
                        .bytes = std::vector<std::byte>(static_cast<std::size_t>(facts.st_size))};
  if (const int error = read_all(file.number(), snapshot.bytes); error != 0) return system_failure(path, role, error);
  return snapshot;
}

Result<FileIdentity> identity_of(const std::string& path, const FileRole& role) {
  struct stat facts {};
  if (stat(path.c_str(), &facts) != 0) return system_failure(path, role, errno);
  return identity_from(facts);
}

}  // namespace berth::loader::detail
