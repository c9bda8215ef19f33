#include "file_bytes.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "failure.h"

namespace berth::program::detail {

namespace {

constexpr std::size_t kLandingBytes = 256 * 1024;

class FileDescriptor {
 public:
  explicit FileDescriptor(int number) : number_(number) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() {
    if (number_ >= 0) close(number_);
  }
  [[nodiscard]] int get() const { return number_; }

 private:
  int number_;
};

[[gnu::cold]] Status system_failure(const char* path, const char* what, int number) {
  ErrorInfo info{.code = Code::kIoError, .origin = Origin::kInput};
  info.next_step = "check the path and the disk";
  if (number == ENOENT || number == ENOTDIR) {
    info.code = Code::kNotFound;
    info.next_step = "check the path";
  } else if (number == EACCES || number == EPERM) {
    info.code = Code::kNoPermission;
    info.next_step = "make the file readable for this user";
  }
  info.where = path;
  info.what = what;
  info.found = std::generic_category().message(number);
  return Status(std::move(info));
}

[[gnu::cold]] Status not_a_file(const char* path) {
  return Status({.code = Code::kIoError,
                 .origin = Origin::kInput,
                 .where = path,
                 .what = "the file cannot be read",
                 .expected = "a regular file",
                 .found = "a device, pipe or folder",
                 .next_step = "check the path"});
}

// Reads from the current position until `bytes` are there or the file ends; -1 on failure (errno says why).
ssize_t read_fully(int file, std::byte* into, std::size_t bytes) {
  std::size_t done = 0;
  while (done < bytes) {
    const ssize_t got = read(file, into + done, std::min<std::size_t>(bytes - done, 1U << 30));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -1;
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return static_cast<ssize_t>(done);
}

// The rest of a file whose first bytes filled the landing block.
Status read_rest(const char* path, int file, PrivatePart private_part, FileBytes& out) {
  struct stat info = {};
  if (fstat(file, &info) != 0) return system_failure(path, "the file cannot be read", errno);
  if (!S_ISREG(info.st_mode)) return not_a_file(path);
  out.file_bytes = std::max<std::uint64_t>(static_cast<std::uint64_t>(info.st_size), out.read);
  std::uint64_t wanted = out.file_bytes;
  if (private_part != nullptr) {
    wanted = std::clamp<std::uint64_t>(private_part(out.bytes(), out.file_bytes), out.read, out.file_bytes);
    void* mapped = mmap(nullptr, out.file_bytes, PROT_READ, MAP_PRIVATE, file, 0);
    if (mapped == MAP_FAILED) return system_failure(path, "the file cannot be mapped", errno);
    out.mapping = Mapping(mapped, out.file_bytes);
  }
  if (wanted == out.read) return {};
  Block block = Block::allocate(wanted);
  if (block.empty()) return out_of_memory(path, wanted);
  std::memcpy(block.data(), out.block.data(), out.read);
  const ssize_t got = read_fully(file, block.data() + out.read, wanted - out.read);
  if (got < 0) return system_failure(path, "the file cannot be read", errno);
  out.block = std::move(block);
  out.read += static_cast<std::size_t>(got);
  if (out.read < wanted) out.file_bytes = out.read;  // it has become shorter meanwhile
  return {};
}

}  // namespace

Mapping::~Mapping() {
  if (data_ != nullptr) munmap(const_cast<void*>(data_), bytes_);
}

Result<FileBytes> read_file(const char* path, PrivatePart private_part) {
  // O_NONBLOCK: a pipe that nobody writes to must not hang the process; it has no effect on files.
  const FileDescriptor file(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (file.get() < 0) return fail(system_failure(path, "the file cannot be opened", errno));
  FileBytes out;
  out.block = Block::allocate(kLandingBytes);
  if (out.block.empty()) return fail(out_of_memory(path, kLandingBytes));
  ssize_t got = 0;
  do {
    got = read(file.get(), out.block.data(), kLandingBytes);
  } while (got < 0 && errno == EINTR);
  if (got < 0) return fail(system_failure(path, "the file cannot be read", errno));
  out.read = static_cast<std::size_t>(got);
  out.file_bytes = out.read;
  // Only the end of a file makes a read come back short.
  if (out.read == kLandingBytes) BERTH_FAIL_IF_ERROR(read_rest(path, file.get(), private_part, out));
  return out;
}

}  // namespace berth::program::detail
