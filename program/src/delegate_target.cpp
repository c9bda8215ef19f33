#include "berth/program/delegate_target.h"

#include <string>

#include "target_text.h"

namespace berth::program {

namespace {

constexpr std::string_view kKey = "target_device";
constexpr std::size_t kLongestType = 31;
constexpr std::int32_t kLargestIndex = 127;  // tensors store it in a signed byte

bool is_space(char letter) { return letter == ' ' || (letter >= '\t' && letter <= '\r'); }
bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }
char lower(char letter) { return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter; }

bool equal_in_any_case(std::string_view text, std::string_view lower_case) {
  if (text.size() != lower_case.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (lower(text[i]) != lower_case[i]) return false;
  }
  return true;
}

bool is_name_letter(char letter) {
  const char small = lower(letter);
  return (small >= 'a' && small <= 'z') || is_digit(small) || small == '_';
}

std::size_t skip_spaces(std::string_view text, std::size_t at) {
  while (at < text.size() && is_space(text[at])) ++at;
  return at;
}

// Reads the index from `at` to the end of the text.
bool read_index(std::string_view text, std::size_t at, std::int32_t& out) {
  at = skip_spaces(text, at);
  const std::size_t start = at;
  for (; at < text.size() && is_digit(text[at]); ++at) {
    out = out * 10 + (text[at] - '0');
    if (out > kLargestIndex) return false;
  }
  return at > start && skip_spaces(text, at) == text.size();
}

// Takes "type" or "type:index" apart, with spaces anywhere between.
bool read_target(std::string_view text, detail::TargetText& out) {
  const std::size_t start = skip_spaces(text, 0);
  std::size_t at = start;
  while (at < text.size() && is_name_letter(text[at])) ++at;
  out.type = text.substr(start, at - start);
  if (out.type.empty() || out.type.size() > kLongestType || is_digit(out.type.front()) || out.type.front() == '_') {
    return false;
  }
  at = skip_spaces(text, at);
  if (at == text.size()) return true;
  return text[at] == ':' && read_index(text, at + 1, out.index);
}

// The devices of a tensor, or of the tensors of a list.
bool is_on(const MethodPlan& method, const ValuePlan& value, ProgramDevice device) {
  if (value.type == ValueType::kTensor) {
    return method.tensors[static_cast<std::size_t>(value.integer)].device == device;
  }
  if (value.type != ValueType::kTensorList && value.type != ValueType::kOptionalTensorList) return true;
  for (const std::int32_t item : value.tensor_items) {
    if (item < 0) continue;
    const ValuePlan& tensor = method.values[static_cast<std::size_t>(item)];
    if (tensor.type == ValueType::kTensor && !is_on(method, tensor, device)) return false;
  }
  return true;
}

}  // namespace

namespace detail {

std::optional<ProgramDevice> TargetText::program_device() const {
  if (equal_in_any_case(type, "cuda")) return ProgramDevice{1, static_cast<std::uint8_t>(index)};
  if (equal_in_any_case(type, "cpu")) return ProgramDevice{0, static_cast<std::uint8_t>(index)};
  return std::nullopt;
}

std::optional<TargetText> target_text(const DelegatePlan& delegate) {
  for (const CompileSpec& spec : delegate.compile_specs) {
    if (spec.key != kKey) continue;
    TargetText target;
    target.text = {reinterpret_cast<const char*>(spec.value.data()), spec.value.size()};
    target.valid = read_target(target.text, target);
    if (target.index != 0 && equal_in_any_case(target.type, "cpu")) target.valid = false;
    return target;
  }
  return std::nullopt;
}

}  // namespace detail

Result<std::optional<DeviceId>> delegate_target(const DelegatePlan& delegate) {
  const std::optional<detail::TargetText> target = detail::target_text(delegate);
  if (!target) return std::optional<DeviceId>();
  if (!target->valid) {
    return fail({.code = Code::kInvalidProgram,
                 .origin = Origin::kInput,
                 .where = "delegate '" + std::string(delegate.id) + "'",
                 .what = "compile spec target_device names no device",
                 .expected = "a device such as cuda:0, with an index from 0 to 127 (cpu: 0)",
                 .found = "'" + std::string(target->text) + "'",
                 .next_step = "export the program again with a device that exists"});
  }
  DeviceId id;
  id.type.clear();
  for (const char letter : target->type) id.type += lower(letter);
  id.index = target->index;
  return std::optional<DeviceId>(std::move(id));
}

std::optional<std::int32_t> argument_elsewhere(const MethodPlan& method, const InstructionPlan& call,
                                               ProgramDevice device) noexcept {
  for (const std::int32_t arg : call.args) {
    if (!is_on(method, method.values[static_cast<std::size_t>(arg)], device)) return arg;
  }
  return std::nullopt;
}

}  // namespace berth::program
