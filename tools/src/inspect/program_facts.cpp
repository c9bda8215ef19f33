#include "inspect/program_facts.h"

#include <utility>

#include "berth/module/shape.h"
#include "berth/module/value.h"
#include "berth/program/delegate_target.h"
#include "device_names.h"
#include "report/text.h"

namespace berth::cli {
namespace {

const char* storage_name(program::Storage storage) {
  switch (storage) {
    case program::Storage::kUnplanned:
      return "unplanned";
    case program::Storage::kConstant:
      return "constant";
    case program::Storage::kPlanned:
      return "planned";
    case program::Storage::kPlannedState:
      return "planned state";
    case program::Storage::kExternal:
      break;
  }
  return "external";
}

void add_tensor_facts(ValueFacts& facts, const program::TensorPlan& tensor, const DeviceRegistry* registry) {
  facts.scalar_type = program::scalar_type_name(tensor.scalar_type);
  facts.sizes.assign(tensor.sizes.begin(), tensor.sizes.end());
  facts.dynamic = tensor.dynamism != program::Dynamism::kStatic;
  facts.device = device_name(tensor.device, registry);
  facts.storage = storage_name(tensor.storage);
  facts.bytes = tensor.bytes;
  if (auto shape = module::Shape::create(tensor.scalar_type, tensor.sizes, tensor.dim_order); shape.has_value()) {
    const auto strides = shape->strides();
    facts.strides.assign(strides.begin(), strides.begin() + shape->rank);
    facts.contiguous = shape->contiguous();
  }
}

std::string scalar_text(const program::ValuePlan& value) {
  switch (value.type) {
    case program::ValueType::kInt:
      return std::to_string(value.integer);
    case program::ValueType::kBool:
      return value.integer != 0 ? "true" : "false";
    case program::ValueType::kDouble:
      return number_text(value.real);
    case program::ValueType::kString:
      return std::string(value.text);
    default:
      return {};
  }
}

DelegateFacts delegate_facts(const program::Program& program, const program::DelegatePlan& plan,
                             const ComputeTables& tables) {
  DelegateFacts facts;
  facts.id = plan.id;
  facts.blob_bytes = plan.blob.size();
  facts.missing = tables.delegates.find(plan.id) == nullptr;
  auto target = program::delegate_target(plan);
  if (target.has_value()) {
    facts.target = target->value_or(DeviceId{}).to_string();
  } else {
    facts.target_failure = std::move(target).error().at(program.name());
  }
  return facts;
}

std::uint64_t constant_bytes(const program::MethodPlan& plan) {
  std::uint64_t bytes = 0;
  for (const program::TensorPlan& tensor : plan.tensors) {
    if (tensor.storage == program::Storage::kConstant) bytes += tensor.bytes;
  }
  return bytes;
}

}  // namespace

ValueFacts value_facts(const program::MethodPlan& plan, std::int32_t value, const DeviceRegistry* registry) {
  const program::ValuePlan& source = plan.values[static_cast<std::size_t>(value)];
  ValueFacts facts;
  facts.type = module::value_type_name(source.type);
  facts.value = scalar_text(source);
  if (source.type == program::ValueType::kTensor) {
    add_tensor_facts(facts, plan.tensors[static_cast<std::size_t>(source.integer)], registry);
  }
  return facts;
}

MethodFacts method_facts(const program::Program& program, const program::MethodPlan& plan, const ComputeTables& tables,
                         const DeviceRegistry* registry) {
  MethodFacts facts;
  facts.name = plan.name;
  for (std::int32_t input : plan.inputs) facts.inputs.push_back(value_facts(plan, input, registry));
  for (std::int32_t output : plan.outputs) facts.outputs.push_back(value_facts(plan, output, registry));
  std::uint32_t memory_id = 0;
  for (const program::PlannedBufferPlan& buffer : plan.planned_buffers) {
    facts.buffers.push_back({++memory_id, buffer.bytes, device_name(buffer.device, registry)});
  }
  for (const program::OperatorPlan& plan_op : plan.operators) {
    const bool known = tables.kernels.find(plan_op.name, plan_op.overload) != nullptr ||
                       tables.copies.find(plan_op.name, plan_op.overload) != nullptr;
    facts.operators.push_back({module::operator_full_name(plan_op.name, plan_op.overload), !known});
  }
  for (const program::DelegatePlan& delegate : plan.delegates) {
    facts.delegates.push_back(delegate_facts(program, delegate, tables));
  }
  for (const auto& chain : plan.chains) facts.instructions += chain.size();
  facts.constant_bytes = constant_bytes(plan);
  return facts;
}

}  // namespace berth::cli
