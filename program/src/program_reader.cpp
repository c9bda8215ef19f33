#include "program_reader.h"

#include <algorithm>
#include <string>
#include <vector>

#include "method_reader.h"
#include "plan_check.h"
#include "program_generated.h"
#include "stored_bytes.h"

namespace berth::program::detail {

namespace {

constexpr std::size_t kFewMethods = 16;

[[gnu::cold]] bool same_name(ReadState& state, std::string_view name) {
  return state.wrong({.method = name}, {.what = "two methods of the program have this name",
                                        .expected = "a name of its own for each method"});
}

bool check_names(ReadState& state, std::span<const MethodPlan> methods) {
  if (methods.size() <= kFewMethods) {
    for (std::size_t i = 1; i < methods.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        if (methods[i].name == methods[k].name) [[unlikely]]
          return same_name(state, methods[i].name);
      }
    }
    return true;
  }
  std::vector<std::string_view> names;
  names.reserve(methods.size());
  for (const MethodPlan& method : methods) names.push_back(method.name);
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  return twice == names.end() || same_name(state, *twice);
}

bool read_methods(ReadState& state, const Table& program, std::span<MethodDraft>& out) {
  const TableList list = state.reader.tables(program, wire::Program::VT_EXECUTION_PLAN);
  if (list.size == 0) [[unlikely]]
    return state.wrong({}, {.what = "the program has no methods"});
  auto* drafts = state.make<MethodDraft>(list.size);
  auto* plans = state.make<MethodPlan>(list.size);
  if (drafts == nullptr || plans == nullptr) return state.no_memory();
  for (std::uint32_t i = 0; i < list.size; ++i) {
    drafts[i].table = state.reader.item(list, i);
    drafts[i].plan = &plans[i];
    if (!read_method(state, i, drafts[i])) return false;
  }
  out = {drafts, list.size};
  return check_names(state, {plans, list.size});
}

// The tensor whose tag contradicts its buffer, when that is an error.
[[gnu::cold]] bool other_device(ReadState& state, std::span<const MethodDraft> drafts) {
  const MethodPlan& method = *drafts[static_cast<std::size_t>(state.facts.mismatch_method)].plan;
  const std::int64_t index = state.facts.mismatch_value;
  const ValuePlan& value = method.values[static_cast<std::size_t>(index)];
  const TensorPlan& tensor = method.tensors[static_cast<std::size_t>(value.integer)];
  return state.wrong(
      {.method = method.name, .unit = "value", .index = index},
      {.what = "the tensor is tagged for another device than its planned buffer " + std::to_string(tensor.memory_id),
       .expected = "a tensor on the buffer's device, " + to_string(method.planned_buffers[tensor.memory_id - 1].device),
       .found = to_string(tensor.device)});
}

// In a legacy program tags name the device of the last reader and not the memory: all of it is on the host.
[[gnu::cold]] void forget_tags(std::span<MethodDraft> drafts) {
  for (MethodDraft& draft : drafts) {
    for (TensorPlan& tensor : draft.tensors) tensor.device = {};
    for (std::uint8_t& note : draft.notes) note &= static_cast<std::uint8_t>(~kNoteDevice);
  }
}

// Decides whether device planning was off when the program was made.
bool decide_placement(ReadState& state, std::span<MethodDraft> drafts, Program::Contents& contents) {
  const PlacementFacts& facts = state.facts;
  state.legacy = facts.planned_tag && !facts.device_buffer && !facts.copy_operator;
  if (state.legacy) {
    contents.legacy = true;
    contents.unplaced_tags = facts.tags;
    forget_tags(drafts);
  } else if (facts.mismatch_value >= 0) [[unlikely]] {
    return other_device(state, drafts);
  }
  return true;
}

bool read_parts(ReadState& state, Program::Contents& contents) {
  const Table program = state.reader.root();
  (void)state.reader.scalar<std::uint32_t>(program, wire::Program::VT_VERSION, 0);
  std::span<MethodDraft> drafts;
  if (!read_stored_bytes(state, program, contents.named_data) || !read_methods(state, program, drafts) ||
      !decide_placement(state, drafts, contents)) {
    return false;
  }
  for (MethodDraft& draft : drafts) {
    if (!read_chains(state, draft) || !plan_check(state, draft)) return false;
  }
  contents.methods = {drafts[0].plan, drafts.size()};
  return state.structure({});
}

}  // namespace

Status read_program(std::span<const std::byte> head, std::span<const std::byte> whole, Program::Contents& contents) {
  Container container;
  BERTH_RETURN_IF_ERROR(read_container(contents.name, head, whole, container));
  ReadState state{
      .file = contents.name,
      .reader = {reinterpret_cast<const std::uint8_t*>(container.flatbuffer.data()), container.flatbuffer.size()},
      .container = container,
      .arena = contents.arena};
  return read_parts(state, contents) ? Status() : state.failure;
}

}  // namespace berth::program::detail
