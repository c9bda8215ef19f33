// Setting the inputs of a run: numbers must be the ones that the program was made for; tensors are copied into planned
// inputs and shared with unplanned ones.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "layout.h"
#include "method.h"
#include "tensor_text.h"

namespace berth::module::detail {
namespace {

using program::Storage;
using program::TensorPlan;
using program::ValuePlan;

Status refuse(std::string what, std::string expected, std::string found, std::string next_step = {}) {
  return Status({.code = Code::kInvalidArgument,
                 .origin = Origin::kUsage,
                 .what = std::move(what),
                 .expected = std::move(expected),
                 .found = std::move(found),
                 .next_step = std::move(next_step)});
}

// Upstream's tolerance for numbers that a program was traced with.
bool nearly_equal(double expected, double found) {
  return expected == found || std::abs(expected - found) <= 1e-4 + 1e-5 * std::abs(expected) ||
         (std::isnan(expected) && std::isnan(found));
}

// The number, bool or string that the program was traced with.
Value traced_value(const ValuePlan& plan) {
  switch (plan.type) {
    case ValueType::kInt:
      return Value::of_int(plan.integer);
    case ValueType::kBool:
      return Value::of_bool(plan.integer != 0);
    case ValueType::kDouble:
      return Value::of_double(plan.real);
    case ValueType::kString:
      return Value::borrow_string(plan.text);
    default:
      return {};
  }
}

bool same_number(const Value& expected, const Value& given) {
  return expected.to_int() == given.to_int() && expected.to_bool() == given.to_bool() &&
         expected.to_string() == given.to_string() && nearly_equal(expected.to_double(), given.to_double());
}

std::string plan_layout(const TensorPlan& plan) {
  std::string text = detail::layout_text(plan.scalar_type, plan.sizes);
  if (plan.dynamism != Dynamism::kStatic) text += " or smaller";
  return text;
}

}  // namespace

Status Method::set_inputs(std::span<const Value> inputs) {
  if (inputs.size() != plan_.inputs.size()) {
    return refuse("wrong number of inputs", std::to_string(plan_.inputs.size()), std::to_string(inputs.size()));
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Status status = set_input(i, inputs[i]);
    if (!status.ok()) [[unlikely]] {
      return status.at("input " + std::to_string(i));
    }
  }
  return {};
}

Status Method::set_input(std::size_t index, const Value& given) {
  const auto value_index = static_cast<std::size_t>(plan_.inputs[index]);
  const ValuePlan& plan = plan_.values[value_index];
  if (given.type() != plan.type) return refuse("wrong type", value_type_name(plan.type), given.describe());
  if (plan.type == ValueType::kTensor) {
    const auto tensor = static_cast<std::size_t>(plan.integer);
    return set_tensor_input(plan_.tensors[tensor], body_.tensors[tensor], *given.to_tensor());
  }
  const Value expected = traced_value(plan);
  if (expected.type() != plan.type) {
    return refuse("a list cannot be an input", "a tensor, number, bool, string or none", given.describe());
  }
  if (!same_number(expected, given)) {
    return refuse("not the value that the program was made for", expected.describe(), given.describe(),
                  "export the program again for another value");
  }
  body_.values[value_index].alias(expected);
  return {};
}

Status Method::set_tensor_input(const TensorPlan& plan, Tensor& tensor, const Tensor& given) {
  if (given.scalar_type() != plan.scalar_type) {
    return refuse("wrong element type", plan_layout(plan), detail::describe_layout(given));
  }
  if (given.rank() != plan.sizes.size()) return refuse("wrong rank", plan_layout(plan), detail::describe_layout(given));
  if (!detail::same_order(given.sizes(), given.dim_order(), plan.dim_order)) {
    return refuse("wrong dim order", detail::order_text(plan.dim_order), detail::order_text(given.dim_order()),
                  "permute the array before it is given");
  }
  if (plan.dynamism == Dynamism::kStatic ? !std::ranges::equal(given.sizes(), plan.sizes)
                                         : given.nbytes() > plan.bytes) {
    return refuse("wrong sizes", plan_layout(plan), detail::describe_layout(given));
  }
  if (given.lacks_storage()) {
    return refuse("no storage", "a tensor with bytes", detail::describe_layout(given) + " without storage");
  }
  return plan.storage == Storage::kUnplanned ? share_input(tensor, given) : copy_input(tensor, given);
}

Status Method::share_input(Tensor& tensor, const Tensor& given) {
  Device* const expected = tensor.device();
  Device* const found = given.device();
  const bool right = expected == nullptr || found == nullptr ? expected == found : expected->same_hardware(*found);
  if (!right) {
    return refuse("wrong device", detail::place_text(expected), detail::place_text(found),
                  "copy the tensor there first (Tensor::clone_to)");
  }
  TensorStorage storage = given.storage();
  storage.capacity = std::max(storage.capacity, given.nbytes());
  tensor.bind(std::move(storage));
  return tensor.resize(given.sizes());
}

Status Method::copy_input(Tensor& tensor, const Tensor& given) {
  BERTH_RETURN_IF_ERROR(tensor.resize(given.sizes()));
  if (given.nbytes() == 0) return {};
  if (given.is_host() && tensor.is_host()) return tensor.write(given.bytes());
  CopyDirection direction = given.is_host() ? CopyDirection::kHostToDevice : CopyDirection::kDeviceToHost;
  if (!given.is_host() && !tensor.is_host()) {
    direction = CopyDirection::kDeviceToDevice;
    if (!tensor.device()->same_hardware(*given.device())) {
      return refuse("wrong device", detail::place_text(tensor.device()) + " or the host",
                    detail::place_text(given.device()), "copy the tensor there first (Tensor::clone_to)");
    }
  }
  Tensor source = tensor;  // the method's description: equal layouts can be written as different dim orders
  source.bind(given.storage());
  const Status status = context_.traced_copy(plan_.name, direction, CopyCause::kStaging, given.nbytes(),
                                             [&] { return tensor.copy_from(source); });
  if (status.ok()) return status;
  return status.at("copy of " + std::to_string(given.nbytes()) + " bytes, " + copy_direction_name(direction) + ", to " +
                   tensor_text(tensor));
}

void Method::release_inputs() noexcept {
  for (const std::int32_t index : plan_.inputs) {
    const ValuePlan& plan = plan_.values[static_cast<std::size_t>(index)];
    if (plan.type != ValueType::kTensor) continue;
    const auto tensor = static_cast<std::size_t>(plan.integer);
    if (plan_.tensors[tensor].storage == Storage::kUnplanned) body_.tensors[tensor].unbind();
  }
}

}  // namespace berth::module::detail
