#include "berth/program/method_meta.h"

#include <utility>

namespace berth::program {

namespace {

// "model.pte, method 'forward'"
std::string where(const Program& program, const MethodPlan& plan) {
  return program.name() + ", method '" + std::string(plan.name) + "'";
}

[[gnu::cold]] Status no_such_index(const Program& program, const MethodPlan& plan, const char* what, std::size_t index,
                                   std::size_t count) {
  return Status({.code = Code::kInvalidArgument,
                 .origin = Origin::kUsage,
                 .where = where(program, plan),
                 .what = std::string("the method has no such ") + what,
                 .expected = count == 0 ? "no index: there are none" : "an index below " + std::to_string(count),
                 .found = std::to_string(index),
                 .next_step = "ask for one that the method has"});
}

[[gnu::cold]] Status not_a_tensor(const Program& program, const MethodPlan& plan, const char* what, std::size_t index) {
  return Status({.code = Code::kInvalidArgument,
                 .origin = Origin::kUsage,
                 .where = where(program, plan),
                 .what = std::string(what) + " " + std::to_string(index) + " is no tensor",
                 .next_step = "ask for its type first"});
}

struct End {
  const char* what;
  std::span<const std::int32_t> values;
};

Result<ValueType> type_of(const Program& program, const MethodPlan& plan, End end, std::size_t index) {
  if (index >= end.values.size()) return fail(no_such_index(program, plan, end.what, index, end.values.size()));
  return plan.values[static_cast<std::size_t>(end.values[index])].type;
}

Result<const TensorPlan*> tensor_of(const Program& program, const MethodPlan& plan, End end, std::size_t index) {
  if (index >= end.values.size()) return fail(no_such_index(program, plan, end.what, index, end.values.size()));
  const ValuePlan& value = plan.values[static_cast<std::size_t>(end.values[index])];
  if (value.type != ValueType::kTensor) return fail(not_a_tensor(program, plan, end.what, index));
  return &plan.tensors[static_cast<std::size_t>(value.integer)];
}

}  // namespace

MethodMeta::MethodMeta(std::shared_ptr<const Program> program, const MethodPlan* plan)
    : program_(std::move(program)), plan_(plan) {}

Result<MethodMeta> MethodMeta::create(std::shared_ptr<const Program> program, std::string_view method) {
  BERTH_ASSIGN(const MethodPlan* plan, program->method(method));
  return MethodMeta(std::move(program), plan);
}

Result<ValueType> MethodMeta::input_type(std::size_t index) const {
  return type_of(*program_, *plan_, {"input", plan_->inputs}, index);
}

Result<ValueType> MethodMeta::output_type(std::size_t index) const {
  return type_of(*program_, *plan_, {"output", plan_->outputs}, index);
}

Result<const TensorPlan*> MethodMeta::input_tensor(std::size_t index) const {
  return tensor_of(*program_, *plan_, {"input", plan_->inputs}, index);
}

Result<const TensorPlan*> MethodMeta::output_tensor(std::size_t index) const {
  return tensor_of(*program_, *plan_, {"output", plan_->outputs}, index);
}

Result<std::uint64_t> MethodMeta::planned_buffer_bytes(std::size_t index) const {
  const auto buffers = plan_->planned_buffers;
  if (index >= buffers.size()) return fail(no_such_index(*program_, *plan_, "planned buffer", index, buffers.size()));
  return buffers[index].bytes;
}

Result<ProgramDevice> MethodMeta::planned_buffer_device(std::size_t index) const {
  const auto buffers = plan_->planned_buffers;
  if (index >= buffers.size()) return fail(no_such_index(*program_, *plan_, "planned buffer", index, buffers.size()));
  return buffers[index].device;
}

Result<std::string> MethodMeta::operator_name(std::size_t index) const {
  const auto operators = plan_->operators;
  if (index >= operators.size()) return fail(no_such_index(*program_, *plan_, "operator", index, operators.size()));
  std::string name(operators[index].name);
  if (!operators[index].overload.empty()) name.append(".").append(operators[index].overload);
  return name;
}

Result<std::string_view> MethodMeta::delegate_id(std::size_t index) const {
  const auto delegates = plan_->delegates;
  if (index >= delegates.size()) return fail(no_such_index(*program_, *plan_, "delegate", index, delegates.size()));
  return delegates[index].id;
}

}  // namespace berth::program
