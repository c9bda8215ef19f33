#include <string>

#include "method_reader.h"
#include "program_generated.h"

namespace berth::program::detail {

namespace {

Place value_place(const MethodDraft& draft, std::uint32_t index) {
  return {.method = draft.plan->name, .unit = "value", .index = index};
}

// The list of a list value. It may be empty, but must be there.
template <typename T>
bool read_items(ReadState& state, const Place& place, const Table& table, std::uint16_t slot, std::span<const T>& out) {
  out = state.reader.list<T>(table, slot);
  if (out.data() != nullptr) [[likely]]
    return true;
  return state.wrong(place, {.what = "the list has no items field", .expected = "a list, which may be empty"});
}

bool read_text(ReadState& state, const Place& place, const Table& table, ValuePlan& out) {
  out.text = state.reader.string(table, wire::String::VT_STRING_VAL);
  if (out.text.data() != nullptr) [[likely]]
    return true;
  return state.wrong(place, {.what = "the string value has no text", .expected = "a string, which may be empty"});
}

// Counts tags for the decision on legacy programs and notes what checks of arguments need to know.
void note_tensor(ReadState& state, std::uint32_t method, std::uint32_t index, MethodDraft& draft,
                 const TensorPlan& tensor) {
  std::uint8_t note = kNoteTensor;
  if (!tensor.device.is_host()) {
    note |= kNoteDevice;
    ++state.facts.tags;
    state.facts.planned_tag |= tensor.memory_id != 0;
  }
  draft.notes[index] = note;
  if (tensor.memory_id == 0) return;
  ++draft.planned;
  if (state.facts.mismatch_value < 0 && tensor.device != draft.plan->planned_buffers[tensor.memory_id - 1].device)
      [[unlikely]] {
    state.facts.mismatch_method = method;
    state.facts.mismatch_value = index;
  }
}

[[gnu::cold]] bool no_such_type(ReadState& state, const Place& place, int type, bool has_table) {
  if (!has_table && type > 0 && type <= static_cast<int>(wire::KernelTypes::MAX)) {
    return state.wrong(place, {.what = "the value has no contents", .expected = "a table for its type"});
  }
  return state.wrong(place, {.what = "the value's type is unknown",
                             .expected = "a type from 1 to " + std::to_string(static_cast<int>(wire::KernelTypes::MAX)),
                             .found = std::to_string(type)});
}

// A value that is no tensor. `table` is present unless the type is Null.
bool read_plain_value(ReadState& state, const Place& place, wire::KernelTypes type, const Table& table,
                      ValuePlan& out) {
  FlatReader& reader = state.reader;
  switch (type) {
    case wire::KernelTypes::Int:
      out.type = ValueType::kInt;
      out.integer = reader.scalar<std::int64_t>(table, wire::Int::VT_INT_VAL, 0);
      return true;
    case wire::KernelTypes::Bool:
      out.type = ValueType::kBool;
      out.integer = reader.scalar<std::uint8_t>(table, wire::Bool::VT_BOOL_VAL, 0) != 0 ? 1 : 0;
      return true;
    case wire::KernelTypes::Double:
      out.type = ValueType::kDouble;
      out.real = reader.scalar<double>(table, wire::Double::VT_DOUBLE_VAL, 0.0);
      return true;
    case wire::KernelTypes::String:
      out.type = ValueType::kString;
      return read_text(state, place, table, out);
    case wire::KernelTypes::IntList:
      out.type = ValueType::kIntList;
      return read_items(state, place, table, wire::IntList::VT_ITEMS, out.int_items);
    case wire::KernelTypes::DoubleList:
      out.type = ValueType::kDoubleList;
      return read_items(state, place, table, wire::DoubleList::VT_ITEMS, out.double_items);
    case wire::KernelTypes::BoolList:
      out.type = ValueType::kBoolList;
      return read_items(state, place, table, wire::BoolList::VT_ITEMS, out.bool_items);
    case wire::KernelTypes::TensorList:
      out.type = ValueType::kTensorList;
      return read_items(state, place, table, wire::TensorList::VT_ITEMS, out.tensor_items);
    case wire::KernelTypes::OptionalTensorList:
      out.type = ValueType::kOptionalTensorList;
      return read_items(state, place, table, wire::OptionalTensorList::VT_ITEMS, out.tensor_items);
    default:
      return true;  // Null; the caller has refused unknown types
  }
}

[[gnu::cold]] bool bad_item(ReadState& state, const Place& place, std::size_t item, std::int64_t found,
                            const char* expected) {
  return state.wrong(place, {.what = "item " + std::to_string(item) + " of the list names a value that cannot be in it",
                             .expected = expected,
                             .found = "value " + std::to_string(found)});
}

bool check_int_list(ReadState& state, const MethodDraft& draft, std::uint32_t index) {
  const auto values = draft.plan->values;
  const auto items = values[index].int_items;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto item = static_cast<std::uint64_t>(items[i]);
    if (item >= values.size() || values[item].type > ValueType::kDouble) [[unlikely]] {
      return bad_item(state, value_place(draft, index), i, items[i], "the index of a number of the method");
    }
  }
  return true;
}

// Sets the list's note.
bool check_tensor_list(ReadState& state, const MethodDraft& draft, std::uint32_t index, bool optional) {
  const auto items = draft.plan->values[index].tensor_items;
  std::uint8_t note = kNoteList;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (optional && items[i] == -1) continue;
    const auto item = static_cast<std::uint32_t>(items[i]);
    if (item >= draft.notes.size()) [[unlikely]] {
      return bad_item(state, value_place(draft, index), i, items[i], "the index of a tensor of the method");
    }
    if (optional && draft.plan->values[item].type == ValueType::kNone) continue;
    if ((draft.notes[item] & kNoteTensor) == 0) [[unlikely]] {
      return bad_item(state, value_place(draft, index), i, items[i], "the index of a tensor of the method");
    }
    note |= draft.notes[item] & kNoteDevice;
  }
  draft.notes[index] = note;
  return true;
}

// Items may come after their list, so lists are checked when all values are known.
bool check_lists(ReadState& state, const MethodDraft& draft) {
  const auto values = draft.plan->values;
  for (std::uint32_t i = 0; i < values.size(); ++i) {
    switch (values[i].type) {
      case ValueType::kIntList:
        if (!check_int_list(state, draft, i)) return false;
        break;
      case ValueType::kTensorList:
        if (!check_tensor_list(state, draft, i, false)) return false;
        break;
      case ValueType::kOptionalTensorList:
        if (!check_tensor_list(state, draft, i, true)) return false;
        break;
      default:
        break;
    }
  }
  return true;
}

// The values of one method while they are read.
struct ValueArrays {
  std::span<ValuePlan> values;
  std::span<TensorPlan> tensors;  // room for as many as there are values
  std::size_t tensor_count = 0;
  bool lists = false;  // there are lists, whose items have to be checked
};

bool read_value(ReadState& state, std::uint32_t method, MethodDraft& draft, const Place& place, const Table& entry,
                ValueArrays& arrays) {
  const auto index = static_cast<std::uint32_t>(place.index);
  const auto type = state.reader.scalar<std::uint8_t>(entry, wire::EValue::VT_VAL_TYPE, 0);
  const Table table = state.reader.table(entry, wire::EValue::VT_VAL);
  if (type == 0 || type > static_cast<int>(wire::KernelTypes::MAX) || (type > 1 && !table.present())) [[unlikely]] {
    return no_such_type(state, place, type, table.present());
  }
  ValuePlan& value = arrays.values[index];
  if (type == static_cast<std::uint8_t>(wire::KernelTypes::Tensor)) {
    TensorPlan& tensor = arrays.tensors[arrays.tensor_count];
    value.type = ValueType::kTensor;
    value.integer = static_cast<std::int64_t>(arrays.tensor_count++);
    if (!read_tensor(state, place, table, draft.plan->planned_buffers, tensor)) return false;
    note_tensor(state, method, index, draft, tensor);
    return true;
  }
  if (!read_plain_value(state, place, static_cast<wire::KernelTypes>(type), table, value)) return false;
  arrays.lists |= value.type >= ValueType::kIntList;
  return true;
}

}  // namespace

bool read_values(ReadState& state, std::uint32_t method, MethodDraft& draft) {
  const TableList list = state.reader.tables(draft.table, wire::ExecutionPlan::VT_VALUES);
  if (!list.present()) [[unlikely]] {
    return state.wrong({.method = draft.plan->name}, {.what = "the method has no list of values"});
  }
  auto* values = state.make<ValuePlan>(list.size);
  auto* notes = state.make<std::uint8_t>(list.size);
  auto* tensors = state.make<TensorPlan>(list.size);  // the unused end is given back below
  if (values == nullptr || notes == nullptr || tensors == nullptr) return state.no_memory();
  ValueArrays arrays{.values = {values, list.size}, .tensors = {tensors, list.size}};
  draft.plan->values = arrays.values;
  draft.notes = {notes, list.size};
  Place place = value_place(draft, 0);
  for (std::uint32_t i = 0; i < list.size; ++i) {
    place.index = i;
    if (!read_value(state, method, draft, place, state.reader.item(list, i), arrays)) return false;
  }
  state.arena.keep_of_last(tensors, arrays.tensor_count);
  draft.tensors = arrays.tensors.first(arrays.tensor_count);
  draft.plan->tensors = draft.tensors;
  if (!state.structure({.method = draft.plan->name, .unit = "values"})) return false;
  return !arrays.lists || check_lists(state, draft);
}

}  // namespace berth::program::detail
