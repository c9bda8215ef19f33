#include "plugin/plugin_options.h"

#include <algorithm>
#include <cstring>

namespace berth::loader::detail {
namespace {

std::string value_text(const OptionValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "bool:true" : "bool:false";
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return "int:" + std::to_string(*integer);
  if (const auto* text = std::get_if<std::string>(&value)) {
    return "string:" + std::to_string(text->size()) + ":" + *text;
  }
  // All bits, so that different numbers never look alike.
  std::uint64_t bits = 0;
  std::memcpy(&bits, std::get_if<double>(&value), sizeof bits);
  return "double:" + std::to_string(bits);
}

}  // namespace

std::vector<berth_option> to_abi(const std::vector<PluginOption>& options) {
  std::vector<berth_option> converted;
  converted.reserve(options.size());
  for (const PluginOption& option : options) {
    berth_option out{};
    out.key = option.key.c_str();
    if (const auto* flag = std::get_if<bool>(&option.value)) {
      out.type = BERTH_OPTION_BOOL;
      out.value.boolean = *flag ? 1 : 0;
    } else if (const auto* integer = std::get_if<std::int64_t>(&option.value)) {
      out.type = BERTH_OPTION_INT;
      out.value.integer = *integer;
    } else if (const auto* real = std::get_if<double>(&option.value)) {
      out.type = BERTH_OPTION_DOUBLE;
      out.value.real = *real;
    } else if (const auto* text = std::get_if<std::string>(&option.value)) {
      out.type = BERTH_OPTION_STRING;
      out.value.string = text->c_str();
    }
    converted.push_back(out);
  }
  return converted;
}

std::string canonical_text(const std::vector<PluginOption>& options) {
  std::vector<std::string> lines;
  lines.reserve(options.size());
  for (const PluginOption& option : options) lines.push_back(option.key + "=" + value_text(option.value));
  std::ranges::sort(lines);
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

Status blame_option(const PluginFailure& failure, const std::vector<PluginOption>& options, const std::string& file) {
  const std::int32_t index = failure.option_index;
  if (failure.status.ok() || index < 0 || static_cast<std::size_t>(index) >= options.size()) return failure.status;
  const PluginOption& option = options[static_cast<std::size_t>(index)];
  ErrorInfo info = failure.status.info();
  info.code = Code::kInvalidConfig;
  info.origin = Origin::kRegistry;
  info.where = file + ":" + std::to_string(option.position.line) + ":" + std::to_string(option.position.column) + ": " +
               info.where + " refuses option '" + option.key + "'";
  return Status(std::move(info));
}

}  // namespace berth::loader::detail
