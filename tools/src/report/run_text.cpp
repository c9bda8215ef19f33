#include <algorithm>
#include <cmath>
#include <string>

#include "report/run_report.h"
#include "report/table.h"
#include "report/text.h"

namespace berth::cli {
namespace {

void print_table(std::ostream& out, const Table& table, const Style& style) {
  if (table.empty()) out << "  none\n";
  if (!table.empty()) table.print(out, style);
}

std::string with_version(const std::string& plugin, const std::string& version) {
  return version.empty() ? plugin : plugin + " " + version;
}

void print_devices(std::ostream& out, const Placement& placement, const Style& style) {
  out << "\n" << style.title("Devices of method " + placement.method) << "\n";
  Table table({"DEVICE", "SERVED BY", "PLUGIN", "HARDWARE", "WHY"});
  for (const PlacedDevice& device : placement.devices) {
    table.add({device.id, device.entry, with_version(device.plugin, device.plugin_version), device.hardware,
               device.fallback ? "fallback, see below" : device.reason});
    if (device.fallback) table.paint(4, &Style::warning);
  }
  print_table(out, table, style);
  for (const PlacedDevice& device : placement.devices) {
    if (device.fallback) out << "  " << fallback_text(device.id, device.entry, device.reason) << "\n";
    for (const std::string& notice : device.notices) out << "  " << device.id << ": " << notice << "\n";
  }
}

void print_buffers(std::ostream& out, const Placement& placement, const Style& style) {
  out << "\n" << style.title("Planned buffers of method " + placement.method) << "\n";
  Table table({">ID", ">BYTES", "PROGRAM SAYS", "PLUGIN", "HARDWARE"});
  for (const PlacedBuffer& buffer : placement.buffers) {
    table.add({std::to_string(buffer.memory_id), std::to_string(buffer.bytes), buffer.program_device, buffer.plugin,
               buffer.hardware});
  }
  print_table(out, table, style);
}

std::string values_text(const OutputRow& output) {
  std::string text;
  for (const Element& value : output.values) text += (text.empty() ? "" : ", ") + element_text(value);
  if (output.value_count > output.values.size()) text += ", ...";
  return output.value_count == 0 ? "no elements" : text;
}

std::string index_text(const std::vector<std::int64_t>& index) {
  std::string text = "[";
  for (std::int64_t i : index) text += (text.size() > 1 ? ", " : "") + std::to_string(i);
  return text + "]";
}

std::string comparison_text(const Comparison& comparison) {
  if (comparison.matches) {
    return "matches " + comparison.source + ", largest difference " + number_text(comparison.largest_difference);
  }
  if (!comparison.shape_mismatch.empty()) return "differs from " + comparison.source + ": " + comparison.shape_mismatch;
  if (comparison.first.has_value() && comparison.compared == 1) {
    return "differs from " + comparison.source + ": found " + element_text(comparison.first->found);
  }
  std::string text = "differs from " + comparison.source + " in " + std::to_string(comparison.differing) + " of " +
                     count_text(comparison.compared, "element", "elements");
  if (comparison.first.has_value()) {
    const Difference& first = *comparison.first;
    text += ", first at " + index_text(first.index) + ": expected " + element_text(first.expected) + ", found " +
            element_text(first.found);
  }
  return text + ", largest difference " + number_text(comparison.largest_difference);
}

void print_inputs(std::ostream& out, const RunCase& run, const Style& style) {
  out << "\n" << style.title("Inputs") << "\n";
  Table table({">#", "TYPE", "FROM", "STAGED ON"});
  for (std::size_t i = 0; i < run.inputs.size(); ++i) {
    table.add({std::to_string(i), run.inputs[i].type, run.inputs[i].source, run.inputs[i].staged});
  }
  print_table(out, table, style);
}

void print_outputs(std::ostream& out, const RunCase& run, const Style& style) {
  out << "\n" << style.title("Outputs");
  if (run.repeats > 1) out << " of the last of " << run.repeats << " runs";
  out << "\n";
  Table table({">#", "TYPE", "ON", "VALUES"});
  for (std::size_t i = 0; i < run.outputs.size(); ++i) {
    const OutputRow& output = run.outputs[i];
    table.add(
        {std::to_string(i), output.type, output.device + (output.read_back ? ", read back" : ""), values_text(output)});
  }
  print_table(out, table, style);
  for (std::size_t i = 0; i < run.outputs.size(); ++i) {
    const auto& comparison = run.outputs[i].comparison;
    if (!comparison.has_value()) continue;
    const std::string text = comparison_text(*comparison);
    out << "  output " << i << " " << (comparison->matches ? style.good(text) : style.bad(text)) << "\n";
  }
}

void print_test_cases(std::ostream& out, const RunReport& report, const Style& style) {
  out << "\n" << style.title("Test cases of the program") << "\n";
  for (const RunCase& run : report.cases) {
    const bool good = run.matches().value_or(false);
    out << "  " << run.test_case.value_or(0) << "  " << run.method << "  "
        << (good ? style.good("matches") : style.bad("differs")) << "\n";
    for (std::size_t i = 0; i < run.outputs.size() && !good; ++i) {
      const auto& comparison = run.outputs[i].comparison;
      if (comparison.has_value()) out << "     output " << i << " " << comparison_text(*comparison) << "\n";
    }
  }
}

void print_copies(std::ostream& out, const RunReport& report, const Style& style) {
  out << "\n" << style.title("Copies between host and devices") << "\n";
  Table table({"DIRECTION", "CAUSE", ">COUNT", ">BYTES"});
  for (const CopyRow& row : report.copies) {
    table.add({row.direction, row.cause, std::to_string(row.count), std::to_string(row.bytes)});
  }
  print_table(out, table, style);
}

void print_verdict(std::ostream& out, const RunReport& report, const Style& style) {
  std::uint64_t load_ns = 0;
  for (const Placement& placement : report.placements) load_ns += placement.load_ns;
  std::uint64_t runs = 0;
  std::uint64_t slowest_ns = 0;
  for (const RunCase& run : report.cases) {
    runs += run.repeats;
    slowest_ns = std::max(slowest_ns, run.run_ns);
  }
  out << "\nLoaded in " << duration_text(load_ns) << ", " << count_text(runs, "run", "runs") << ", "
      << duration_text(slowest_ns) << (runs > 1 ? " each at the median\n" : "\n");
  const std::optional<bool> matches = report.matches();
  if (!matches.has_value()) {
    out << "Result: ran; nothing to compare with (--expect)\n";
  } else {
    out << "Result: " << (*matches ? style.good("matches") : style.bad("differs")) << "\n";
  }
}

}  // namespace

void print_text(std::ostream& out, const RunReport& report, const Style& style) {
  out << "Program " << report.program << "\n";
  out << "Registry file " << report.config.path << " (" << report.config.reason << ")\n";
  for (const std::string& notice : report.notices) out << style.warning("Notice: ") << notice << "\n";
  for (const Placement& placement : report.placements) {
    print_devices(out, placement, style);
    print_buffers(out, placement, style);
  }
  const bool bundled = !report.cases.empty() && report.cases.front().test_case.has_value();
  if (bundled) print_test_cases(out, report, style);
  for (const RunCase& run : report.cases) {
    if (bundled) break;
    print_inputs(out, run, style);
    print_outputs(out, run, style);
  }
  print_copies(out, report, style);
  for (const std::string& file : report.written) out << "\nWrote " << file;
  if (!report.written.empty()) out << "\n";
  print_verdict(out, report, style);
}

}  // namespace berth::cli
