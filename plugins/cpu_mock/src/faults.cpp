#include "faults.h"

#include <berth/plugin_helper.hpp>
#include <charconv>
#include <limits>
#include <optional>

#include "code_name.h"
#include "text.h"

namespace berth::mock {

struct FaultSchedule::Rule {
  std::string text;
  std::uint64_t functions = 0;
  std::optional<std::uint64_t> ordinal;
  std::optional<std::uint64_t> above;
  std::uint64_t first = 1;
  std::uint64_t last = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t every = 1;
  std::uint64_t times = std::numeric_limits<std::uint64_t>::max();
  Fault fault;
  std::atomic<std::uint64_t> calls{0};
  std::atomic<std::uint64_t> fired{0};

  static std::unique_ptr<Rule> parse(std::string_view text);
  void modify(char modifier, std::string_view value);

  // Counts a call if it matches and answers its number, 0 if it does not match.
  std::uint64_t count(Function function, std::uint32_t on, std::uint64_t bytes) {
    if ((functions & bit(function)) == 0) return 0;
    if (ordinal && *ordinal != on) return 0;
    if (above && bytes <= *above) return 0;
    return calls.fetch_add(1, std::memory_order_relaxed) + 1;
  }

  bool fires(std::uint64_t call) {
    if (call < first || call > last || call % every != 0) return false;
    return fired.fetch_add(1, std::memory_order_relaxed) < times;
  }
};

namespace {

[[noreturn]] void refuse_rule(std::string_view rule, const std::string& why) {
  throw plugin::Failure(BERTH_INVALID_ARGUMENT, "fault rule '" + std::string(rule) + "': " + why);
}

// "CODE", "CODE(-5)", "NOTHING" or "LIE".
Fault parse_effect(std::string_view rule, std::string_view text) {
  Fault fault;
  if (text == "NOTHING") {
    fault.effect = Effect::kNothing;
    return fault;
  }
  if (text == "LIE") {
    fault.effect = Effect::kLie;
    return fault;
  }
  std::string_view code = text;
  if (const std::size_t open = text.find('('); open != std::string_view::npos && text.back() == ')') {
    code = trim(text.substr(0, open));
    const std::string_view native = text.substr(open + 1, text.size() - open - 2);
    const auto [stopped, problem] = std::from_chars(native.data(), native.data() + native.size(), fault.native_code);
    if (problem != std::errc() || stopped != native.data() + native.size())
      refuse_rule(rule, "'" + std::string(native) + "' is not a driver's code, a whole number");
  }
  const std::optional<berth_code> known = code_named(code);
  if (!known)
    refuse_rule(
        rule, "'" + std::string(code) + "' is no effect; expected a code such as OUT_OF_DEVICE_MEMORY, NOTHING or LIE");
  fault.effect = Effect::kFail;
  fault.code = *known;
  return fault;
}

std::uint64_t parse_functions(std::string_view rule, std::string_view text) {
  if (text == "*") return kDeviceFunctions;
  const std::optional<Function> function = function_named(text);
  if (!function) refuse_rule(rule, "'" + std::string(text) + "' is no function of the table, nor 'work' or '*'");
  return bit(*function);
}

}  // namespace

FaultSchedule::FaultSchedule() = default;
FaultSchedule::FaultSchedule(FaultSchedule&&) noexcept = default;
FaultSchedule& FaultSchedule::operator=(FaultSchedule&&) noexcept = default;
FaultSchedule::~FaultSchedule() = default;

std::unique_ptr<FaultSchedule::Rule> FaultSchedule::Rule::parse(std::string_view text) {
  constexpr std::string_view kModifiers = "@#%!>";
  auto rule = std::make_unique<Rule>();
  rule->text = text;
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) refuse_rule(text, "expected 'function=effect'");
  std::string_view left = trim(text.substr(0, equals));
  rule->fault = parse_effect(text, trim(text.substr(equals + 1)));
  std::size_t at = left.find_first_of(kModifiers);
  rule->functions = parse_functions(text, trim(left.substr(0, at)));
  while (at != std::string_view::npos) {
    const char modifier = left[at];
    left.remove_prefix(at + 1);
    at = left.find_first_of(kModifiers);
    rule->modify(modifier, trim(left.substr(0, at)));
  }
  if (rule->first == 0 || rule->first > rule->last || rule->every == 0 || rule->times == 0)
    refuse_rule(text, "it would never fire; calls are counted from 1");
  return rule;
}

void FaultSchedule::Rule::modify(char modifier, std::string_view value) {
  const std::string what = "fault rule '" + text + "'";
  if (modifier == '@') {
    ordinal = parse_number(value, what);
  } else if (modifier == '>') {
    above = parse_size(value, what);
  } else if (modifier == '!') {
    times = parse_number(value, what);
  } else if (modifier == '%') {
    every = parse_number(value, what);
  } else if (const std::size_t dash = value.find('-'); dash != std::string_view::npos) {
    first = parse_number(value.substr(0, dash), what);
    last = parse_number(value.substr(dash + 1), what);
  } else if (!value.empty() && value.back() == '+') {
    first = parse_number(value.substr(0, value.size() - 1), what);
  } else {
    first = last = parse_number(value, what);
  }
}

FaultSchedule FaultSchedule::parse(std::string_view text) {
  FaultSchedule schedule;
  for (const std::string_view part : split(text, ';')) {
    schedule.rules_.push_back(Rule::parse(part));
    schedule.watched_ |= schedule.rules_.back()->functions;
  }
  return schedule;
}

Fault FaultSchedule::next(Function function, std::uint32_t ordinal, std::uint64_t bytes) {
  Fault result;
  for (const std::unique_ptr<Rule>& rule : rules_) {
    const std::uint64_t call = rule->count(function, ordinal, bytes);
    if (call == 0 || result.effect != Effect::kNone || !rule->fires(call)) continue;
    result = rule->fault;
    result.message =
        "fault schedule: '" + rule->text + "' at call " + std::to_string(call) + ", " + std::string(name(function));
  }
  return result;
}

}  // namespace berth::mock
