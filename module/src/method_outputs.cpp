// The storage of unplanned outputs before a run, and what the caller gets after it.
#include <algorithm>
#include <string>
#include <utility>

#include "layout.h"
#include "method.h"
#include "tensor_text.h"

namespace berth::module::detail {
namespace {

using program::TensorPlan;

Status refuse(Code code, std::string what, std::string expected = {}, std::string found = {}) {
  return Status({.code = code,
                 .origin = Origin::kUsage,
                 .what = std::move(what),
                 .expected = std::move(expected),
                 .found = std::move(found)});
}

Status check_given(const TensorPlan& plan, const Tensor& own, const Tensor& given) {
  if (given.scalar_type() != plan.scalar_type || given.rank() != plan.sizes.size() ||
      !detail::same_order(plan.sizes, given.dim_order(), plan.dim_order)) {
    return refuse(
        Code::kInvalidArgument, "wrong layout",
        detail::layout_text(plan.scalar_type, plan.sizes) + " in dim order " + detail::order_text(plan.dim_order),
        detail::describe_layout(given) + " in dim order " + detail::order_text(given.dim_order()));
  }
  if (given.read_only()) return refuse(Code::kInvalidArgument, "a constant cannot be written");
  Device* const expected = own.device();
  Device* const found = given.device();
  if (expected == nullptr || found == nullptr ? expected != found : !expected->same_hardware(*found)) {
    return refuse(Code::kInvalidArgument, "wrong device", detail::place_text(expected), detail::place_text(found));
  }
  if (given.capacity() < plan.bytes || (plan.bytes != 0 && !given.has_storage())) {
    return refuse(Code::kInvalidArgument, "too little storage", "at least " + std::to_string(plan.bytes) + " bytes",
                  std::to_string(given.has_storage() ? given.capacity() : 0));
  }
  return {};
}

}  // namespace

Status Method::set_output(std::size_t index, const Value& storage) {
  if (index >= outputs_.size()) {
    return refuse(Code::kInvalidArgument, "no such output", "less than " + std::to_string(outputs_.size()),
                  std::to_string(index))
        .at(where());
  }
  OutputSlot& slot = outputs_[index];
  const std::string place = where() + ", output " + std::to_string(index);
  if (slot.tensor == nullptr) {
    return refuse(Code::kFailedPrecondition,
                  "this output has storage of its own: it is planned, a constant, an input "
                  "or no tensor")
        .at(place);
  }
  if (storage.is_none()) {
    slot.given = false;
    slot.caller = TensorStorage();
    return {};
  }
  if (!storage.is_tensor()) return refuse(Code::kInvalidArgument, "wrong type", "tensor", storage.describe()).at(place);
  const auto tensor = static_cast<std::size_t>(slot.tensor - body_.tensors.data());
  const Status status = check_given(plan_.tensors[tensor], *slot.tensor, *storage.to_tensor());
  if (!status.ok()) return status.at(place);
  slot.given = true;
  slot.caller = storage.to_tensor()->storage();
  slot.caller.capacity = slot.bytes;
  return {};
}

Status Method::bind_outputs() {
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    OutputSlot& slot = outputs_[i];
    if (slot.tensor == nullptr) continue;
    if (slot.given) {
      slot.tensor->bind(slot.caller);
      continue;
    }
    slot.tensor->unbind();
    // None after a failure to take some; more than one while the last result is held, which keeps its bytes.
    if (slot.storage.use_count() != 1) {
      slot.storage.reset();
      const Status status = allocate_output(slot);
      if (!status.ok()) return status.at("output " + std::to_string(i));
    }
    slot.tensor->bind(TensorStorage::of_buffer(*slot.storage, 0, slot.bytes, slot.storage));
  }
  return {};
}

void Method::give_outputs(std::span<Value> outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const Value& value = body_.values[static_cast<std::size_t>(plan_.outputs[i])];
    if (value.is_tensor()) {
      outputs[i].set_tensor(*value.to_tensor());
    } else {
      outputs[i].alias(value);
    }
  }
  for (OutputSlot& slot : outputs_) {
    // Results keep themselves alive; only slots hold the storage for the next run.
    if (slot.tensor != nullptr) slot.tensor->unbind();
  }
}

}  // namespace berth::module::detail
