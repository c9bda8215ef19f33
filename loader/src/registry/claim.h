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
  // Takes the claim on the hardware `key` in `folder`; within a process all holders share it. Errors:
  // kFailedPrecondition (another process has it; names that process), kNotFound (no such folder), kNoPermission,
  // kIoError.
  [[nodiscard]] static Result<std::shared_ptr<Claim>> take(const std::string& folder, const std::string& key);
  ~Claim();
  Claim(const Claim&) = delete;
  Claim& operator=(const Claim&) = delete;

 private:
  explicit Claim(int descriptor) noexcept;
  int descriptor_;
  std::uint32_t fork_generation_;
};

// The claim file for the hardware `key`.
[[nodiscard]] std::string claim_path(const std::string& folder, const std::string& key);

}  // namespace berth::loader::detail
