#include "plugin/plugin_query.h"

#include "plugin/plugin_call.h"
#include "plugin/plugin_rules.h"
#include "plugin/plugin_table.h"
#include "plugin/text.h"

namespace berth::loader::detail {
namespace {

std::string version_text(std::uint32_t major, std::uint32_t minor) {
  return std::to_string(major) + "." + std::to_string(minor);
}

Status check_version(const berth_plugin_info& info, const std::string& who) {
  if (info.struct_size < sizeof(berth_plugin_info)) {
    return plugin_fault(who, "query", "the plugin filled less than ABI 1.0 asks for",
                        std::to_string(sizeof(berth_plugin_info)) + " bytes",
                        std::to_string(info.struct_size) + " bytes", rules::kInfoFilled);
  }
  if (info.abi_major == 0) {
    return plugin_fault(who, "query", "the plugin answered version 0: it did not fill in its version",
                        "version " + version_text(BERTH_ABI_MAJOR, BERTH_ABI_MINOR),
                        "version " + version_text(info.abi_major, info.abi_minor), rules::kVersionChosen);
  }
  const bool chosen_is_possible = info.abi_major == BERTH_ABI_MAJOR && info.abi_minor <= BERTH_ABI_MINOR &&
                                  info.abi_minor >= info.abi_minor_min && info.abi_minor <= info.abi_minor_max;
  if (chosen_is_possible) return {};
  return plugin_fault(who, "query", "the plugin chose a version that one side does not speak",
                      "version " + version_text(BERTH_ABI_MAJOR, BERTH_ABI_MINOR) + " or an older one that both speak",
                      "version " + version_text(info.abi_major, info.abi_minor), rules::kVersionChosen);
}

Status check_texts(const berth_plugin_info& info, const std::string& who, QueryAnswer& out) {
  const auto take = [](const auto& array, std::string& text) {
    auto found = text_in(array, sizeof array);
    if (found) text = std::move(*found);
    return found.has_value();
  };
  const bool ended = take(info.name, out.name) && take(info.device_type, out.device_type) &&
                     take(info.version, out.version) && take(info.vendor, out.vendor);
  if (ended && !out.name.empty() && !out.device_type.empty()) return {};
  return plugin_fault(
      who, "query", "the plugin does not say who it is", "terminated texts, name and device type not empty",
      ended ? "name '" + out.name + "', device type '" + out.device_type + "'" : "a text without an end",
      rules::kInfoTexts);
}

std::string identity_text(std::uint32_t major, std::uint32_t low, std::uint32_t high, const std::string& name,
                          const std::string& device_type) {
  return "name '" + name + "', device type '" + device_type + "', ABI " + version_text(major, low) + " to " +
         version_text(major, high);
}

Status check_note(const berth_plugin_info& info, const PluginNote& note, const std::string& who,
                  const QueryAnswer& answer) {
  const std::string in_note =
      identity_text(note.abi_major, note.abi_minor_min, note.abi_minor_max, note.name, note.device_type);
  const std::string in_answer =
      identity_text(info.abi_major, info.abi_minor_min, info.abi_minor_max, answer.name, answer.device_type);
  if (in_note == in_answer) return {};
  return plugin_fault(who, "query", "the plugin's answer and the note in its file disagree", in_note, in_answer,
                      rules::kNoteAgrees);
}

}  // namespace

Result<QueryAnswer> ask_plugin(berth_plugin_query_function query, const PluginNote& note, LoadStage& out_stage) {
  const std::string who = "plugin " + note.name;
  out_stage = LoadStage::kVersion;
  berth_query_args args{};
  args.struct_size = sizeof args;
  args.abi_major = BERTH_ABI_MAJOR;
  args.abi_minor_min = 0;
  args.abi_minor_max = BERTH_ABI_MINOR;
  berth_plugin_info info{};
  info.struct_size = sizeof info;
  BERTH_FAIL_IF_ERROR(call_plugin(who, "query", [&](berth_error* error) { return query(&args, &info, error); }));
  BERTH_FAIL_IF_ERROR(check_version(info, who));

  out_stage = LoadStage::kTable;
  QueryAnswer answer;
  answer.abi_minor = info.abi_minor;
  answer.abi_minor_min = info.abi_minor_min;
  answer.abi_minor_max = info.abi_minor_max;
  answer.flags = info.flags;
  BERTH_FAIL_IF_ERROR(check_texts(info, who, answer));
  BERTH_FAIL_IF_ERROR(check_note(info, note, who, answer));
  BERTH_ASSIGN(answer.table, check_table(info.table, who));
  return answer;
}

}  // namespace berth::loader::detail
