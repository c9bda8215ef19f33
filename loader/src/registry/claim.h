// Claim: says to other processes that a device is taken, by a lock on a file that all of them agree on. The kernel
// gives the lock back when the process ends, however it ends; the file stays. A forked child keeps a copy of what its
// parent holds: if the parent ends without giving a claim back, the device stays taken until the child ends too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "berth/core/result.h"

namespace berth::loader::detail {

// One claim file of this process and how many have it.
struct HeldClaim {
  int descriptor = -1;
  std::size_t holders = 0;
};

class Claim {
 public:
  // Takes the claim on the hardware `key` in `folder`; a process can take it again, and gives it back with the
  // last of its holders. Errors:
  // kFailedPrecondition (another process has it; names that process), kNotFound (no such folder), kNoPermission,
  // kIoError.
  [[nodiscard]] static Result<std::shared_ptr<Claim>> take(const std::string& folder, const std::string& key);
  ~Claim();
  Claim(const Claim&) = delete;
  Claim& operator=(const Claim&) = delete;

 private:
  explicit Claim(std::map<std::string, HeldClaim>::iterator held) noexcept;
  std::map<std::string, HeldClaim>::iterator held_;
  std::uint32_t fork_generation_;
};

// The claim file for the hardware `key`; another one for every key.
[[nodiscard]] std::string claim_path(const std::string& folder, const std::string& key);

}  // namespace berth::loader::detail
