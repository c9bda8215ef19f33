#include "inspect/memory_needs.h"

#include "berth/program/delegate_target.h"
#include "device_names.h"

namespace berth::cli {
namespace {

const program::TensorPlan* tensor_of(const program::MethodPlan& plan, std::int32_t value) {
  const program::ValuePlan& source = plan.values[static_cast<std::size_t>(value)];
  if (source.type != program::ValueType::kTensor) return nullptr;
  return &plan.tensors[static_cast<std::size_t>(source.integer)];
}

// A constant that lives on a device is copied there when the method is loaded.
bool is_device_constant(const program::TensorPlan& tensor) {
  if (tensor.device.is_host()) return false;
  return tensor.storage == program::Storage::kConstant ||
         (tensor.storage == program::Storage::kExternal && tensor.memory_id == 0);
}

}  // namespace

DeviceNeeds memory_needs(const program::MethodPlan& plan, bool legacy, const DeviceRegistry* registry) {
  DeviceNeeds needs;
  std::uint32_t memory_id = 0;
  for (const program::PlannedBufferPlan& buffer : plan.planned_buffers) {
    needs[device_id_of(buffer.device, registry)].push_back(
        {"planned buffer " + std::to_string(++memory_id), buffer.bytes, true});
  }
  for (const program::TensorPlan& tensor : plan.tensors) {
    auto& list = needs[device_id_of(tensor.device, registry)];
    if (is_device_constant(tensor))
      list.push_back({"constant '" + std::string(tensor.name) + "'", tensor.bytes, false});
  }
  for (std::size_t i = 0; i < plan.outputs.size(); ++i) {
    const program::TensorPlan* tensor = tensor_of(plan, plan.outputs[i]);
    if (tensor == nullptr || tensor->storage != program::Storage::kUnplanned) continue;
    needs[device_id_of(tensor->device, registry)].push_back({"output " + std::to_string(i), tensor->bytes, false});
  }
  for (const program::DelegatePlan& delegate : plan.delegates) {
    if (legacy) break;
    auto target = program::delegate_target(delegate);
    if (target.has_value() && target->has_value()) needs.try_emplace(**target);
  }
  return needs;
}

}  // namespace berth::cli
