#include "registry/table_reader.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "registry/size_text.h"
#include "registry/source_text.h"

namespace berth::loader::detail {
namespace {

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

bool holds_nul(const ConfigMember& member) {
  const auto* text = std::get_if<std::string>(&member.value.scalar);
  return member.key.find('\0') != std::string::npos || (text != nullptr && text->find('\0') != std::string::npos);
}

}  // namespace

void Mistakes::add(SourcePosition position, Mistake mistake) {
  if (!first_.ok() && std::tie(position_.line, position_.column) <= std::tie(position.line, position.column)) return;
  position_ = position;
  first_ = Status({.code = Code::kInvalidConfig,
                   .origin = Origin::kRegistry,
                   .where = place_text(file_, position),
                   .what = std::move(mistake.what),
                   .expected = std::move(mistake.expected),
                   .found = std::move(mistake.found),
                   .next_step = std::move(mistake.next_step)});
}

TableReader::TableReader(Mistakes& mistakes, const ConfigValue& table, const TableSchema& schema)
    : mistakes_(mistakes), table_(table), schema_(schema) {
  for (const ConfigMember& member : table.members) {
    if (std::ranges::find(schema.keys, member.key) != schema.keys.end()) continue;
    const std::string expected = (schema.keys.size() > 1 ? "one of " : "") + list_text(schema.keys, "and");
    const std::vector<std::string> elsewhere = tables_with(member.key);
    if (elsewhere.empty()) {
      has_unknown_key_ = true;
      mistakes.add(member.position, {.what = "unknown key in " + schema.name,
                                     .expected = expected,
                                     .found = quoted(member.key),
                                     .next_step = nearest_step(member.key, schema.keys)});
    } else {
      mistakes.add(member.position, {.what = "misplaced key in " + schema.name,
                                     .expected = expected,
                                     .found = quoted(member.key),
                                     .next_step = "move it to " + list_text(elsewhere, "or")});
    }
  }
}

void TableReader::wrong_type(const ConfigMember& member, std::string expected) const {
  mistakes_.add(member.value.position, {.what = "wrong type of " + quoted(member.key) + " in " + schema_.name,
                                        .expected = std::move(expected),
                                        .found = kind_text(member.value.kind)});
}

const ConfigMember* TableReader::of_kind(std::string_view key, ConfigValue::Kind kind, const char* expected) const {
  const ConfigMember* member = table_.find(key);
  if (member == nullptr) return nullptr;
  if (member->value.kind != kind) {
    wrong_type(*member, expected);
    return nullptr;
  }
  if (holds_nul(*member)) {
    mistakes_.add(member->value.position, {.what = "a null character in " + quoted(member->key)});
    return nullptr;
  }
  return member;
}

const ConfigMember* TableReader::text(std::string_view key) const {
  return of_kind(key, ConfigValue::Kind::kString, "a string");
}

const ConfigMember* TableReader::boolean(std::string_view key) const {
  return of_kind(key, ConfigValue::Kind::kBool, "true or false");
}

const ConfigMember* TableReader::table(std::string_view key) const {
  return of_kind(key, ConfigValue::Kind::kTable, "a table");
}

const ConfigMember* TableReader::array(std::string_view key) const {
  return of_kind(key, ConfigValue::Kind::kArray, "an array");
}

const ConfigMember* TableReader::required_text(std::string_view key, std::string next_step) const {
  if (table_.find(key) == nullptr) {
    if (has_unknown_key_) return nullptr;
    mistakes_.add(table_.position,
                  {.what = schema_.name + " without " + quoted(key), .next_step = std::move(next_step)});
    return nullptr;
  }
  const ConfigMember* member = text(key);
  if (member == nullptr || !string_of(*member).empty()) return member;
  mistakes_.add(member->value.position,
                {.what = quoted(key) + " in " + schema_.name + " is empty", .next_step = std::move(next_step)});
  return nullptr;
}

bool TableReader::boolean_or(std::string_view key, bool otherwise) const {
  const ConfigMember* member = boolean(key);
  return member == nullptr ? otherwise : *std::get_if<bool>(&member->value.scalar);
}

std::optional<std::uint64_t> TableReader::size(std::string_view key) const {
  const ConfigMember* member = of_kind(key, ConfigValue::Kind::kString, kSizeExpected);
  if (member == nullptr) return std::nullopt;
  std::string hint;
  const auto bytes = parse_size(string_of(*member), hint);
  if (!bytes) {
    mistakes_.add(member->value.position, {.what = "wrong size of " + quoted(key) + " in " + schema_.name,
                                           .expected = kSizeExpected,
                                           .found = "\"" + string_of(*member) + "\"",
                                           .next_step = hint});
  }
  return bytes;
}

std::vector<PluginOption> TableReader::options(std::string_view key) const {
  std::vector<PluginOption> options;
  const ConfigMember* member = table(key);
  if (member == nullptr) return options;
  for (const ConfigMember& option : member->value.members) {
    if (option.value.kind >= ConfigValue::Kind::kDate) {
      mistakes_.add(option.value.position, {.what = "option " + quoted(option.key) + " in " + schema_.name,
                                            .expected = "a boolean, an integer, a floating-point number or a string",
                                            .found = kind_text(option.value.kind)});
    } else if (holds_nul(option)) {
      mistakes_.add(option.position, {.what = "a null character in option " + quoted(option.key)});
    }
    options.push_back({option.key, option.value.scalar, option.position});
  }
  return options;
}

}  // namespace berth::loader::detail
