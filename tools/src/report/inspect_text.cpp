#include <algorithm>
#include <string>

#include "report/inspect_report.h"
#include "report/table.h"
#include "report/text.h"

namespace berth::cli {
namespace {

std::string sizes_text(const std::vector<std::int64_t>& sizes) {
  std::string text = "[";
  for (std::int64_t size : sizes) text += (text.size() > 1 ? ", " : "") + std::to_string(size);
  return text + "]";
}

std::string type_text(const ValueFacts& value) {
  if (value.type != "tensor") return value.value.empty() ? value.type : value.type + " " + value.value;
  return value.scalar_type + sizes_text(value.sizes);
}

std::string remark_text(const ValueFacts& value) {
  if (value.type != "tensor") return "";
  std::string text = value.storage;
  if (value.dynamic) text += ", sizes at most";
  if (!value.contiguous) text += ", strides " + sizes_text(value.strides);
  return text;
}

void print_values(std::ostream& out, const char* title, const std::vector<ValueFacts>& values, const Style& style) {
  if (values.empty()) {
    out << "  " << title << ": none\n";
    return;
  }
  out << "  " << title << "\n";
  Table table({">#", "TYPE", "DEVICE", ">BYTES", "STORAGE"});
  for (std::size_t i = 0; i < values.size(); ++i) {
    const ValueFacts& value = values[i];
    const bool tensor = value.type == "tensor";
    table.add({std::to_string(i), type_text(value), value.device, tensor ? std::to_string(value.bytes) : "",
               remark_text(value)});
  }
  table.print(out, style, 4);
}

void print_buffers(std::ostream& out, const MethodFacts& method, const Style& style) {
  if (method.buffers.empty()) {
    out << "  planned buffers: none\n";
    return;
  }
  out << "  planned buffers\n";
  Table table({">ID", "DEVICE", ">BYTES"});
  for (const BufferFacts& buffer : method.buffers) {
    table.add({std::to_string(buffer.memory_id), buffer.device, std::to_string(buffer.bytes)});
  }
  table.print(out, style, 4);
}

void print_compute(std::ostream& out, const MethodFacts& method, const Style& style) {
  if (method.operators.empty()) out << "  operators: none\n";
  if (!method.operators.empty()) {
    out << "  operators\n";
    for (const OperatorFacts& op : method.operators) {
      out << "    " << op.name << (op.missing ? style.bad("  missing: no kernel for it here") : "") << "\n";
    }
  }
  if (method.delegates.empty()) {
    out << "  delegates: none\n";
    return;
  }
  out << "  delegates\n";
  Table table({"ID", "COMPILED FOR", ">BLOB BYTES", "REMARK"});
  for (const DelegateFacts& delegate : method.delegates) {
    std::string remark = delegate.missing ? "missing: nobody makes it here" : "";
    if (!delegate.target_failure.ok()) remark += (remark.empty() ? "" : "; ") + delegate.target_failure.message();
    table.add({delegate.id, delegate.target, std::to_string(delegate.blob_bytes), remark});
    if (!remark.empty()) table.paint(3, &Style::bad);
  }
  table.print(out, style, 4);
}

void print_device_fit(std::ostream& out, const DeviceFit& device, const Style& style) {
  out << "    " << list_text(device.devices) << ": "
      << (device.problems.empty() ? style.good("fits") : style.bad("does not fit"));
  out << ", needs " << bytes_text(device.planned_bytes) << " planned";
  if (device.other_bytes > 0) out << " and " << bytes_text(device.other_bytes) << " besides";
  if (!device.served_by.empty()) {
    out << "; " << device.served_by << ": total " << bytes_text(device.total) << ", free " << bytes_text(device.free)
        << ", limit " << (device.limit.has_value() ? bytes_text(*device.limit) : "none");
  }
  out << "\n";
  for (const std::string& problem : device.problems) out << "      " << problem << "\n";
  for (const std::string& warning : device.warnings) out << "      " << style.warning("warning: ") << warning << "\n";
  for (const std::string& unknown : device.unknown) out << "      unknown: " << unknown << "\n";
}

void print_fit(std::ostream& out, const FitReport& fit, const Style& style) {
  out << "\n" << style.title("Fit") << "\n";
  out << "  registry file " << fit.config.path << " (" << fit.config.reason << ")\n";
  for (const MethodFit& method : fit.methods) {
    out << "  method " << method.method << ": " << (method.fits() ? style.good("fits") : style.bad("does not fit"))
        << "\n";
    for (const DeviceFit& device : method.devices) print_device_fit(out, device, style);
  }
  out << "  memory that delegates take for themselves is not in the program and not counted\n";
}

}  // namespace

void print_text(std::ostream& out, const InspectReport& report, const Style& style) {
  out << "Program " << report.program << " (" << bytes_text(report.file_bytes) << ")";
  if (report.test_cases.has_value())
    out << ", bundled with " << count_text(*report.test_cases, "test case", "test cases");
  out << "\n";
  if (report.legacy) {
    out << style.warning("Legacy program: ") << "its memory was planned without devices. It runs on the host; "
        << count_text(report.unplaced_tags, "tensor's device tag is", "tensors' device tags are")
        << " ignored. Export it again with device planning (enable_non_cpu_memory_planning).\n";
  }
  if (!report.named_data.empty()) out << "Named data: " << list_text(report.named_data) << "\n";
  for (const MethodFacts& method : report.methods) {
    out << "\n" << style.title("Method " + method.name) << "\n";
    print_values(out, "inputs", method.inputs, style);
    print_values(out, "outputs", method.outputs, style);
    print_buffers(out, method, style);
    print_compute(out, method, style);
    out << "  " << count_text(method.instructions, "instruction", "instructions") << ", "
        << bytes_text(method.constant_bytes) << " of constants\n";
  }
  if (report.fit.has_value()) print_fit(out, *report.fit, style);
}

}  // namespace berth::cli
