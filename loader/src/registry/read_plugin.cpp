#include <algorithm>
#include <filesystem>

#include "registry/read_entries.h"

namespace berth::loader::detail {
namespace {

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}

// The bare name inside "libberth_cuda.so", "cuda.so".
std::string bare_name(std::string name) {
  constexpr std::string_view kPrefix = "libberth_";
  constexpr std::string_view kSuffix = ".so";
  if (name.starts_with(kPrefix)) name.erase(0, kPrefix.size());
  if (name.ends_with(kSuffix)) name.erase(name.size() - kSuffix.size());
  return name;
}

std::optional<std::string> read_sha256(const TableReader& reader) {
  constexpr std::size_t kDigits = 64;
  const ConfigMember* member = reader.text("sha256");
  if (member == nullptr) return std::nullopt;
  std::string digits = string_of(*member);
  for (char& c : digits) {
    if (c >= 'A' && c <= 'F') c = static_cast<char>(c + 32);
  }
  if (digits.size() == kDigits && digits.find_first_not_of("0123456789abcdef") == std::string::npos) return digits;
  reader.mistakes().add(member->value.position,
                        {.what = "wrong 'sha256' in [[plugin]]",
                         .expected = "64 hex digits",
                         .found = std::to_string(digits.size()) + " characters: \"" + string_of(*member) + "\"",
                         .next_step = "take what sha256sum prints for the file"});
  return std::nullopt;
}

}  // namespace

std::string resolve_from(const std::string& file, const std::string& path) {
  return (std::filesystem::path(file).parent_path() / path).lexically_normal().string();
}

void check_plugin_file(Mistakes& mistakes, const ConfigMember& member) {
  const std::string& file = string_of(member);
  if (file.find('/') != std::string::npos) return;
  const std::string bare = bare_name(file);
  if (bare != file) {
    mistakes.add(member.value.position, {.what = "wrong plugin file in '" + member.key + "'",
                                         .expected = "a bare name or a path with a slash",
                                         .found = "\"" + file + "\"",
                                         .next_step = "write \"" + bare + "\" to look for libberth_" + bare +
                                                      ".so on the search path, or \"./" + file + "\" for this file"});
  } else if (!std::ranges::all_of(file, is_name_character)) {
    mistakes.add(member.value.position, {.what = "wrong plugin file in '" + member.key + "'",
                                         .expected = "letters, digits, '_', '-' and '.', or a path with a slash",
                                         .found = "\"" + file + "\""});
  }
}

PluginEntry read_plugin(Mistakes& mistakes, const ConfigValue& table) {
  const TableReader reader(mistakes, table, plugin_schema());
  PluginEntry entry;
  entry.position = table.position;
  if (const ConfigMember* name = reader.required_text("name", "add name = \"...\", which [[device]] refers to")) {
    entry.name = string_of(*name);
  }
  if (const ConfigMember* file = reader.required_text("file", "add file = \"cpu_mock\" or a path with a slash")) {
    entry.file = string_of(*file);
    check_plugin_file(mistakes, *file);
  }
  entry.sha256 = read_sha256(reader);
  entry.options = reader.options("options");
  return entry;
}

}  // namespace berth::loader::detail
