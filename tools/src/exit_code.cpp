#include "exit_code.h"

namespace berth::cli {
namespace {

// Something is full, whoever noticed it: a program that is right can meet a host without memory.
bool is_exhaustion(Code code) {
  switch (code) {
    case Code::kOutOfDeviceMemory:
    case Code::kAllocationTooLarge:
    case Code::kTooManyAllocations:
    case Code::kOutOfHostMemory:
    case Code::kOutOfPinnedMemory:
    case Code::kLimitExceeded:
      return true;
    default:
      return false;
  }
}

}  // namespace

int exit_code(const Status& status) noexcept {
  if (status.ok()) return kExitGood;
  if (status.code() == Code::kInternal) return kExitInternal;
  if (is_exhaustion(status.code())) return kExitDevice;
  switch (status.origin()) {
    case Origin::kUsage:
      return kExitUsage;
    case Origin::kInput:
    case Origin::kRegistry:
      return kExitInput;
    case Origin::kDevice:
      return kExitDevice;
    case Origin::kInternal:
      break;
  }
  return kExitInternal;
}

}  // namespace berth::cli
