// TableReader: typed look-ups in one table of a registry file. Whatever is wrong goes to Mistakes, which keeps the
// mistake that stands first in the file, so that reading needs no error path of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "berth/core/status.h"
#include "registry/config_value.h"
#include "registry/schema.h"

namespace berth::loader::detail {

struct Mistake {
  std::string what;
  std::string expected = {};
  std::string found = {};
  std::string next_step = {};
};

class Mistakes {
 public:
  explicit Mistakes(std::string file) : file_(std::move(file)) {}

  void add(SourcePosition position, Mistake mistake);
  // OK, or kInvalidConfig for the first mistake in the file.
  [[nodiscard]] Status status() const { return first_; }
  [[nodiscard]] const std::string& file() const noexcept { return file_; }

 private:
  std::string file_;
  SourcePosition position_;
  Status first_;
};

class TableReader {
 public:
  // Adds a mistake for each key that `schema` does not have.
  TableReader(Mistakes& mistakes, const ConfigValue& table, const TableSchema& schema);

  // The member of that type; null when it is absent, or of another type (a mistake).
  [[nodiscard]] const ConfigMember* text(std::string_view key) const;
  [[nodiscard]] const ConfigMember* boolean(std::string_view key) const;
  [[nodiscard]] const ConfigMember* table(std::string_view key) const;
  [[nodiscard]] const ConfigMember* array(std::string_view key) const;
  // A member of any type; null when it is absent.
  [[nodiscard]] const ConfigMember* any(std::string_view key) const { return table_.find(key); }
  // As text(); its absence is a mistake too, unless an unknown key was found that may be meant.
  [[nodiscard]] const ConfigMember* required_text(std::string_view key, std::string next_step) const;

  [[nodiscard]] bool boolean_or(std::string_view key, bool otherwise) const;
  // A size in bytes such as "8GiB"; none when it is absent or wrong.
  [[nodiscard]] std::optional<std::uint64_t> size(std::string_view key) const;
  // The options of a plugin; empty when they are absent.
  [[nodiscard]] std::vector<PluginOption> options(std::string_view key) const;

  [[nodiscard]] Mistakes& mistakes() const noexcept { return mistakes_; }
  void wrong_type(const ConfigMember& member, std::string expected) const;

 private:
  [[nodiscard]] const ConfigMember* of_kind(std::string_view key, ConfigValue::Kind kind, const char* expected) const;
  Mistakes& mistakes_;
  const ConfigValue& table_;
  const TableSchema& schema_;
  bool has_unknown_key_ = false;
};

// The string of a member that text() gave.
[[nodiscard]] inline const std::string& string_of(const ConfigMember& member) {
  return *std::get_if<std::string>(&member.value.scalar);
}

}  // namespace berth::loader::detail
