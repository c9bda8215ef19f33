#include "registry/claim.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <mutex>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include "berth/core/fork.h"
#include "plugin/per_process.h"
#include "plugin/sha256.h"
#include "plugin/text.h"

namespace berth::loader::detail {
namespace {

// What this process has claimed, by path: a lock taken twice through two descriptors would exclude its own process.
// Counted here and not by a shared_ptr, so that a claim which is just being given back is never met half way.
struct Claims {
  std::mutex lock;
  std::map<std::string, HeldClaim> held;
};

constinit PerProcess<Claims> process_claims;

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

// Opens the claim file, which may be another user's: a lock needs no right to write. Creating, too, may be refused for
// a file that is there (fs.protected_regular). -1 on failure (errno says why).
int open_claim_file(const std::string& path) {
  constexpr mode_t kForAllWhoMay = 0666;  // less the caller's umask
  int descriptor = -1;
  for (const int access : {O_RDWR | O_CREAT, O_RDWR, O_RDONLY}) {
    descriptor = open(path.c_str(), access | O_CLOEXEC | O_NOFOLLOW, kForAllWhoMay);
    if (descriptor >= 0 || errno != EACCES) break;
  }
  return descriptor;
}

bool is_writable(int descriptor) { return (fcntl(descriptor, F_GETFL) & O_ACCMODE) == O_RDWR; }

// Opens the claim file and locks it; the descriptor.
Result<int> lock_file(const std::string& path) {
  const int descriptor = open_claim_file(path);
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
  if (!is_writable(descriptor)) return descriptor;  // it cannot say who holds it
  const std::string text = "process " + std::to_string(getpid());
  const bool written = ftruncate(descriptor, 0) == 0 &&
                       pwrite(descriptor, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size());
  if (!written) return give_up(failure(path, errno));
  return descriptor;
}

}  // namespace

std::string claim_path(const std::string& folder, const std::string& key) {
  constexpr std::size_t kLongest = 64;
  constexpr std::string_view kPlain = "0123456789abcdefghijklmnopqrstuvwxyz-.:";
  std::string name = key;
  if (name.size() > kLongest || name.find_first_not_of(kPlain) != std::string::npos) {
    name = sha256_hex(std::as_bytes(std::span(key)));
  }
  std::ranges::replace(name, ':', '_');  // no key with a '_' of its own comes here
  return (std::filesystem::path(folder) / (name + ".claim")).string();
}

Result<std::shared_ptr<Claim>> Claim::take(const std::string& folder, const std::string& key) {
  const std::string path = claim_path(folder, key);
  Claims& claims = process_claims.get();
  std::unique_ptr<Claim> claim;
  const std::lock_guard guard(claims.lock);
  const auto [held, added] = claims.held.try_emplace(path);
  if (added) {
    auto descriptor = lock_file(path);
    if (!descriptor.has_value()) {
      claims.held.erase(held);
      return fail(descriptor.error());
    }
    held->second.descriptor = *descriptor;
  }
  claim.reset(new Claim(held));
  return std::shared_ptr<Claim>(std::move(claim));
}

Claim::Claim(std::map<std::string, HeldClaim>::iterator held) noexcept
    : held_(held), fork_generation_(fork_generation()) {
  ++held_->second.holders;
}

Claim::~Claim() {
  if (fork_generation_ != fork_generation()) return;  // the parent's to give back
  Claims& claims = process_claims.get();
  const std::lock_guard guard(claims.lock);
  if (--held_->second.holders != 0) return;
  const int descriptor = held_->second.descriptor;
  // A holder that cannot write leaves the file as it is: it must not name this process then.
  if (is_writable(descriptor)) [[maybe_unused]]
    const int emptied = ftruncate(descriptor, 0);
  // Unlocked rather than just closed: forked children may still hold copies of the descriptor.
  flock(descriptor, LOCK_UN);
  close(descriptor);
  claims.held.erase(held_);
}

}  // namespace berth::loader::detail
