#include "plugin/plugin_call.h"

#include <utility>

#include "plugin/plugin_rules.h"
#include "plugin/text.h"

namespace berth::loader::detail {
namespace {

// The code for a class, for codes that a newer ABI minor added.
Code code_of_class(berth_code code) {
  switch (BERTH_CLASS_OF(code)) {
    case BERTH_CLASS_ARGUMENT:
      return Code::kInvalidArgument;
    case BERTH_CLASS_STATE:
      return Code::kFailedPrecondition;
    case BERTH_CLASS_RESOURCE:
      return Code::kOutOfDeviceMemory;
    case BERTH_CLASS_UNAVAILABLE:
      return Code::kNoDevice;
    case BERTH_CLASS_DEVICE:
      return Code::kDriverFailed;
    default:
      return Code::kPluginFault;
  }
}

Code code_of(berth_code code) {
  switch (code) {
    case BERTH_INVALID_ARGUMENT:
      return Code::kInvalidArgument;
    case BERTH_NOT_UNDERSTOOD:
      return Code::kNotUnderstood;
    case BERTH_FAILED_PRECONDITION:
      return Code::kFailedPrecondition;
    case BERTH_UNSUPPORTED:
      return Code::kUnsupported;
    case BERTH_TIMEOUT:
      return Code::kTimeout;
    case BERTH_OUT_OF_DEVICE_MEMORY:
      return Code::kOutOfDeviceMemory;
    case BERTH_TOO_LARGE:
      return Code::kAllocationTooLarge;
    case BERTH_TOO_MANY_ALLOCATIONS:
      return Code::kTooManyAllocations;
    case BERTH_OUT_OF_HOST_MEMORY:
      return Code::kOutOfHostMemory;
    case BERTH_OUT_OF_PINNED_MEMORY:
      return Code::kOutOfPinnedMemory;
    case BERTH_NO_DEVICE:
      return Code::kNoDevice;
    case BERTH_DEPENDENCY_MISSING:
      return Code::kDependencyMissing;
    case BERTH_NO_PERMISSION:
      return Code::kNoPermission;
    case BERTH_DEVICE_LOST:
      return Code::kDeviceLost;
    case BERTH_EARLIER_WORK:
      return Code::kEarlierWork;
    case BERTH_DRIVER_FAILED:
      return Code::kDriverFailed;
    case BERTH_VERSION_MISMATCH:
      return Code::kUnsupported;
    default:
      return code_of_class(code);
  }
}

std::string code_text(berth_code code) {
  constexpr const char* kHexDigits = "0123456789abcdef";
  auto rest = static_cast<std::uint32_t>(code);
  std::string digits;
  do {
    digits.insert(digits.begin(), kHexDigits[rest & 15]);
    rest >>= 4;
  } while (rest != 0);
  return "code 0x" + digits;
}

const char* step_for(std::uint32_t flags) {
  if ((flags & BERTH_ERROR_DEVICE_UNUSABLE) != 0) return "open the device again";
  if ((flags & BERTH_ERROR_RETRYABLE) != 0) return "try again";
  return "";
}

}  // namespace

Status plugin_fault(const std::string& who, const char* function, std::string what, std::string expected,
                    std::string found, const char* rule) {
  return Status({.code = Code::kPluginFault,
                 .origin = Origin::kDevice,
                 .where = who + ", " + function,
                 .what = std::move(what),
                 .expected = std::move(expected),
                 .found = std::move(found),
                 .next_step = "report this to the plugin's author",
                 .rule = rule});
}

PluginFailure translate(berth_code returned, const berth_error& error, const std::string& who, const char* function) {
  if (error.code != returned) {
    return {plugin_fault(who, function, "the plugin returned one code and wrote another", code_text(returned),
                         code_text(error.code), rules::kErrorCode)};
  }
  const int code_class = BERTH_CLASS_OF(returned);
  if (code_class < BERTH_CLASS_ARGUMENT || code_class > BERTH_CLASS_PLUGIN) {
    return {plugin_fault(who, function, "the plugin returned a code of no known class", "a class from 1 to 6",
                         code_text(returned), rules::kErrorClass)};
  }
  const auto message = text_in(error.message, sizeof error.message);
  if (!message) {
    return {plugin_fault(who, function, "the plugin wrote a message without an end", "a terminating zero byte", "none",
                         rules::kErrorMessage)};
  }
  return {Status({.code = code_of(returned),
                  .origin = Origin::kDevice,
                  .where = who + ", " + function,
                  .what = message->empty() ? "failed without a text (" + code_text(returned) + ")" : *message,
                  .next_step = step_for(error.flags),
                  .native_code = error.native_code}),
          error.option_index};
}

PluginFailure exception_failure(const std::string& who, const char* function, const char* text) {
  return {
      plugin_fault(who, function, "the plugin let an exception out", "none", clean_text(text), rules::kNoException)};
}

}  // namespace berth::loader::detail
