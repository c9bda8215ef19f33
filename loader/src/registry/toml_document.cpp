#include "registry/toml_document.h"

#include <algorithm>
#include <tuple>
#include <utility>

#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include "registry/source_text.h"

namespace berth::loader::detail {
namespace {

SourcePosition position_of(const toml::source_region& region) { return {region.begin.line, region.begin.column}; }

ConfigValue make(ConfigValue::Kind kind, SourcePosition position, OptionValue scalar = {}) {
  ConfigValue value;
  value.kind = kind;
  value.position = position;
  value.scalar = std::move(scalar);
  return value;
}

ConfigValue convert(const toml::node& node);

ConfigValue convert_table(const toml::table& table) {
  ConfigValue value = make(ConfigValue::Kind::kTable, position_of(table.source()));
  for (const auto& [key, child] : table) {
    value.members.push_back({std::string(key.str()), position_of(key.source()), convert(child)});
  }
  std::ranges::sort(value.members, [](const ConfigMember& a, const ConfigMember& b) {
    return std::tie(a.position.line, a.position.column) < std::tie(b.position.line, b.position.column);
  });
  return value;
}

ConfigValue convert_array(const toml::array& array) {
  ConfigValue value = make(ConfigValue::Kind::kArray, position_of(array.source()));
  for (const toml::node& child : array) value.items.push_back(convert(child));
  return value;
}

ConfigValue convert(const toml::node& node) {
  const SourcePosition position = position_of(node.source());
  if (const auto* table = node.as_table()) return convert_table(*table);
  if (const auto* array = node.as_array()) return convert_array(*array);
  if (const auto* text = node.as_string()) return make(ConfigValue::Kind::kString, position, text->get());
  if (const auto* flag = node.as_boolean()) return make(ConfigValue::Kind::kBool, position, flag->get());
  if (const auto* integer = node.as_integer()) return make(ConfigValue::Kind::kInteger, position, integer->get());
  if (const auto* real = node.as_floating_point()) return make(ConfigValue::Kind::kDouble, position, real->get());
  return make(ConfigValue::Kind::kDate, position);
}

// The library bounds how deep brackets nest, not dotted keys, and walks tables recursively: a long dotted key would
// take the whole stack. Every dot of a line counts, so that no quoting hides one.
constexpr std::ptrdiff_t kMaxDots = 1000;

Status check_depth(std::string_view text, const std::string& file) {
  std::uint32_t line_number = 1;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (const auto dots = std::ranges::count(text.substr(0, end), '.'); dots > kMaxDots) {
      return Status({.code = Code::kInvalidConfig,
                     .origin = Origin::kRegistry,
                     .where = place_text(file, {line_number, 1}),
                     .what = "a dotted key nests too deep",
                     .expected = "at most " + std::to_string(kMaxDots) + " dots in a line",
                     .found = std::to_string(dots)});
    }
    text.remove_prefix(std::min(end + 1, text.size()));
    ++line_number;
  }
  return {};
}

}  // namespace

Result<ConfigValue> parse_toml(std::string_view text, const std::string& file) {
  BERTH_FAIL_IF_ERROR(check_depth(text, file));
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) {
    const toml::parse_error& error = parsed.error();
    return fail({.code = Code::kInvalidConfig,
                 .origin = Origin::kRegistry,
                 .where = place_text(file, position_of(error.source())),
                 .what = "this is not valid TOML",
                 .found = std::string(error.description())});
  }
  return convert_table(parsed.table());
}

}  // namespace berth::loader::detail
