#include <string>
#include <utility>

#include "report/devices_report.h"
#include "report/option_text.h"
#include "report/table.h"
#include "report/text.h"

namespace berth::cli {
namespace {

Table device_table(const DevicesReport& report) {
  Table table({"DEVICE", "STATE", "PLUGIN", "VERSION", "HARDWARE", ">FREE", ">TOTAL", "POLICY", "FILE"});
  for (const DeviceRow& row : report.devices) {
    const bool served = row.state != DeviceState::kFailed;
    table.add({row.id.to_string(), device_state_name(row.state), row.plugin, row.plugin_version, row.hardware,
               served ? bytes_text(row.free) : "", served ? bytes_text(row.total) : "", row.policy, row.file});
    if (row.state == DeviceState::kReady) table.paint(1, &Style::good);
    if (row.state == DeviceState::kFallback) table.paint(1, &Style::warning);
    if (row.state == DeviceState::kFailed) table.paint(1, &Style::bad);
  }
  return table;
}

void print_remarks(std::ostream& out, const DevicesReport& report) {
  std::string remarks;
  const auto remark = [&](const std::string& text) { remarks.append(text).append("\n"); };
  for (const DeviceRow& row : report.devices) {
    const std::string id = row.id.to_string();
    if (row.state == DeviceState::kFallback) remark(fallback_text(id, row.entry, row.reason));
    if (row.state == DeviceState::kFailed) remark(id + " failed: " + row.failure.message());
    for (const std::string& notice : row.notices) remark(std::string(id).append(": ").append(notice));
  }
  if (!remarks.empty()) out << "\n" << remarks;
}

void print_plugins(std::ostream& out, const loader::EffectiveConfig& config, const Style& style) {
  Table table({"PLUGIN", "FILE", "FOUND AT", "SHA256", "OPTIONS"});
  for (const loader::PluginEntry& plugin : config.plugins) {
    table.add({plugin.name, plugin.file, plugin.resolved.empty() ? "not found" : plugin.resolved,
               plugin.sha256.value_or("not pinned"), options_text(plugin.options)});
  }
  table.print(out, style);
}

void print_entries(std::ostream& out, const loader::EffectiveConfig& config, const Style& style) {
  Table table({"DEVICE", "PLUGIN", "WHICH", "LIMIT", "POOL", "SHARED", "SOFTWARE", "CLAIM", "OPTIONS"});
  for (const loader::DeviceEntry& device : config.devices) {
    table.add({device.id.to_string(), device.plugin, selector_text(device.selector),
               device.limit.has_value() ? bytes_text(*device.limit) : "none", device.pool, device.shared ? "yes" : "no",
               device.allow_software ? "allowed" : "no", device.claim.empty() ? "none" : device.claim,
               options_text(device.options)});
  }
  table.print(out, style);
}

void print_effective(std::ostream& out, const loader::EffectiveConfig& config, const Style& style) {
  out << "\n" << style.title("Effective values") << "\n";
  for (const loader::SearchFolder& folder : config.search) {
    out << "  plugins are looked for in " << folder.path << " (" << folder.origin << ")\n";
  }
  out << "  [host] limit " << (config.host_limit.has_value() ? bytes_text(*config.host_limit) : "none") << "\n";
  for (const auto& [type, name] : config.types) {
    out << "  device type " << static_cast<unsigned>(type) << " is called " << name << "\n";
  }
  if (!config.plugins.empty()) print_plugins(out, config, style);
  if (!config.devices.empty()) print_entries(out, config, style);
}

void print_record(std::ostream& out, const loader::LoadRecord& record, const Style& style) {
  const bool good = record.status.ok();
  out << "  " << (good ? style.good("ok    ") : style.bad("failed")) << "  " << loader::stage_name(record.stage);
  if (!record.device.empty()) out << "  " << record.device;
  if (!record.plugin.empty()) out << "  plugin " << record.plugin;
  out << "  (" << duration_text(record.duration_ns) << ")\n";
  const auto line = [&](const char* name, const std::string& text) {
    if (!text.empty()) out << "          " << name << text << "\n";
  };
  line("tried   ", record.path_tried);
  if (record.path_opened != record.path_tried) line("opened  ", record.path_opened);
  line("", record.detail);
  if (good) return;
  ErrorInfo why = record.status.info();
  const std::string next_step = std::exchange(why.next_step, {});
  line("code    ", code_name(why.code));
  line("why     ", Status(std::move(why)).message());
  line("next    ", next_step);
}

}  // namespace

const char* device_state_name(DeviceState state) noexcept {
  switch (state) {
    case DeviceState::kReady:
      return "ready";
    case DeviceState::kFallback:
      return "fallback";
    case DeviceState::kFailed:
      break;
  }
  return "failed";
}

void print_text(std::ostream& out, const DevicesReport& report, const Style& style) {
  out << "Registry file " << report.config.source.path << " (" << report.config.source.reason << ")\n\n";
  device_table(report).print(out, style, 0);
  print_remarks(out, report);
  if (!report.explain) return;
  print_effective(out, report.config, style);
  out << "\n" << style.title("Load report") << "\n";
  for (const loader::LoadRecord& record : report.load.records) print_record(out, record, style);
}

}  // namespace berth::cli
