#include <string>

#include "device_checks.h"
#include "method_reader.h"
#include "program_generated.h"

namespace berth::program::detail {

namespace {

[[gnu::cold]] bool bad_index(ReadState& state, const Place& place, const char* what, std::int64_t found,
                             std::size_t count) {
  return state.wrong(place, {.what = std::string(what) + " that the method does not have",
                             .expected = "an index below " + std::to_string(count),
                             .found = std::to_string(found)});
}

[[gnu::cold]] bool bad_argument(ReadState& state, const MethodDraft& draft, const Place& place,
                                std::span<const std::int32_t> args) {
  if (args.data() == nullptr) return state.wrong(place, {.what = "the call has no list of arguments"});
  std::size_t i = 0;
  while (static_cast<std::uint32_t>(args[i]) < draft.notes.size()) ++i;
  return state.wrong(place, {.what = "argument " + std::to_string(i) + " is a value that the method does not have",
                             .expected = "a value below " + std::to_string(draft.notes.size()),
                             .found = "value " + std::to_string(args[i])});
}

// Sets `notes` to what the arguments are, all together; false when one of them is no value of the method.
bool read_args(const MethodDraft& draft, std::span<const std::int32_t> args, std::uint8_t& notes) {
  std::uint8_t all = 0;
  bool good = args.data() != nullptr;
  for (const std::int32_t arg : args) {
    if (static_cast<std::uint32_t>(arg) >= draft.notes.size()) return false;
    all |= draft.notes[static_cast<std::uint32_t>(arg)];
  }
  notes = all;
  return good;
}

bool read_kernel_call(ReadState& state, const MethodDraft& draft, const Place& place, const Table& table,
                      InstructionPlan& out) {
  const auto op = state.reader.scalar<std::int32_t>(table, wire::KernelCall::VT_OP_INDEX, 0);
  out.type = InstructionType::kKernelCall;
  out.target = static_cast<std::uint32_t>(op);
  out.args = state.reader.list<std::int32_t>(table, wire::KernelCall::VT_ARGS);
  if (out.target >= draft.operator_kinds.size()) [[unlikely]] {
    return bad_index(state, place, "the kernel call names an operator", op, draft.operator_kinds.size());
  }
  std::uint8_t notes = 0;
  if (!read_args(draft, out.args, notes)) [[unlikely]]
    return bad_argument(state, draft, place, out.args);
  switch (draft.operator_kinds[out.target]) {
    case OperatorKind::kCopyToDevice:
    case OperatorKind::kCopyToHost:
      return check_copy(state, draft, place, out);
    default:
      if ((notes & kNoteDevice) != 0) [[unlikely]]
        return device_argument(state, draft, place, out);
      return true;
  }
}

bool read_delegate_call(ReadState& state, const MethodDraft& draft, const Place& place, const Table& table,
                        InstructionPlan& out) {
  const auto delegate = state.reader.scalar<std::int32_t>(table, wire::DelegateCall::VT_DELEGATE_INDEX, 0);
  out.type = InstructionType::kDelegateCall;
  out.target = static_cast<std::uint32_t>(delegate);
  out.args = state.reader.list<std::int32_t>(table, wire::DelegateCall::VT_ARGS);
  const auto delegates = draft.plan->delegates;
  if (out.target >= delegates.size()) [[unlikely]] {
    return bad_index(state, place, "the delegate call names a delegate", delegate, delegates.size());
  }
  std::uint8_t notes = 0;
  if (!read_args(draft, out.args, notes)) [[unlikely]]
    return bad_argument(state, draft, place, out.args);
  return check_delegate_call(state, draft, place, out);
}

bool read_move(ReadState& state, const MethodDraft& draft, const Place& place, const Table& table,
               InstructionPlan& out) {
  out.type = InstructionType::kMoveCall;
  out.from = state.reader.scalar<std::int32_t>(table, wire::MoveCall::VT_MOVE_FROM, 0);
  out.to = state.reader.scalar<std::int32_t>(table, wire::MoveCall::VT_MOVE_TO, 0);
  const std::size_t count = draft.notes.size();
  if (static_cast<std::uint32_t>(out.from) >= count) [[unlikely]] {
    return bad_index(state, place, "the move's source is a value", out.from, count);
  }
  if (static_cast<std::uint32_t>(out.to) >= count) [[unlikely]] {
    return bad_index(state, place, "the move's destination is a value", out.to, count);
  }
  return check_move(state, draft, place, out);
}

bool read_jump(ReadState& state, const MethodDraft& draft, const Place& place, const Table& table,
               std::uint32_t instructions, InstructionPlan& out) {
  out.type = InstructionType::kJumpFalseCall;
  out.from = state.reader.scalar<std::int32_t>(table, wire::JumpFalseCall::VT_COND_VALUE_INDEX, 0);
  const auto target = state.reader.scalar<std::int32_t>(table, wire::JumpFalseCall::VT_DESTINATION_INSTRUCTION, 0);
  out.target = static_cast<std::uint32_t>(target);
  if (out.target > instructions) [[unlikely]] {
    return state.wrong(place, {.what = "the jump leads out of the chain",
                               .expected = "an instruction from 0 to " + std::to_string(instructions),
                               .found = std::to_string(target)});
  }
  if (static_cast<std::uint32_t>(out.from) >= draft.notes.size()) [[unlikely]] {
    return bad_index(state, place, "the jump's condition is a value", out.from, draft.notes.size());
  }
  const ValuePlan& value = draft.plan->values[static_cast<std::uint32_t>(out.from)];
  const bool boolean = value.type == ValueType::kBool ||
                       (value.type == ValueType::kTensor &&
                        draft.tensors[static_cast<std::size_t>(value.integer)].scalar_type == ScalarType::kBool);
  if (!boolean) [[unlikely]] {
    return state.wrong(place, {.what = "the jump's condition is no truth value",
                               .expected = "a bool or a tensor of bools",
                               .found = "value " + std::to_string(out.from) + " of another type"});
  }
  return true;
}

bool read_free(ReadState& state, const MethodDraft& draft, const Place& place, const Table& table,
               InstructionPlan& out) {
  out.type = InstructionType::kFreeCall;
  out.from = state.reader.scalar<std::int32_t>(table, wire::FreeCall::VT_VALUE_INDEX, 0);
  if (static_cast<std::uint32_t>(out.from) >= draft.notes.size()) [[unlikely]] {
    return bad_index(state, place, "the free call names a value", out.from, draft.notes.size());
  }
  if ((draft.notes[static_cast<std::uint32_t>(out.from)] & kNoteTensor) == 0) [[unlikely]] {
    return state.wrong(place, {.what = "the free call names a value that is no tensor",
                               .expected = "a tensor",
                               .found = "value " + std::to_string(out.from)});
  }
  return true;
}

bool read_instruction(ReadState& state, const MethodDraft& draft, const Place& place, const Table& entry,
                      std::uint32_t instructions, InstructionPlan& out) {
  const auto type = state.reader.scalar<std::uint8_t>(entry, wire::Instruction::VT_INSTR_ARGS_TYPE, 0);
  const Table table = state.reader.table(entry, wire::Instruction::VT_INSTR_ARGS);
  if (table.present()) {
    switch (static_cast<wire::InstructionArguments>(type)) {
      case wire::InstructionArguments::KernelCall:
        return read_kernel_call(state, draft, place, table, out);
      case wire::InstructionArguments::DelegateCall:
        return read_delegate_call(state, draft, place, table, out);
      case wire::InstructionArguments::MoveCall:
        return read_move(state, draft, place, table, out);
      case wire::InstructionArguments::JumpFalseCall:
        return read_jump(state, draft, place, table, instructions, out);
      case wire::InstructionArguments::FreeCall:
        return read_free(state, draft, place, table, out);
      default:
        break;
    }
  }
  return state.wrong(place,
                     {.what = table.present() ? "the instruction's type is unknown" : "the instruction has no contents",
                      .expected = "a type from 1 to 5 and its table",
                      .found = "type " + std::to_string(type)});
}

}  // namespace

bool read_chains(ReadState& state, MethodDraft& draft) {
  FlatReader& reader = state.reader;
  const TableList list = reader.tables(draft.table, wire::ExecutionPlan::VT_CHAINS);
  Place place{.method = draft.plan->name};
  if (!list.present()) [[unlikely]]
    return state.wrong(place, {.what = "the method has no list of chains"});
  auto* chains = state.make<std::span<const InstructionPlan>>(list.size);
  if (chains == nullptr) return state.no_memory();
  for (std::uint32_t i = 0; i < list.size; ++i) {
    const Table chain = reader.item(list, i);
    (void)reader.list<std::int32_t>(chain, wire::Chain::VT_INPUTS);
    (void)reader.list<std::int32_t>(chain, wire::Chain::VT_OUTPUTS);
    read_stack_traces(reader, chain);
    const TableList entries = reader.tables(chain, wire::Chain::VT_INSTRUCTIONS);
    place.chain = i;
    place.unit = nullptr;
    if (!entries.present()) [[unlikely]]
      return state.wrong(place, {.what = "the chain has no list of instructions"});
    auto* instructions = state.make<InstructionPlan>(entries.size);
    if (instructions == nullptr) return state.no_memory();
    place.unit = "instruction";
    for (std::uint32_t k = 0; k < entries.size; ++k) {
      place.index = k;
      if (!read_instruction(state, draft, place, reader.item(entries, k), entries.size, instructions[k])) return false;
    }
    chains[i] = {instructions, entries.size};
  }
  draft.plan->chains = {chains, list.size};
  return state.structure({.method = draft.plan->name, .unit = "chains"});
}

}  // namespace berth::program::detail
