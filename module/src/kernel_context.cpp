#include <string>

#include "berth/module/kernel.h"
#include "berth/module/run_observer.h"
#include "tensor_text.h"

namespace berth::module {
namespace {

Status invalid_program(std::string what, std::string expected = {}, std::string found = {}) {
  return Status({.code = Code::kInvalidProgram,
                 .origin = Origin::kInput,
                 .what = std::move(what),
                 .expected = std::move(expected),
                 .found = std::move(found)});
}

}  // namespace

Status KernelContext::resize(Tensor& out, std::span<const std::int32_t> sizes) {
  const Status status = out.resize(sizes);
  if (status.ok()) return status;
  return invalid_program("the result of " + std::string(operator_name_) + " does not fit: " + status.info().what,
                         status.info().expected, status.info().found);
}

void KernelContext::rebind(Tensor& out, const Tensor& source) {
  if (rebinding_ != nullptr) rebinding_->before_rebind(out);
  out.bind(source.storage());
}

Status KernelContext::bad_argument(std::size_t index, std::string expected, std::string found) const {
  return invalid_program("argument " + std::to_string(index) + " of " + std::string(operator_name_),
                         std::move(expected), std::move(found));
}

Status KernelContext::bad_call(std::string_view what) const {
  return invalid_program(std::string(operator_name_).append(": ").append(what));
}

Status KernelContext::scratch_too_large(std::size_t count) const {
  return invalid_program("scratch memory for " + std::string(operator_name_), "less than 2^63 bytes",
                         std::to_string(count) + " elements");
}

std::string KernelContext::value_name(const Value& value) const {
  if (values_ == nullptr || &value < values_ || &value >= values_ + count_) return "a value";
  return "value " + std::to_string(&value - values_);
}

Status KernelContext::copy(const Value& target, const Value& source, CopyDirection direction) {
  const Tensor& to = *target.to_tensor();
  const std::uint64_t bytes = to.nbytes();
  const RunEvent event{.kind = RunEventKind::kCopy,
                       .method = method_,
                       .name = copy_cause_name(CopyCause::kProgram),
                       .direction = direction,
                       .bytes = bytes};
  if (observer_ != nullptr) observer_->begin(event);
  Status status = to.copy_from(*source.to_tensor());
  if (observer_ != nullptr) observer_->end(event, status);
  if (status.ok()) {
    copies_->add(direction, CopyCause::kProgram, bytes);
    return status;
  }
  return status.at("copy of " + std::to_string(bytes) + " bytes, " + copy_direction_name(direction) + ", from " +
                   value_name(source) + " to " + value_name(target));
}

}  // namespace berth::module
