#include "berth/core/status.h"

#include <iterator>
#include <utility>

namespace berth {

struct Status::Rep {
  std::atomic<std::uint32_t> references{1};
  ErrorInfo info;
};

namespace {

// In the order of Code.
constexpr const char* kCodeNames[] = {
    "OK",
    "INVALID_ARGUMENT",
    "NOT_UNDERSTOOD",
    "FAILED_PRECONDITION",
    "UNSUPPORTED",
    "TIMEOUT",
    "OUT_OF_DEVICE_MEMORY",
    "ALLOCATION_TOO_LARGE",
    "TOO_MANY_ALLOCATIONS",
    "OUT_OF_HOST_MEMORY",
    "OUT_OF_PINNED_MEMORY",
    "LIMIT_EXCEEDED",
    "NO_DEVICE",
    "DEPENDENCY_MISSING",
    "NO_PERMISSION",
    "NOT_FOUND",
    "DEVICE_LOST",
    "EARLIER_WORK",
    "DRIVER_FAILED",
    "PLUGIN_FAULT",
    "INVALID_PROGRAM",
    "INVALID_DATA",
    "MISSING_OPERATOR",
    "MISSING_DELEGATE",
    "INVALID_CONFIG",
    "IO_ERROR",
    "INTERNAL",
};
static_assert(std::size(kCodeNames) == static_cast<std::size_t>(Code::kInternal) + 1);

}  // namespace

const char* code_name(Code code) noexcept {
  const auto index = static_cast<std::size_t>(code);
  return index < std::size(kCodeNames) ? kCodeNames[index] : "UNKNOWN";
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
