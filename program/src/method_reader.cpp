#include "method_reader.h"

#include <string>

#include "program_generated.h"

namespace berth::program::detail {

namespace {

constexpr std::string_view kCopyToDevice = "et_copy::_h2d_copy";
constexpr std::string_view kCopyToHost = "et_copy::_d2h_copy";
constexpr std::string_view kView = "executorch_prim::et_view";

Place buffer_place(const MethodDraft& draft, std::int64_t memory_id) {
  return {.method = draft.plan->name, .unit = "planned buffer", .index = memory_id};
}

[[gnu::cold]] bool missing_list(ReadState& state, const MethodDraft& draft, const char* name) {
  return state.wrong({.method = draft.plan->name}, {.what = std::string("the method has no list of ") + name,
                                                    .expected = "a list, which may be empty"});
}

// The device entries: each names one buffer, once, and a device that can be.
bool read_buffer_devices(ReadState& state, const MethodDraft& draft, std::span<PlannedBufferPlan> buffers) {
  FlatReader& reader = state.reader;
  const TableList list = reader.tables(draft.table, wire::ExecutionPlan::VT_NON_CONST_BUFFER_DEVICE);
  if (list.size == 0) return true;
  auto* listed = state.make<std::uint8_t>(buffers.size());
  if (listed == nullptr) return state.no_memory();
  for (std::uint32_t i = 0; i < list.size; ++i) {
    const Table entry = reader.item(list, i);
    const auto id = reader.scalar<std::int32_t>(entry, wire::NonConstBufferDevice::VT_BUFFER_IDX, 0);
    const auto type = reader.scalar<std::int8_t>(entry, wire::NonConstBufferDevice::VT_DEVICE_TYPE, 0);
    const auto index = reader.scalar<std::int8_t>(entry, wire::NonConstBufferDevice::VT_DEVICE_INDEX, 0);
    if (id < 1 || static_cast<std::uint32_t>(id) > buffers.size()) [[unlikely]] {
      return state.wrong({.method = draft.plan->name, .unit = "buffer device entry", .index = i},
                         {.what = "the entry names a planned buffer that the method does not have",
                          .expected = "a buffer from 1 to " + std::to_string(buffers.size()),
                          .found = "buffer " + std::to_string(id)});
    }
    if (listed[id - 1] != 0) [[unlikely]] {
      return state.wrong(buffer_place(draft, id), {.what = "two entries name the device of this buffer",
                                                   .expected = "at most one entry",
                                                   .found = "entry " + std::to_string(i) + " as well"});
    }
    if (type < 0 || index < 0 || (type == 0 && index != 0)) [[unlikely]] {
      return state.wrong(buffer_place(draft, id),
                         {.what = "the buffer is planned for a device that cannot be",
                          .expected = "cpu:0, or a device type of at least 1 with an index of at least 0",
                          .found = "type " + std::to_string(type) + ", index " + std::to_string(index)});
    }
    listed[id - 1] = 1;
    buffers[static_cast<std::size_t>(id) - 1].device = {static_cast<std::uint8_t>(type),
                                                        static_cast<std::uint8_t>(index)};
    state.facts.device_buffer |= type != 0;
  }
  return true;
}

bool read_buffers(ReadState& state, MethodDraft& draft) {
  const auto sizes = state.reader.list<std::int64_t>(draft.table, wire::ExecutionPlan::VT_NON_CONST_BUFFER_SIZES);
  if (sizes.data() == nullptr) [[unlikely]]
    return missing_list(state, draft, "planned buffer sizes");
  const std::size_t count = sizes.empty() ? 0 : sizes.size() - 1;  // slot 0 is reserved
  auto* buffers = state.make<PlannedBufferPlan>(count);
  if (buffers == nullptr) return state.no_memory();
  for (std::size_t i = 0; i < count; ++i) {
    if (sizes[i + 1] < 0) [[unlikely]] {
      return state.wrong(buffer_place(draft, static_cast<std::int64_t>(i) + 1),
                         {.what = "the buffer has a negative size",
                          .expected = "at least 0 bytes",
                          .found = std::to_string(sizes[i + 1]) + " bytes"});
    }
    buffers[i].bytes = static_cast<std::uint64_t>(sizes[i + 1]);
  }
  draft.plan->planned_buffers = {buffers, count};
  return read_buffer_devices(state, draft, {buffers, count});
}

OperatorKind kind_of(const OperatorPlan& op) {
  // Few names have these lengths, so that most operators cost one comparison.
  if (op.name.size() == kCopyToDevice.size() && op.overload == "out") {
    if (op.name == kCopyToDevice) return OperatorKind::kCopyToDevice;
    if (op.name == kCopyToHost) return OperatorKind::kCopyToHost;
  }
  return op.name == kView ? OperatorKind::kView : OperatorKind::kOther;
}

bool read_operators(ReadState& state, MethodDraft& draft) {
  FlatReader& reader = state.reader;
  const TableList list = reader.tables(draft.table, wire::ExecutionPlan::VT_OPERATORS);
  if (!list.present()) [[unlikely]]
    return missing_list(state, draft, "operators");
  auto* operators = state.make<OperatorPlan>(list.size);
  auto* kinds = state.make<OperatorKind>(list.size);
  if (operators == nullptr || kinds == nullptr) return state.no_memory();
  for (std::uint32_t i = 0; i < list.size; ++i) {
    const Table table = reader.item(list, i);
    operators[i].name = reader.string(table, wire::Operator::VT_NAME);
    operators[i].overload = reader.string(table, wire::Operator::VT_OVERLOAD);
    if (operators[i].name.empty()) [[unlikely]] {
      return state.wrong({.method = draft.plan->name, .unit = "operator", .index = i},
                         {.what = "the operator has no name"});
    }
    kinds[i] = kind_of(operators[i]);
    state.facts.copy_operator |= kinds[i] == OperatorKind::kCopyToDevice || kinds[i] == OperatorKind::kCopyToHost;
  }
  draft.plan->operators = {operators, list.size};
  draft.operator_kinds = {kinds, list.size};
  return true;
}

// The delegate's blob, in a segment or in the flatbuffer.
bool read_blob(ReadState& state, const Place& place, const Table& reference, DelegatePlan& out) {
  FlatReader& reader = state.reader;
  const auto location = reader.scalar<std::int8_t>(reference, wire::BackendDelegateDataReference::VT_LOCATION, 0);
  const auto index = reader.scalar<std::uint32_t>(reference, wire::BackendDelegateDataReference::VT_INDEX, 0);
  if (!reference.present() || static_cast<std::uint8_t>(location) > 1) [[unlikely]] {
    return state.wrong(place, {.what = "the delegate does not say where its data is",
                               .expected = "a reference to a segment or to inline data",
                               .found = reference.present() ? "location " + std::to_string(location) : "none"});
  }
  const bool in_segment = location == static_cast<std::int8_t>(wire::DataLocation::SEGMENT);
  const auto& blobs = in_segment ? state.stored.segments : state.stored.inline_blobs;
  if (index >= blobs.size()) [[unlikely]] {
    const std::string kind = in_segment ? "a segment" : "inline data";
    return state.wrong(place, {.what = "the delegate's data is in " + kind + " that the program does not list",
                               .expected = "an index below " + std::to_string(blobs.size()),
                               .found = "index " + std::to_string(index)});
  }
  out.blob = blobs[index];
  return true;
}

bool read_compile_specs(ReadState& state, const Place& place, const Table& table, DelegatePlan& out) {
  FlatReader& reader = state.reader;
  const TableList list = reader.tables(table, wire::BackendDelegate::VT_COMPILE_SPECS);
  if (!list.present()) [[unlikely]] {
    return state.wrong(place,
                       {.what = "the delegate has no list of compile specs", .expected = "a list, which may be empty"});
  }
  auto* specs = state.make<CompileSpec>(list.size);
  if (specs == nullptr) return state.no_memory();
  for (std::uint32_t i = 0; i < list.size; ++i) {
    const Table spec = reader.item(list, i);
    specs[i].key = reader.string(spec, wire::CompileSpec::VT_KEY);
    specs[i].value = std::as_bytes(reader.list<std::uint8_t>(spec, wire::CompileSpec::VT_VALUE));
    if (specs[i].key.data() == nullptr) [[unlikely]] {
      return state.wrong(place, {.what = "compile spec " + std::to_string(i) + " of the delegate has no key"});
    }
  }
  out.compile_specs = {specs, list.size};
  return true;
}

bool read_delegates(ReadState& state, MethodDraft& draft) {
  FlatReader& reader = state.reader;
  const TableList list = reader.tables(draft.table, wire::ExecutionPlan::VT_DELEGATES);
  if (!list.present()) [[unlikely]]
    return missing_list(state, draft, "delegates");
  auto* delegates = state.make<DelegatePlan>(list.size);
  if (delegates == nullptr) return state.no_memory();
  for (std::uint32_t i = 0; i < list.size; ++i) {
    const Table table = reader.item(list, i);
    const Place place{.method = draft.plan->name, .unit = "delegate", .index = i};
    delegates[i].id = reader.string(table, wire::BackendDelegate::VT_ID);
    if (delegates[i].id.empty()) [[unlikely]]
      return state.wrong(place, {.what = "the delegate has no name"});
    const Table reference = reader.table(table, wire::BackendDelegate::VT_PROCESSED);
    if (!read_blob(state, place, reference, delegates[i])) return false;
    if (!read_compile_specs(state, place, table, delegates[i])) return false;
  }
  draft.plan->delegates = {delegates, list.size};
  return true;
}

bool read_ends(ReadState& state, const MethodDraft& draft, std::uint16_t slot, const char* unit,
               std::span<const std::int32_t>& out) {
  out = state.reader.list<std::int32_t>(draft.table, slot);
  if (out.data() == nullptr) [[unlikely]] {
    return missing_list(state, draft, slot == wire::ExecutionPlan::VT_INPUTS ? "inputs" : "outputs");
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (static_cast<std::uint32_t>(out[i]) >= draft.notes.size()) [[unlikely]] {
      return state.wrong({.method = draft.plan->name, .unit = unit, .index = static_cast<std::int64_t>(i)},
                         {.what = "it names a value that the method does not have",
                          .expected = "a value below " + std::to_string(draft.notes.size()),
                          .found = "value " + std::to_string(out[i])});
    }
  }
  return true;
}

}  // namespace

bool read_method(ReadState& state, std::uint32_t method, MethodDraft& draft) {
  draft.plan->name = state.reader.string(draft.table, wire::ExecutionPlan::VT_NAME);
  if (draft.plan->name.empty()) [[unlikely]] {
    return state.wrong({.unit = "method", .index = method}, {.what = "the method has no name"});
  }
  read_container_types(state.reader, draft.table);
  if (!read_buffers(state, draft)) return false;
  if (!read_operators(state, draft)) return false;
  if (!read_delegates(state, draft)) return false;
  if (!read_values(state, method, draft)) return false;
  if (!read_ends(state, draft, wire::ExecutionPlan::VT_INPUTS, "input", draft.plan->inputs)) return false;
  return read_ends(state, draft, wire::ExecutionPlan::VT_OUTPUTS, "output", draft.plan->outputs);
}

}  // namespace berth::program::detail
