// Inputs that any method takes: tensors of ones, and for numbers, bools and strings the values that the program was
// made for. Needs berth::module.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "berth/core/result.h"
#include "berth/module/module.h"

namespace berth::test {

// One, as an element of `type`; one bit for types that are no numbers of their own.
[[nodiscard]] inline std::vector<std::byte> one_of(program::ScalarType type) {
  using program::ScalarType;
  std::vector<std::byte> element(program::element_size(type));
  const auto put = [&](const auto number) { std::memcpy(element.data(), &number, sizeof number); };
  if (type == ScalarType::kFloat) {
    put(1.0F);
  } else if (type == ScalarType::kDouble) {
    put(1.0);
  } else if (type == ScalarType::kHalf) {
    put(std::uint16_t{0x3C00});
  } else if (type == ScalarType::kBFloat16) {
    put(std::uint16_t{0x3F80});
  } else if (!element.empty()) {
    element.front() = std::byte{1};
  }
  return element;
}

// On the host, where they count against [host] limit, or where an unplanned input must be.
[[nodiscard]] inline Result<module::Value> ones_like(module::Module& module, const program::TensorPlan& plan) {
  BERTH_ASSIGN(module::Tensor tensor, module::Tensor::empty(plan.scalar_type, plan.sizes, module.registry()->host(),
                                                            plan.dim_order, plan.dynamism));
  const std::vector<std::byte> one = one_of(plan.scalar_type);
  const std::span<std::byte> bytes = tensor.mutable_bytes();
  for (std::size_t at = 0; at < bytes.size(); at += one.size()) std::memcpy(&bytes[at], one.data(), one.size());
  if (plan.storage != program::Storage::kUnplanned || plan.device.is_host()) {
    return module::Value::of_tensor(std::move(tensor));
  }
  BERTH_ASSIGN(const std::shared_ptr<Device> device, module.find_device(plan.device));
  BERTH_ASSIGN(module::Tensor there, tensor.clone_to(device));
  return module::Value::of_tensor(std::move(there));
}

[[nodiscard]] inline Result<std::vector<module::Value>> ones_for(module::Module& module, std::string_view method) {
  using module::Value;
  using program::ValueType;
  BERTH_ASSIGN(const program::MethodMeta meta, module.method_meta(method));
  std::vector<Value> inputs;
  for (const std::int32_t index : meta.plan().inputs) {
    const program::ValuePlan& plan = meta.plan().values[static_cast<std::size_t>(index)];
    if (plan.type == ValueType::kTensor) {
      BERTH_ASSIGN(Value ones, ones_like(module, meta.plan().tensors[static_cast<std::size_t>(plan.integer)]));
      inputs.push_back(std::move(ones));
    } else if (plan.type == ValueType::kInt) {
      inputs.push_back(Value::of_int(plan.integer));
    } else if (plan.type == ValueType::kBool) {
      inputs.push_back(Value::of_bool(plan.integer != 0));
    } else if (plan.type == ValueType::kDouble) {
      inputs.push_back(Value::of_double(plan.real));
    } else {
      inputs.push_back(plan.type == ValueType::kString ? Value::of_string(plan.text) : Value::none());
    }
  }
  return inputs;
}

}  // namespace berth::test
