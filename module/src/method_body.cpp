#include "method_body.h"

#include <memory>
#include <string>

namespace berth::module::detail {
namespace {

using program::InstructionType;

void append(std::string& list, const std::string& name) {
  if (!list.empty()) list += ", ";
  list += name;
}

Status missing(const std::string& operators, const std::string& delegates) {
  std::string what;
  if (!operators.empty()) what = "nobody has the operators " + operators;
  if (!delegates.empty()) what += (what.empty() ? "nobody has the delegates " : ", nor the delegates ") + delegates;
  return Status({.code = operators.empty() ? Code::kMissingDelegate : Code::kMissingOperator,
                 .origin = Origin::kInput,
                 .what = what,
                 .next_step = "add them to the kernel and delegate tables that the module is loaded with"});
}

}  // namespace

MethodBody::~MethodBody() {
  std::destroy(moves.begin(), moves.end());
  std::destroy(values.begin(), values.end());
  std::destroy(tensors.begin(), tensors.end());
}

std::size_t MethodBody::measure(const program::MethodPlan& plan) noexcept {
  for (const program::ValuePlan& value : plan.values)
    counts_.items += value.int_items.size() + value.tensor_items.size();
  for (const auto& chain : plan.chains) {
    counts_.instructions += chain.size();
    for (const program::InstructionPlan& instruction : chain) {
      counts_.args += instruction.args.size();
      counts_.moves += instruction.type == InstructionType::kMoveCall ? 1 : 0;
    }
  }
  return Arena::bytes_for<Operator>(plan.operators.size()) + Arena::bytes_for<Value>(plan.values.size()) +
         Arena::bytes_for<Tensor>(plan.tensors.size()) + Arena::bytes_for<Value*>(counts_.items) +
         Arena::bytes_for<Value*>(counts_.args) + Arena::bytes_for<Instruction>(counts_.instructions) +
         Arena::bytes_for<std::span<const Instruction>>(plan.chains.size()) +
         Arena::bytes_for<MoveTarget>(counts_.moves);
}

Status MethodBody::resolve(const program::MethodPlan& plan, const KernelTable* kernels, const CopyOperators& copies,
                           const DelegateTable* delegates, Arena& arena) {
  operators_ = arena.make<Operator>(plan.operators.size());
  std::string operator_names;
  for (std::size_t i = 0; i < operators_.size(); ++i) {
    const program::OperatorPlan& entry = plan.operators[i];
    Operator& found = operators_[i];
    found.kernel = copies.find(entry.name, entry.overload);
    found.copies = found.kernel != nullptr;
    if (!found.copies && kernels != nullptr) found.kernel = kernels->find(entry.name, entry.overload);
    if (found.kernel == nullptr) [[unlikely]] {
      append(operator_names, operator_full_name(entry.name, entry.overload));
    }
  }
  std::string delegate_names;
  for (const program::DelegatePlan& entry : plan.delegates) {
    if (delegates == nullptr || delegates->find(entry.id) == nullptr) [[unlikely]] {
      const std::string name(entry.id);
      if (delegate_names.find(name) == std::string::npos) append(delegate_names, name);
    }
  }
  if (operator_names.empty() && delegate_names.empty()) return {};
  return missing(operator_names, delegate_names);
}

void MethodBody::build(const program::MethodPlan& plan, Arena& arena) noexcept {
  tensors = {arena.room<Tensor>(plan.tensors.size()), plan.tensors.size()};
  for (std::size_t i = 0; i < tensors.size(); ++i)
    new (&tensors[i]) Tensor(Tensor::from_plan(plan.tensors[i], nullptr));
  values = {arena.room<Value>(plan.values.size()), plan.values.size()};
  Value** items = arena.room<Value*>(counts_.items);
  for (std::size_t i = 0; i < values.size(); ++i) new (&values[i]) Value(make_value(plan.values[i], items));
  moves = arena.make<MoveTarget>(counts_.moves);
  chains = arena.make<std::span<const Instruction>>(plan.chains.size());
  make_chains(plan, arena.room<Instruction>(counts_.instructions), arena.room<Value*>(counts_.args));
}

void MethodBody::make_chains(const program::MethodPlan& plan, Instruction* next, Value** args) noexcept {
  std::size_t move = 0;
  for (std::size_t i = 0; i < chains.size(); ++i) {
    const Instruction* const first = next;
    for (const program::InstructionPlan& entry : plan.chains[i]) {
      new (next) Instruction(make_instruction(entry, args));
      if (entry.type == InstructionType::kMoveCall) {
        moves[move].value = next->to;
        moves[move++].initial.alias(*next->to);
      }
      ++next;
    }
    chains[i] = {first, next};
  }
}

Value MethodBody::make_value(const program::ValuePlan& plan, Value**& items) noexcept {
  switch (plan.type) {
    case ValueType::kNone:
      return {};
    case ValueType::kInt:
      return Value::of_int(plan.integer);
    case ValueType::kBool:
      return Value::of_bool(plan.integer != 0);
    case ValueType::kDouble:
      return Value::of_double(plan.real);
    case ValueType::kTensor:
      return Value::borrow_tensor(&tensors[static_cast<std::size_t>(plan.integer)]);
    case ValueType::kString:
      return Value::borrow_string(plan.text);
    case ValueType::kDoubleList:
      return Value::borrow_doubles(plan.double_items);
    case ValueType::kBoolList:
      return Value::borrow_bools(plan.bool_items);
    default:
      break;
  }
  Value** const first = items;
  for (const std::int64_t item : plan.int_items) *items++ = &values[static_cast<std::size_t>(item)];
  for (const std::int32_t item : plan.tensor_items) {
    *items++ = item < 0 ? nullptr : &values[static_cast<std::size_t>(item)];
  }
  return Value::borrow_items(plan.type, {first, items});
}

Instruction MethodBody::make_instruction(const program::InstructionPlan& plan, Value**& args) noexcept {
  Instruction instruction;
  instruction.type = plan.type;
  instruction.target = plan.target;
  switch (plan.type) {
    case InstructionType::kKernelCall:
      instruction.kernel = operators_[plan.target].kernel;
      instruction.copies = operators_[plan.target].copies;
      break;
    case InstructionType::kMoveCall:
      instruction.to = &values[static_cast<std::size_t>(plan.to)];
      break;
    case InstructionType::kFreeCall:
      frees = true;
      break;
    default:
      break;
  }
  if (plan.type != InstructionType::kKernelCall && plan.type != InstructionType::kDelegateCall) {
    instruction.from = &values[static_cast<std::size_t>(plan.from)];
    return instruction;
  }
  instruction.args = args;
  instruction.arg_count = static_cast<std::uint32_t>(plan.args.size());
  for (const std::int32_t index : plan.args) *args++ = &values[static_cast<std::size_t>(index)];
  return instruction;
}

}  // namespace berth::module::detail
