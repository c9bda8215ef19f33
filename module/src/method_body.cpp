#include "method_body.h"

#include <memory>
#include <string>

namespace berth::module::detail {
namespace {

using program::InstructionType;

Kernel find_kernel(const KernelTable* kernels, const program::OperatorPlan& plan) noexcept {
  return kernels == nullptr ? nullptr : kernels->find(plan.name, plan.overload);
}

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

Status MethodBody::check_callables(const program::MethodPlan& plan, const KernelTable* kernels,
                                   const CopyOperators& copies, const DelegateTable* delegates) {
  std::string operator_names;
  for (const program::OperatorPlan& entry : plan.operators) {
    if (find_kernel(kernels, entry) == nullptr && copies.find(entry.name, entry.overload) == nullptr) [[unlikely]] {
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

MethodBody::Counts MethodBody::count(const program::MethodPlan& plan) noexcept {
  Counts counts;
  for (const program::ValuePlan& value : plan.values)
    counts.items += value.int_items.size() + value.tensor_items.size();
  for (const auto& chain : plan.chains) {
    counts.instructions += chain.size();
    for (const program::InstructionPlan& instruction : chain) {
      counts.args += instruction.args.size();
      counts.moves += instruction.type == InstructionType::kMoveCall ? 1 : 0;
    }
  }
  return counts;
}

std::size_t MethodBody::arena_bytes(const program::MethodPlan& plan) noexcept {
  const Counts counts = count(plan);
  return Arena::bytes_for<Value>(plan.values.size()) + Arena::bytes_for<Tensor>(plan.tensors.size()) +
         Arena::bytes_for<Value*>(counts.items) + Arena::bytes_for<Value*>(counts.args) +
         Arena::bytes_for<Instruction>(counts.instructions) +
         Arena::bytes_for<std::span<const Instruction>>(plan.chains.size()) +
         Arena::bytes_for<MoveTarget>(counts.moves) + Arena::bytes_for<Operator>(plan.operators.size());
}

void MethodBody::build(const program::MethodPlan& plan, const KernelTable* kernels, const CopyOperators& copies,
                       Arena& arena) {
  const Counts counts = count(plan);
  values = arena.make<Value>(plan.values.size());
  tensors = arena.make<Tensor>(plan.tensors.size());
  moves = arena.make<MoveTarget>(counts.moves);
  chains = arena.make<std::span<const Instruction>>(plan.chains.size());
  const std::span<Operator> operators = arena.make<Operator>(plan.operators.size());
  Value** items = arena.make<Value*>(counts.items).data();
  Value** args = arena.make<Value*>(counts.args).data();
  Instruction* next = arena.make<Instruction>(counts.instructions).data();

  for (std::size_t i = 0; i < tensors.size(); ++i) tensors[i] = Tensor::from_plan(plan.tensors[i], nullptr);
  for (std::size_t i = 0; i < values.size(); ++i) values[i].alias(make_value(plan.values[i], items));
  for (std::size_t i = 0; i < operators.size(); ++i) {
    const program::OperatorPlan& entry = plan.operators[i];
    const Kernel copy = copies.find(entry.name, entry.overload);
    operators[i] = copy != nullptr ? Operator{copy, true} : Operator{find_kernel(kernels, entry), false};
  }
  std::size_t move = 0;
  for (std::size_t i = 0; i < chains.size(); ++i) {
    const Instruction* const first = next;
    for (const program::InstructionPlan& entry : plan.chains[i]) {
      *next = make_instruction(entry, operators, args);
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

Instruction MethodBody::make_instruction(const program::InstructionPlan& plan, std::span<const Operator> operators,
                                         Value**& args) noexcept {
  Instruction instruction;
  instruction.type = plan.type;
  instruction.target = plan.target;
  switch (plan.type) {
    case InstructionType::kKernelCall:
      instruction.kernel = operators[plan.target].kernel;
      instruction.copies = operators[plan.target].copies;
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
