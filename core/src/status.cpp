#include "berth/core/status.h"

#include <new>
#include <utility>

namespace berth {

struct Status::Rep {
  std::atomic<std::uint32_t> references{1};
  ErrorInfo info;
};

const char* code_name(Code code) noexcept {
  switch (code) {
    case Code::kOk:
      return "OK";
    case Code::kInvalidArgument:
      return "INVALID_ARGUMENT";
    case Code::kNotUnderstood:
      return "NOT_UNDERSTOOD";
    case Code::kFailedPrecondition:
      return "FAILED_PRECONDITION";
    case Code::kUnsupported:
      return "UNSUPPORTED";
    case Code::kTimeout:
      return "TIMEOUT";
    case Code::kOutOfDeviceMemory:
      return "OUT_OF_DEVICE_MEMORY";
    case Code::kAllocationTooLarge:
      return "ALLOCATION_TOO_LARGE";
    case Code::kTooManyAllocations:
      return "TOO_MANY_ALLOCATIONS";
    case Code::kOutOfHostMemory:
      return "OUT_OF_HOST_MEMORY";
    case Code::kOutOfPinnedMemory:
      return "OUT_OF_PINNED_MEMORY";
    case Code::kLimitExceeded:
      return "LIMIT_EXCEEDED";
    case Code::kNoDevice:
      return "NO_DEVICE";
    case Code::kDependencyMissing:
      return "DEPENDENCY_MISSING";
    case Code::kNoPermission:
      return "NO_PERMISSION";
    case Code::kNotFound:
      return "NOT_FOUND";
    case Code::kDeviceLost:
      return "DEVICE_LOST";
    case Code::kEarlierWork:
      return "EARLIER_WORK";
    case Code::kDriverFailed:
      return "DRIVER_FAILED";
    case Code::kPluginFault:
      return "PLUGIN_FAULT";
    case Code::kInvalidProgram:
      return "INVALID_PROGRAM";
    case Code::kInvalidData:
      return "INVALID_DATA";
    case Code::kMissingOperator:
      return "MISSING_OPERATOR";
    case Code::kMissingDelegate:
      return "MISSING_DELEGATE";
    case Code::kInvalidConfig:
      return "INVALID_CONFIG";
    case Code::kIoError:
      return "IO_ERROR";
    case Code::kInternal:
      return "INTERNAL";
  }
  return "UNKNOWN";
}

const char* origin_name(Origin origin) noexcept {
  switch (origin) {
    case Origin::kUsage:
      return "usage";
    case Origin::kInput:
      return "input";
    case Origin::kRegistry:
      return "registry";
    case Origin::kDevice:
      return "device";
    case Origin::kInternal:
      return "internal";
  }
  return "unknown";
}

Status::Status(ErrorInfo info) : rep_(new Rep) {
  if (info.code == Code::kOk) info.code = Code::kInternal;
  rep_->info = std::move(info);
}

Status::Status(const Status& other) noexcept : rep_(other.rep_) {
  if (rep_ != nullptr) rep_->references.fetch_add(1, std::memory_order_relaxed);
}

Status& Status::operator=(const Status& other) noexcept {
  Status copy(other);
  std::swap(rep_, copy.rep_);
  return *this;
}

Status& Status::operator=(Status&& other) noexcept {
  Status taken(std::move(other));
  std::swap(rep_, taken.rep_);
  return *this;
}

void Status::unref() noexcept {
  if (rep_->references.fetch_sub(1, std::memory_order_acq_rel) == 1) delete rep_;
}

Code Status::code() const noexcept { return rep_ == nullptr ? Code::kOk : rep_->info.code; }

Origin Status::origin() const noexcept { return rep_ == nullptr ? Origin::kInternal : rep_->info.origin; }

std::int64_t Status::native_code() const noexcept { return rep_ == nullptr ? 0 : rep_->info.native_code; }

const ErrorInfo& Status::info() const noexcept {
  static const ErrorInfo none{.code = Code::kOk};
  return rep_ == nullptr ? none : rep_->info;
}

namespace {

void append_part(std::string& text, std::string_view separator, std::string_view lead, std::string_view part) {
  if (part.empty()) return;
  if (!text.empty()) text += separator;
  text += lead;
  text += part;
}

}  // namespace

std::string Status::message() const {
  if (rep_ == nullptr) return "OK";
  const ErrorInfo& info = rep_->info;
  std::string text = info.where;
  append_part(text, ": ", "", info.what);
  append_part(text, ": ", "expected ", info.expected);
  append_part(text, info.expected.empty() ? ": " : ", ", "found ", info.found);
  append_part(text, "; ", "", info.next_step);
  if (text.empty()) text = code_name(info.code);
  if (!info.rule.empty()) text += " [" + info.rule + "]";
  if (info.native_code != 0) text += " [native code " + std::to_string(info.native_code) + "]";
  return text;
}

Status Status::at(std::string_view where) const {
  if (rep_ == nullptr) return {};
  ErrorInfo info = rep_->info;
  std::string outer(where);
  append_part(outer, ": ", "", info.where);
  info.where = std::move(outer);
  return Status(std::move(info));
}

}  // namespace berth
