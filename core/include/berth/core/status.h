// Status: how every function of Berth that can fail says why. One pointer wide; null means success.
//
// A failure carries what went wrong, where, what was expected, what was found and what to do next, plus a code to
// branch on and an origin that says whose move it is. Statuses are immutable and cheap to copy (a counted reference),
// because stored failures are handed out again (see DeviceRegistry::find).
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "berth/core/api.h"

namespace berth {

// What kind of failure it is. The groups follow the classes of the plugin ABI, so that every plugin code has one of
// these.
enum class Code : std::uint16_t {
  kOk = 0,
  // The call itself is wrong; the same call fails again.
  kInvalidArgument,
  kNotUnderstood,
  // The call comes at the wrong time or asks for what this device cannot do.
  kFailedPrecondition,
  kUnsupported,
  kTimeout,
  // Something ran out; freeing some and trying again can help.
  kOutOfDeviceMemory,
  kAllocationTooLarge,
  kTooManyAllocations,
  kOutOfHostMemory,
  kOutOfPinnedMemory,
  kLimitExceeded,  // a limit of the registry file, enforced by the host
  // It is not here; installing or configuring something can help.
  kNoDevice,
  kDependencyMissing,
  kNoPermission,
  kNotFound,
  // The device or its driver failed.
  kDeviceLost,
  kEarlierWork,
  kDriverFailed,
  // The plugin broke its contract; `rule` names the obligation.
  kPluginFault,
  // The program or data file is malformed or contradicts itself, or needs what nobody has.
  kInvalidProgram,
  kInvalidData,
  kMissingOperator,
  kMissingDelegate,
  // The registry file is wrong.
  kInvalidConfig,
  kIoError,
  kInternal,
};

// Whose mistake it is. The exit code of the command line follows from this and the code.
enum class Origin : std::uint8_t {
  kUsage,     // the caller's arguments
  kInput,     // a program, data or array file
  kRegistry,  // the registry file
  kDevice,    // a device, driver or plugin that failed, is full or is absent
  kInternal,  // a fault of Berth
};

// "OUT_OF_DEVICE_MEMORY" and so on; never null. Both are for people and JSON and stay stable.
[[nodiscard]] BERTH_API const char* code_name(Code code) noexcept;
[[nodiscard]] BERTH_API const char* origin_name(Origin origin) noexcept;

// Everything a failure says. Empty strings are left out of the message.
struct ErrorInfo {
  Code code = Code::kInternal;
  Origin origin = Origin::kInternal;
  std::string where = {};        // "program.pte, method 'forward', value 3" or "devices.toml:12:3"
  std::string what = {};         // "planned buffer 2 cannot be allocated"
  std::string expected = {};     // "at most 48 bytes"
  std::string found = {};        // "64 bytes"
  std::string next_step = {};    // "raise `limit` of [[device]] cuda:0"
  std::string rule = {};         // rule id of conformance/RULES.md, for kPluginFault
  std::int64_t native_code = 0;  // the driver's own code; 0 when there is none
};

// Thread rules: distinct objects are independent; one object follows the rules of std::shared_ptr.
class [[nodiscard]] BERTH_API Status {
 public:
  Status() noexcept = default;      // success
  explicit Status(ErrorInfo info);  // a failure; info.code must not be kOk (it becomes kInternal)
  Status(const Status& other) noexcept;
  Status(Status&& other) noexcept : rep_(other.rep_) { other.rep_ = nullptr; }
  Status& operator=(const Status& other) noexcept;
  Status& operator=(Status&& other) noexcept;
  ~Status() {
    if (rep_ != nullptr) unref();
  }

  [[nodiscard]] bool ok() const noexcept { return rep_ == nullptr; }
  [[nodiscard]] explicit operator bool() const noexcept { return ok(); }

  [[nodiscard]] Code code() const noexcept;
  [[nodiscard]] Origin origin() const noexcept;             // kInternal on success
  [[nodiscard]] std::int64_t native_code() const noexcept;  // 0 on success
  [[nodiscard]] const ErrorInfo& info() const noexcept;     // an empty one on success

  // One line: "<where>: <what>: expected <expected>, found <found>; <next step>". Rule id and native code follow in
  // brackets when there are any: "[ALLOC-03]", "[native code 2]". "OK" on success.
  [[nodiscard]] std::string message() const;

  // The same failure seen from further out: `where` is put in front ("<where>: <old where>"), the rest is kept. Success
  // stays success.
  [[nodiscard]] Status at(std::string_view where) const;

 private:
  struct Rep;
  void unref() noexcept;
  Rep* rep_ = nullptr;
};

}  // namespace berth
