#include "device_checks.h"

#include <algorithm>
#include <string>

#include "berth/program/delegate_target.h"
#include "shape.h"
#include "target_text.h"

namespace berth::program::detail {

namespace {

// The tensor that value `index` is; null when it is none.
const TensorPlan* tensor_of(const MethodDraft& draft, std::int32_t index) {
  const ValuePlan& value = draft.plan->values[static_cast<std::size_t>(index)];
  return value.type == ValueType::kTensor ? &draft.tensors[static_cast<std::size_t>(value.integer)] : nullptr;
}

std::string value_text(std::int32_t index) { return "value " + std::to_string(index); }

[[gnu::cold]] bool wrong_sides(ReadState& state, const Place& place, const OperatorPlan& op, const TensorPlan& self,
                               const TensorPlan& out, bool to_device) {
  return state.wrong(place, {.what = to_string(op) + " has the wrong sides",
                             .expected = to_device ? "from cpu:0 to a device" : "from a device to cpu:0",
                             .found = "from " + to_string(self.device) + " to " + to_string(out.device)});
}

[[gnu::cold]] bool different_tensors(ReadState& state, const Place& place, const OperatorPlan& op,
                                     const TensorPlan& self, const TensorPlan& out) {
  if (self.scalar_type != out.scalar_type) {
    return state.wrong(place, {.what = to_string(op) + " would change the element type",
                               .expected = scalar_type_name(self.scalar_type),
                               .found = scalar_type_name(out.scalar_type)});
  }
  return state.wrong(place, {.what = to_string(op) + " would change the dim order",
                             .expected = list_text(self.dim_order),
                             .found = list_text(out.dim_order)});
}

// The device of a list's tensors when they agree; the host for an empty list. False when they differ.
bool list_device(const MethodDraft& draft, const ValuePlan& list, ProgramDevice& device) {
  bool first = true;
  for (const std::int32_t item : list.tensor_items) {
    const TensorPlan* tensor = item < 0 ? nullptr : tensor_of(draft, item);
    if (tensor == nullptr) continue;
    if (!first && tensor->device != device) return false;
    device = tensor->device;
    first = false;
  }
  return true;
}

[[gnu::cold]] bool mixed_move(ReadState& state, const Place& place, const InstructionPlan& move) {
  return state.wrong(place, {.what = "the move makes a value a tensor, or a list of tensors, that was none before",
                             .expected = "both sides of one type",
                             .found = value_text(move.from) + " and " + value_text(move.to) + " of different types"});
}

}  // namespace

bool check_copy(ReadState& state, const MethodDraft& draft, const Place& place, const InstructionPlan& call) {
  const OperatorPlan& op = draft.plan->operators[call.target];
  const auto args = call.args;
  if (args.size() != 3 || args[1] != args[2]) [[unlikely]] {
    return state.wrong(place, {.what = to_string(op) + " has the wrong arguments",
                               .expected = "self, out and out again",
                               .found = std::to_string(args.size()) + " arguments" +
                                        (args.size() == 3 ? ", of which the last two differ" : "")});
  }
  const TensorPlan* self = tensor_of(draft, args[0]);
  const TensorPlan* out = tensor_of(draft, args[1]);
  if (self == nullptr || out == nullptr) [[unlikely]] {
    return state.wrong(place, {.what = to_string(op) + " has an argument that is no tensor",
                               .expected = "two tensors",
                               .found = value_text(self == nullptr ? args[0] : args[1]) + " of another type"});
  }
  const bool to_device = draft.operator_kinds[call.target] == OperatorKind::kCopyToDevice;
  if (self->device.is_host() != to_device || out->device.is_host() == to_device) [[unlikely]] {
    return wrong_sides(state, place, op, *self, *out, to_device);
  }
  if (self->scalar_type != out->scalar_type || !std::equal(self->dim_order.begin(), self->dim_order.end(),
                                                           out->dim_order.begin(), out->dim_order.end())) [[unlikely]] {
    return different_tensors(state, place, op, *self, *out);
  }
  return true;
}

bool device_argument(ReadState& state, const MethodDraft& draft, const Place& place, const InstructionPlan& call) {
  const std::int32_t value = argument_elsewhere(*draft.plan, call, ProgramDevice{}).value_or(-1);
  const TensorPlan* tensor = tensor_of(draft, value);
  return state.wrong(place, {.what = "a host kernel, " + to_string(draft.plan->operators[call.target]) +
                                     ", is given memory of a device",
                             .expected = "arguments on cpu:0",
                             .found = value_text(value) + " on " +
                                      (tensor != nullptr ? to_string(tensor->device) : "a device, as item of a list"),
                             .next_step = "export the program again, with copies around its delegates"});
}

bool check_delegate_call(ReadState& state, const MethodDraft& draft, const Place& place, const InstructionPlan& call) {
  if (state.legacy) return true;
  const DelegatePlan& delegate = draft.plan->delegates[call.target];
  const std::optional<TargetText> target = target_text(delegate);
  if (!target) return true;
  if (!target->valid) [[unlikely]] {
    const Place delegate_place{.file = state.file, .method = place.method, .unit = "delegate", .index = call.target};
    state.failure = delegate_target(delegate).status().at(to_string(delegate_place));
    return false;
  }
  const std::optional<ProgramDevice> device = target->program_device();
  if (!device) return true;
  const std::optional<std::int32_t> elsewhere = argument_elsewhere(*draft.plan, call, *device);
  if (!elsewhere) [[likely]]
    return true;
  const TensorPlan* tensor = tensor_of(draft, *elsewhere);
  return state.wrong(place, {.what = "delegate " + std::to_string(call.target) + ", '" + std::string(delegate.id) +
                                     "', is given memory of another device",
                             .expected = "arguments on its target_device " + to_string(*device),
                             .found = value_text(*elsewhere) + " on " +
                                      (tensor != nullptr ? to_string(tensor->device) : "another, as item of a list")});
}

bool check_move(ReadState& state, const MethodDraft& draft, const Place& place, const InstructionPlan& move) {
  const std::uint8_t kinds = kNoteTensor | kNoteList;
  const std::uint8_t from = draft.notes[static_cast<std::size_t>(move.from)];
  const std::uint8_t to = draft.notes[static_cast<std::size_t>(move.to)];
  if (((from ^ to) & kinds) != 0) [[unlikely]]
    return mixed_move(state, place, move);
  if ((from & kinds) == 0) return true;
  ProgramDevice from_device;
  ProgramDevice to_device;
  bool agree = true;
  if ((from & kNoteTensor) != 0) {
    const TensorPlan* source = tensor_of(draft, move.from);
    const TensorPlan* destination = tensor_of(draft, move.to);
    if (source->scalar_type != destination->scalar_type) [[unlikely]] {
      return state.wrong(place, {.what = "the move changes the element type of value " + std::to_string(move.to),
                                 .expected = scalar_type_name(destination->scalar_type),
                                 .found = scalar_type_name(source->scalar_type)});
    }
    from_device = source->device;
    to_device = destination->device;
  } else {
    const ValuePlan& source = draft.plan->values[static_cast<std::size_t>(move.from)];
    const ValuePlan& destination = draft.plan->values[static_cast<std::size_t>(move.to)];
    agree = list_device(draft, source, from_device) && list_device(draft, destination, to_device);
  }
  if (agree && from_device == to_device) [[likely]]
    return true;
  return state.wrong(place, {.what = "the move changes the device of value " + std::to_string(move.to),
                             .expected = "a source on " + to_string(to_device),
                             .found = value_text(move.from) + " on " + to_string(from_device)});
}

}  // namespace berth::program::detail
