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

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

bool equal_in_any_case(std::string_view text, std::string_view lower_case) {
  if (text.size() != lower_case.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (lower(text[i]) != lower_case[i]) return false;
  }
  return true;
}

bool is_type_name(std::string_view text) {
  if (text.empty() || text.size() > kLongestType) return false;
  for (const char letter : text) {
    const char small = lower(letter);
    if (!(small >= 'a' && small <= 'z') && !is_digit(small) && small != '_') return false;
  }
  return lower(text.front()) >= 'a' && lower(text.front()) <= 'z';
}

bool read_index(std::string_view text, std::int32_t& out) {
  if (text.empty()) return false;
  out = 0;
  for (const char letter : text) {
    if (!is_digit(letter)) return false;
    out = out * 10 + (letter - '0');
    if (out > kLargestIndex) return false;
  }
  return true;
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
    const std::size_t colon = target.text.find(':');
    target.type = trim(target.text.substr(0, colon));
    target.valid = is_type_name(target.type);
    if (colon != std::string_view::npos) {
      target.valid = target.valid && read_index(trim(target.text.substr(colon + 1)), target.index);
    }
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
