#include "registry/config_value.h"

namespace berth::loader::detail {

const ConfigMember* ConfigValue::find(std::string_view key) const noexcept {
  for (const ConfigMember& member : members) {
    if (member.key == key) return &member;
  }
  return nullptr;
}

const char* kind_text(ConfigValue::Kind kind) noexcept {
  switch (kind) {
    case ConfigValue::Kind::kBool:
      return "a boolean";
    case ConfigValue::Kind::kInteger:
      return "an integer";
    case ConfigValue::Kind::kDouble:
      return "a floating-point number";
    case ConfigValue::Kind::kString:
      return "a string";
    case ConfigValue::Kind::kDate:
      return "a date or time";
    case ConfigValue::Kind::kArray:
      return "an array";
    case ConfigValue::Kind::kTable:
      return "a table";
  }
  return "an unknown value";
}

}  // namespace berth::loader::detail
