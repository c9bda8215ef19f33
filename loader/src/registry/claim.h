// Claim: says to other processes that a device is taken, by a lock on a file that all of them agree on. The kernel
// gives the lock back when the process ends, however it ends; the file stays.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "berth/core/result.h"

namespace berth::loader::detail {

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
  explicit Claim(std::string path) noexcept;
  std::string path_;
  std::uint32_t fork_generation_;
};

// The claim file for the hardware `key`.
[[nodiscard]] std::string claim_path(const std::string& folder, const std::string& key);

}  // namespace berth::loader::detail
