#include <charconv>

#include "plugin/identity_text.h"
#include "registry/read_entries.h"
#include "registry/source_text.h"

namespace berth::loader::detail {
namespace {

constexpr std::int64_t kMaxOrdinal = UINT32_MAX;

std::optional<DeviceId> read_id(Mistakes& mistakes, const ConfigMember& member) {
  auto id = DeviceId::parse(string_of(member));
  if (!id.has_value()) {
    mistakes.add(member.value.position, {.what = "wrong '" + member.key + "' in [[device]]: " + id.error().info().what,
                                         .expected = id.error().info().expected,
                                         .found = "\"" + string_of(member) + "\""});
    return std::nullopt;
  }
  if (id->is_host()) {
    mistakes.add(member.value.position,
                 {.what = "wrong '" + member.key + "' in [[device]]",
                  .expected = "another id than cpu:0, which is built in",
                  .found = "\"" + string_of(member) + "\"",
                  .next_step = member.key == "id" ? "set [host] limit to bound the memory of cpu:0"
                                                  : "name another [[device]]"});
    return std::nullopt;
  }
  return *id;
}

// The ordinal that an environment variable holds; `out_status` says why there is none.
std::optional<std::uint32_t> ordinal_from(const std::string& variable, const EnvironmentLookup& environment,
                                          const std::string& where, Status& out_status) {
  const std::optional<std::string> value = environment(variable);
  std::uint32_t ordinal = 0;
  if (value && !value->empty()) {
    const auto [end, error] = std::from_chars(value->data(), value->data() + value->size(), ordinal);
    if (error == std::errc() && end == value->data() + value->size()) return ordinal;
  }
  const std::string found = !value           ? "the variable is not set"
                            : value->empty() ? "the variable is set and empty"
                                             : "\"" + *value + "\"";
  out_status = Status({.code = Code::kInvalidConfig,
                       .origin = Origin::kRegistry,
                       .where = where,
                       .what = "the ordinal cannot be read from the environment variable " + variable,
                       .expected = "a whole number from 0 to 4294967295",
                       .found = found,
                       .next_step = "let the launcher set it, or write the ordinal into the file"});
  return std::nullopt;
}

void read_ordinal(const TableReader& reader, const ConfigMember& member, const EnvironmentLookup& environment,
                  DeviceSelector& out, Status& out_status) {
  Mistakes& mistakes = reader.mistakes();
  if (const auto* number = std::get_if<std::int64_t>(&member.value.scalar);
      number != nullptr && member.value.kind == ConfigValue::Kind::kInteger) {
    if (*number >= 0 && *number <= kMaxOrdinal) {
      out.ordinal = static_cast<std::uint32_t>(*number);
      return;
    }
    mistakes.add(member.value.position, {.what = "wrong 'ordinal' in [[device]]",
                                         .expected = "a whole number from 0 to 4294967295",
                                         .found = std::to_string(*number)});
    return;
  }
  if (member.value.kind != ConfigValue::Kind::kTable) {
    reader.wrong_type(member, "an integer or { env = \"VARIABLE\" }");
    return;
  }
  const TableReader table(mistakes, member.value, ordinal_schema());
  const ConfigMember* variable = table.required_text("env", "write ordinal = { env = \"VARIABLE\" }");
  if (variable == nullptr) return;
  out.environment = string_of(*variable);
  out.ordinal =
      ordinal_from(out.environment, environment, place_text(mistakes.file(), member.value.position), out_status);
}

void read_uuid(const TableReader& reader, DeviceSelector& out) {
  const ConfigMember* member = reader.text("uuid");
  if (member == nullptr) return;
  out.uuid = parse_uuid_prefix(string_of(*member));
  if (out.uuid) return;
  reader.mistakes().add(member->value.position,
                        {.what = "wrong 'uuid' in [[device]]",
                         .expected = "a UUID or its beginning, such as \"GPU-f81d4fae-7dec-11d0-a765-00a0c91e6bf6\"",
                         .found = "\"" + string_of(*member) + "\"",
                         .next_step = "`berth devices` lists the UUIDs there are"});
}

void read_pci(const TableReader& reader, DeviceSelector& out) {
  const ConfigMember* member = reader.text("pci");
  if (member == nullptr) return;
  out.pci = parse_pci(string_of(*member));
  if (out.pci) return;
  reader.mistakes().add(member->value.position, {.what = "wrong 'pci' in [[device]]",
                                                 .expected = "a PCI address such as \"0000:65:00.0\"",
                                                 .found = "\"" + string_of(*member) + "\"",
                                                 .next_step = "`berth devices` lists the addresses there are"});
}

DeviceSelector read_selector(const TableReader& reader, const EnvironmentLookup& environment, Status& out_status) {
  DeviceSelector selector;
  const ConfigMember* first = nullptr;
  for (const char* key : {"ordinal", "uuid", "pci"}) {
    const ConfigMember* member = reader.any(key);
    if (member == nullptr) continue;
    if (first != nullptr) {
      reader.mistakes().add(member->position, {.what = "two identities in one [[device]]",
                                               .expected = "one of ordinal, uuid and pci",
                                               .found = "'" + first->key + "' and '" + member->key + "'",
                                               .next_step = "remove one of them"});
    }
    first = member;
  }
  if (first == nullptr) selector.ordinal = 0;
  if (const ConfigMember* member = reader.any("ordinal")) {
    read_ordinal(reader, *member, environment, selector, out_status);
  }
  read_uuid(reader, selector);
  read_pci(reader, selector);
  return selector;
}

DevicePolicy read_policy(const TableReader& reader) {
  const ConfigMember* member = reader.text("policy");
  if (member == nullptr) return DevicePolicy::kRequired;
  const std::vector<std::string> policies = {"required", "optional"};
  const std::string& policy = string_of(*member);
  if (policy != "required" && policy != "optional") {
    reader.mistakes().add(member->value.position, {.what = "wrong 'policy' in [[device]]",
                                                   .expected = "\"required\" or \"optional\"",
                                                   .found = "\"" + policy + "\"",
                                                   .next_step = nearest_step(policy, policies)});
  }
  if (reader.any("fallback") != nullptr) {
    reader.mistakes().add(member->position, {.what = "'policy' beside 'fallback' in one [[device]]",
                                             .expected = "one of them",
                                             .found = "both",
                                             .next_step = "remove 'policy': an entry with a fallback has none"});
  }
  return policy == "optional" ? DevicePolicy::kOptional : DevicePolicy::kRequired;
}

void check_pool(const TableReader& reader) {
  const ConfigMember* member = reader.table("pool");
  if (member == nullptr) return;
  const TableReader pool(reader.mistakes(), member->value, pool_schema());
  const ConfigMember* kind = pool.required_text("kind", "write pool = { kind = \"none\" }");
  if (kind == nullptr || string_of(*kind) == "none") return;
  reader.mistakes().add(kind->value.position, {.what = "wrong 'kind' of 'pool' in [[device]]",
                                               .expected = "\"none\", the only kind of pool in this version",
                                               .found = "\"" + string_of(*kind) + "\"",
                                               .next_step = "write pool = { kind = \"none\" }"});
}

}  // namespace

DeviceEntry read_device(Mistakes& mistakes, const ConfigValue& table, const EnvironmentLookup& environment,
                        Status& out_status) {
  const TableReader reader(mistakes, table, device_schema());
  DeviceEntry entry;
  entry.position = table.position;
  if (const ConfigMember* id = reader.required_text("id", "add id = \"cuda:0\" or what programs ask for")) {
    if (auto parsed = read_id(mistakes, *id)) entry.id = *parsed;
  }
  if (const ConfigMember* plugin =
          reader.required_text("plugin", "add plugin = \"cpu_mock\" or the name of a [[plugin]]")) {
    entry.plugin = string_of(*plugin);
  }
  entry.selector = read_selector(reader, environment, out_status);
  entry.policy = read_policy(reader);
  if (const ConfigMember* fallback = reader.text("fallback")) entry.fallback = read_id(mistakes, *fallback);
  entry.shared = reader.boolean_or("shared", false);
  entry.allow_software = reader.boolean_or("allow_software", false);
  if (const ConfigMember* claim = reader.text("claim"); claim != nullptr && !string_of(*claim).empty()) {
    entry.claim = resolve_from(mistakes.file(), string_of(*claim));
  }
  entry.limit = reader.size("limit");
  check_pool(reader);
  entry.options = reader.options("options");
  return entry;
}

}  // namespace berth::loader::detail
