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
#include <utility>

#include "berth/core/fork.h"
#include "plugin/sha256.h"
#include "plugin/text.h"

namespace berth::loader::detail {
namespace {

// What this process has claimed: a lock taken twice through two descriptors would exclude its own process. Counted here
// and not by a shared_ptr, so that a claim which is just being given back is never met half way. What a forked child
// inherits is its parent's, of an earlier generation; the child's own is another one.
struct Held {
  int descriptor = -1;
  std::size_t holders = 0;
};

struct Claims {
  std::mutex lock;
  std::map<std::pair<std::string, std::uint32_t>, Held> held;  // by path and fork generation
};

Claims& claims() {
  static Claims& all = *new Claims;  // never destroyed: claims may outlive main
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

// Opens the claim file and locks it; the descriptor.
Result<int> lock_file(const std::string& path) {
  constexpr mode_t kForAllWhoMay = 0666;  // less the caller's umask
  const int descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, kForAllWhoMay);
  if (descriptor < 0) return failure(path, errno);
  const auto give_up = [descriptor](tl::unexpected<Status> why) {
    close(descriptor);
    return why;
  };
  if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return give_up(failure(path, errno));
    return give_up(fail({.code = Code::kFailedPrecondition,
                         .origin = Origin::kDevice,
                         .where = path,
                         .what = "the device is claimed by another process",
                         .found = holder(descriptor),
                         .next_step = "end that process, or use another device"}));
  }
  const std::string text = "process " + std::to_string(getpid());
  const bool written = ftruncate(descriptor, 0) == 0 &&
                       pwrite(descriptor, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size());
  if (!written) return give_up(failure(path, errno));
  return descriptor;
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
  Held& held = claims().held[{path, fork_generation()}];
  if (held.holders == 0) {
    auto descriptor = lock_file(path);
    if (!descriptor.has_value()) {
      claims().held.erase({path, fork_generation()});
      return fail(descriptor.error());
    }
    held.descriptor = *descriptor;
  }
  ++held.holders;
  return std::shared_ptr<Claim>(new Claim(path));
}

Claim::Claim(std::string path) noexcept : path_(std::move(path)), fork_generation_(fork_generation()) {}

Claim::~Claim() {
  const std::lock_guard guard(claims().lock);
  const auto found = claims().held.find({path_, fork_generation_});
  if (--found->second.holders != 0) return;
  // Unlocked rather than just closed: forked children may still hold copies of the descriptor.
  if (fork_generation_ == fork_generation()) flock(found->second.descriptor, LOCK_UN);
  close(found->second.descriptor);
  claims().held.erase(found);
}

}  // namespace berth::loader::detail
