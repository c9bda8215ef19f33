#include "registry/claim.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <map>
#include <mutex>
#include <span>
#include <system_error>

#include "berth/core/fork.h"
#include "plugin/sha256.h"
#include "plugin/text.h"

namespace berth::loader::detail {
namespace {

// The claims of this process by path: a lock taken twice through two descriptors would exclude its own process.
struct Claims {
  std::mutex lock;
  std::map<std::string, std::weak_ptr<Claim>> by_path;
};

Claims& claims() {
  static Claims all;
  return all;
}

tl::unexpected<Status> failure(const std::string& path, int error) {
  ErrorInfo info{.code = Code::kIoError, .origin = Origin::kDevice, .where = path};
  info.what = "the claim file cannot be opened";
  info.found = std::system_category().message(error);
  if (error == ENOENT) {
    info.code = Code::kNotFound;
    info.next_step = "create the folder that 'claim' names, writable by all who share the devices";
  } else if (error == EACCES || error == EPERM) {
    info.code = Code::kNoPermission;
    info.next_step = "let this user write to the folder and its claim files";
  }
  return fail(std::move(info));
}

// What the holder wrote: "process 1234".
std::string holder(int descriptor) {
  std::array<char, 64> text{};
  const ssize_t length = pread(descriptor, text.data(), text.size(), 0);
  return length <= 0 ? "another process" : clean_text({text.data(), static_cast<std::size_t>(length)});
}

}  // namespace

std::string claim_path(const std::string& folder, const std::string& key) {
  constexpr std::size_t kLongest = 64;
  std::string name = key;
  if (name.size() > kLongest) name = sha256_hex(std::as_bytes(std::span(key)));
  for (char& c : name) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '-' || c == '.';
    if (!plain) c = '_';
  }
  return (std::filesystem::path(folder) / (name + ".claim")).string();
}

Result<std::shared_ptr<Claim>> Claim::take(const std::string& folder, const std::string& key) {
  const std::string path = claim_path(folder, key);
  const std::lock_guard guard(claims().lock);
  // What a forked child inherits is its parent's claim, not its own.
  if (auto held = claims().by_path[path].lock(); held != nullptr && held->fork_generation_ == fork_generation()) {
    return held;
  }
  constexpr mode_t kForAllWhoMay = 0666;  // less the caller's umask
  const int descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, kForAllWhoMay);
  if (descriptor < 0) return failure(path, errno);
  std::shared_ptr<Claim> claim(new Claim(descriptor));
  if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return failure(path, errno);
    return fail({.code = Code::kFailedPrecondition,
                 .origin = Origin::kDevice,
                 .where = path,
                 .what = "the device is claimed by another process",
                 .found = holder(descriptor),
                 .next_step = "end that process, or use another device"});
  }
  const std::string text = "process " + std::to_string(getpid());
  const bool written = ftruncate(descriptor, 0) == 0 &&
                       pwrite(descriptor, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size());
  if (!written) return failure(path, errno);
  claims().by_path[path] = claim;
  return claim;
}

Claim::Claim(int descriptor) noexcept : descriptor_(descriptor), fork_generation_(fork_generation()) {}

Claim::~Claim() {
  // Unlocked rather than just closed: forked children may still hold copies of the descriptor.
  if (fork_generation_ == fork_generation()) flock(descriptor_, LOCK_UN);
  close(descriptor_);
}

}  // namespace berth::loader::detail
