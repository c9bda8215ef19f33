// Running the instructions of a method.
#include <algorithm>
#include <exception>
#include <functional>
#include <new>
#include <string>

#include "method.h"
#include "tensor_text.h"

namespace berth::module::detail {
namespace {

using program::InstructionType;

Status invalid_program(std::string what, std::string expected = {}, std::string found = {}) {
  return Status({.code = Code::kInvalidProgram,
                 .origin = Origin::kInput,
                 .what = std::move(what),
                 .expected = std::move(expected),
                 .found = std::move(found)});
}

Status thrown(std::string what) {
  return Status({.code = Code::kInternal, .origin = Origin::kInternal, .what = std::move(what)});
}

const char* simple_name(InstructionType type) {
  switch (type) {
    case InstructionType::kMoveCall:
      return "move";
    case InstructionType::kJumpFalseCall:
      return "jump";
    case InstructionType::kFreeCall:
      return "free";
    default:
      return "call";
  }
}

// Once the inputs are set, a wrong argument (of Tensor::resize in a delegate, say) is the program's doing.
Status blame_program(const Status& status) {
  if (status.code() != Code::kInvalidArgument || status.origin() != Origin::kUsage) return status;
  ErrorInfo info = status.info();
  info.code = Code::kInvalidProgram;
  info.origin = Origin::kInput;
  return Status(std::move(info));
}

bool all_true(std::span<const std::byte> truths) {
  return std::ranges::all_of(truths, [](std::byte truth) { return truth != std::byte{0}; });
}

}  // namespace

Status Method::run(std::span<const Value> inputs, std::span<Value> outputs) {
  if (running_) {
    return Status(
               {.code = Code::kFailedPrecondition, .origin = Origin::kUsage, .what = "the method is running already"})
        .at(where());
  }
  if (outputs.size() != plan_.outputs.size()) {
    return Status({.code = Code::kInvalidArgument,
                   .origin = Origin::kUsage,
                   .what = "wrong number of outputs",
                   .expected = std::to_string(plan_.outputs.size()),
                   .found = std::to_string(outputs.size())})
        .at(where());
  }
  RunObserver* const observer = context_.options.observer.get();
  const RunEvent event{.kind = RunEventKind::kRun, .method = plan_.name};
  if (observer != nullptr) [[unlikely]] {
    observer->begin(event);
  }
  running_ = true;
  Status status = run_guarded(inputs, outputs);
  running_ = false;
  release_inputs();
  if (observer != nullptr) [[unlikely]] {
    observer->end(event, status);
  }
  return status.ok() ? status : status.at(where());
}

// Kernels and delegates do not throw; what does all the same (also memory that ran out) ends here.
Status Method::run_guarded(std::span<const Value> inputs, std::span<Value> outputs) try {
  restore_bindings();
  BERTH_RETURN_IF_ERROR(set_inputs(inputs));
  for (Value& output : outputs) {
    if (output.is_tensor()) output.set_tensor(Tensor());
  }
  BERTH_RETURN_IF_ERROR(bind_outputs());
  BERTH_RETURN_IF_ERROR(run_chains());
  give_outputs(outputs);
  return {};
} catch (const std::bad_alloc&) {
  return Status({.code = Code::kOutOfHostMemory, .origin = Origin::kDevice, .what = "host memory ran out"});
} catch (const std::exception& error) {
  return thrown(std::string("a kernel or delegate threw: ") + error.what());
} catch (...) {
  return thrown("a kernel or delegate threw");
}

void Method::restore_bindings() noexcept {
  for (MoveTarget& move : body_.moves) move.value->alias(move.initial);
  for (Rebound& entry : rebound_) {
    *entry.tensor = std::move(entry.before);
    rebound_marks_[static_cast<std::size_t>(entry.tensor - body_.tensors.data())] = 0;
  }
  rebound_.clear();
}

Status Method::run_chains() {
  std::uint64_t left = context_.options.max_instructions;
  const bool observed = context_.options.observer != nullptr;
  for (std::size_t chain = 0; chain < body_.chains.size(); ++chain) {
    BERTH_RETURN_IF_ERROR(observed ? run_chain<true>(chain, left) : run_chain<false>(chain, left));
  }
  return {};
}

template <bool kObserved>
Status Method::run_chain(std::size_t chain, std::uint64_t& left) {
  const std::span<const Instruction> instructions = body_.chains[chain];
  const std::span<const program::InstructionPlan> plans = plan_.chains[chain];
  for (std::size_t at = 0; at < instructions.size();) {
    if (left-- == 0) [[unlikely]] {
      return invalid_program("an endless loop", "at most " + std::to_string(context_.options.max_instructions) +
                                                    " instructions in one run")
          .at(instruction_text(chain, at));
    }
    const Instruction& instruction = instructions[at];
    RunEvent event;
    if constexpr (kObserved) {
      event = instruction_event(chain, at);
      context_.options.observer->begin(event);
    }
    std::size_t next = at + 1;
    Status status = step(instruction, plans[at], next);
    if constexpr (kObserved) context_.options.observer->end(event, status);
    if (!status.ok()) [[unlikely]] {
      return blame_program(status).at(instruction_text(chain, at));
    }
    at = next;
  }
  return {};
}

Status Method::step(const Instruction& instruction, const program::InstructionPlan& plan, std::size_t& next) {
  switch (instruction.type) {
    case InstructionType::kKernelCall:
      return call_kernel(instruction, plan);
    case InstructionType::kDelegateCall:
      scratch_.reset();
      return delegates_[instruction.target].execute(instruction.arguments());
    case InstructionType::kMoveCall:
      instruction.to->alias(*instruction.from);
      return {};
    case InstructionType::kJumpFalseCall: {
      bool condition = false;
      BERTH_RETURN_IF_ERROR(read_condition(*instruction.from, condition));
      if (!condition) next = instruction.target;
      return {};
    }
    case InstructionType::kFreeCall:
      return free_value(*instruction.from);
  }
  return {};
}

Status Method::call_kernel(const Instruction& instruction, const program::InstructionPlan& plan) {
  if (checked_ && !instruction.copies) BERTH_RETURN_IF_ERROR(check_host_arguments(instruction.arguments()));
  scratch_.reset();
  kernel_context_.set_operator_name(plan_.operators[plan.target].name);
  return instruction.kernel(kernel_context_, instruction.arguments());
}

// Only for methods in which a tensor can be without storage or, after a move, on another side than the plan says.
Status Method::check_host_arguments(std::span<Value* const> args) const {
  const auto check = [this](const Tensor* tensor) -> Status {
    if (tensor == nullptr || (tensor->is_host() && !tensor->lacks_storage())) return {};
    return invalid_program(tensor_text(*tensor) + " cannot be used by a host kernel", "a tensor with bytes on the host",
                           tensor->describe() + (tensor->has_storage() ? "" : " without storage"));
  };
  for (const Value* const value : args) {
    BERTH_RETURN_IF_ERROR(check(value->to_tensor()));
    const TensorList list = value->to_tensors();
    for (std::size_t i = 0; i < list.size(); ++i) BERTH_RETURN_IF_ERROR(check(list[i]));
  }
  return {};
}

Status Method::read_condition(const Value& value, bool& out) {
  if (value.is_bool()) {
    out = value.to_bool();
    return {};
  }
  const Tensor* const tensor = value.to_tensor();
  if (tensor == nullptr || tensor->scalar_type() != ScalarType::kBool) {
    return invalid_program("wrong condition", "a bool or a tensor of bools", value.describe());
  }
  if (tensor->lacks_storage()) {
    return invalid_program("wrong condition", "a tensor with storage", value.describe() + " without storage");
  }
  if (tensor->is_host()) {
    out = all_true(tensor->bytes());
    return {};
  }
  scratch_.reset();
  BERTH_ASSIGN_OR_STATUS(const std::span<std::byte> truths, scratch_.take(tensor->nbytes()));
  BERTH_RETURN_IF_ERROR(context_.traced_copy(plan_.name, CopyDirection::kDeviceToHost, CopyCause::kProgram,
                                             tensor->nbytes(), [&] { return tensor->read(truths); }));
  out = all_true(truths);
  return {};
}

Status Method::free_value(const Value& value) {
  Tensor* const tensor = value.to_tensor();
  if (tensor == nullptr) return invalid_program("wrong value to free", "a tensor", value.describe());
  before_rebind(*tensor);
  tensor->unbind();
  return {};
}

// Records what a run must restore. A tensor of a kernel's own is none of the method's.
void Method::before_rebind(Tensor& tensor) {
  checked_ = true;
  const std::less<const Tensor*> before;
  if (before(&tensor, body_.tensors.data()) || !before(&tensor, body_.tensors.data() + body_.tensors.size())) return;
  std::uint8_t& mark = rebound_marks_[static_cast<std::size_t>(&tensor - body_.tensors.data())];
  if (mark != 0) return;
  if (rebound_.empty()) rebound_.reserve(body_.tensors.size());
  rebound_.push_back({&tensor, tensor});
  mark = 1;
}

RunEvent Method::instruction_event(std::size_t chain, std::size_t index) const {
  const program::InstructionPlan& plan = plan_.chains[chain][index];
  RunEvent event{.kind = RunEventKind::kInstruction,
                 .method = plan_.name,
                 .name = simple_name(plan.type),
                 .chain = static_cast<std::uint32_t>(chain),
                 .instruction = static_cast<std::uint32_t>(index)};
  if (plan.type == InstructionType::kKernelCall) event.name = plan_.operators[plan.target].name;
  if (plan.type == InstructionType::kDelegateCall) {
    event.kind = RunEventKind::kDelegate;
    event.name = plan_.delegates[plan.target].id;
  }
  return event;
}

// "instruction 3 (aten::add.out on values 0, 1, 2, 4, 4)"
std::string Method::instruction_text(std::size_t chain, std::size_t index) const {
  const program::InstructionPlan& plan = plan_.chains[chain][index];
  std::string name = simple_name(plan.type);
  if (plan.type == InstructionType::kKernelCall) {
    name = operator_full_name(plan_.operators[plan.target].name, plan_.operators[plan.target].overload);
  } else if (plan.type == InstructionType::kDelegateCall) {
    name = "delegate " + std::string(plan_.delegates[plan.target].id);
  }
  std::string values;
  for (const std::int32_t value : plan.args) values += (values.empty() ? " on values " : ", ") + std::to_string(value);
  if (plan.args.empty()) values = " on value " + std::to_string(plan.from);
  const std::string prefix = plan_.chains.size() > 1 ? "chain " + std::to_string(chain) + ", " : "";
  return prefix + "instruction " + std::to_string(index) + " (" + name + values + ")";
}

}  // namespace berth::module::detail
