#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "report/probe_report.h"
#include "report/table.h"
#include "report/text.h"

namespace berth::cli {
namespace {

void print_fact(std::ostream& out, std::string_view name, std::string_view value) {
  constexpr std::size_t kWidth = 18;
  out << "  " << name << std::string(name.size() < kWidth ? kWidth - name.size() : 1, ' ') << value << "\n";
}

std::string or_unknown(const std::string& text) { return text.empty() ? "unknown" : text; }

std::string version_range(std::uint32_t major, std::uint32_t minor_min, std::uint32_t minor_max) {
  return std::to_string(major) + "." + std::to_string(minor_min) + " to " + std::to_string(major) + "." +
         std::to_string(minor_max);
}

// Their number and the first few: a plugin in C++ leaves some hundred to its libraries.
std::string symbols_text(std::vector<std::string> names) {
  constexpr std::size_t kShown = 6;
  const std::string number = std::to_string(names.size());
  if (names.empty()) return number;
  std::sort(names.begin(), names.end());
  if (names.size() <= kShown) return number + ": " + list_text(names);
  names.resize(kShown);
  return number + ": " + list_text(names) + ", ... (all with --json)";
}

void print_file(std::ostream& out, const loader::PluginFileInfo& file, const Style& style) {
  out << style.title("File") << "\n";
  print_fact(out, "path", file.path);
  if (file.real_path != file.path) print_fact(out, "really", file.real_path);
  print_fact(out, "size", bytes_text(file.size));
  print_fact(out, "sha256", file.sha256);
  print_fact(out, "format", file.elf_class + " " + file.machine + ", " + file.type);
  print_fact(out, "entry point", file.exports_query ? "berth_plugin_query" : "none: berth_plugin_query is missing");
  print_fact(out, "exports", symbols_text(file.exported));
  print_fact(out, "needs", list_text(file.needed));
  print_fact(out, "undefined symbols", symbols_text(file.undefined));
  print_fact(out, "static TLS", file.static_tls ? "yes: takes from a small reserve of the process" : "no");
  print_fact(out, "usable", file.usable.ok() ? style.good("yes") : style.bad("no: ") + file.usable.message());
}

void print_note(std::ostream& out, const loader::PluginNote& note, const Style& style) {
  out << "\n" << style.title("Note (read without running any code)") << "\n";
  print_fact(out, "name", note.name);
  print_fact(out, "device type", note.device_type);
  print_fact(out, "version", note.version);
  print_fact(out, "vendor", or_unknown(note.vendor));
  print_fact(out, "plugin ABI", version_range(note.abi_major, note.abi_minor_min, note.abi_minor_max));
  print_fact(out, "CPU baseline", or_unknown(note.cpu_baseline));
  print_fact(out, "sanitizer", note.sanitizer.empty() ? "none" : note.sanitizer);
}

void print_query(std::ostream& out, const loader::PluginQueryInfo& query, const Style& style) {
  out << "\n" << style.title("Answer of berth_plugin_query") << "\n";
  print_fact(out, "name", query.name);
  print_fact(out, "device type", query.device_type);
  print_fact(out, "version", query.version);
  print_fact(out, "vendor", or_unknown(query.vendor));
  print_fact(out, "plugin ABI",
             std::to_string(query.abi_major) + "." + std::to_string(query.abi_minor) + " chosen, of " +
                 version_range(query.abi_major, query.abi_minor_min, query.abi_minor_max));
  print_fact(out, "driver threads",
             std::string(query.driver_starts_threads ? "started early" : "not started early") +
                 (query.driver_keeps_threads ? ", kept after the end" : ", none kept after the end"));
  print_fact(out, "changed here", query.process_changes.empty() ? "nothing" : list_text(query.process_changes));
  Table groups({"GROUP", "NEED", "PRESENT"});
  for (const loader::PluginGroup& group : query.groups) {
    groups.add({group.name, group.required ? "required" : "optional", group.present ? "yes" : "no"});
  }
  groups.print(out, style);
}

}  // namespace

void print_text(std::ostream& out, const ProbeReport& report, const Style& style) {
  print_file(out, report.file, style);
  if (report.file.note.has_value()) print_note(out, *report.file.note, style);
  if (report.query.has_value()) print_query(out, *report.query, style);
  if (!report.query_failure.ok()) {
    out << "\n" << style.title("Answer of berth_plugin_query") << "\n";
    print_fact(out, "failed", report.query_failure.message());
  }
}

}  // namespace berth::cli
