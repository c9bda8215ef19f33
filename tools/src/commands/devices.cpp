// berth devices: every device entry of the registry file, opened.
#include <algorithm>
#include <memory>
#include <utility>

#include "commands/commands.h"
#include "commands/common_options.h"
#include "exit_code.h"
#include "progress.h"
#include "report/devices_report.h"

namespace berth::cli {
namespace {

struct DevicesOptions {
  CommonOptions common;
  bool explain = false;
};

void describe_device(DeviceRow& row, const Device& device) {
  const ServedBy& served = device.served_by();
  row.plugin = served.plugin;
  row.plugin_version = served.plugin_version;
  row.file = served.file;
  row.entry = served.entry;
  row.reason = served.reason;
  row.hardware = device.identity().name;
  row.uuid = device.identity().uuid;
  row.pci = device.identity().pci;
  row.software = device.identity().software;
  row.limit = device.limit();
  row.total = device.properties().heaps.front().total;
  if (auto memory = device.memory_info(); memory.has_value()) {
    row.free = memory->free;
    if (memory->total.has_value()) row.total = memory->total;
  } else {
    row.notices.push_back("memory figures are unknown: " + memory.error().message());
  }
  for (std::string& notice : device.notices()) row.notices.push_back(std::move(notice));
}

std::string policy_text(const loader::DeviceEntry& entry) {
  if (entry.fallback.has_value()) return "fallback " + entry.fallback->to_string();
  return entry.policy == loader::DevicePolicy::kRequired ? "required" : "optional";
}

DeviceRow make_row(const DeviceId& id, const loader::LoadedRegistry& loaded) {
  DeviceRow row;
  row.id = id;
  row.policy = "built in";
  const auto& entries = loaded.config().devices;
  const auto entry = std::find_if(entries.begin(), entries.end(), [&](const auto& item) { return item.id == id; });
  if (entry != entries.end()) {
    row.policy = policy_text(*entry);
    row.counts = entry->policy == loader::DevicePolicy::kRequired;
  }
  auto device = loaded.registry()->find(id);
  if (!device.has_value()) {
    row.failure = std::move(device).error();
    return row;
  }
  describe_device(row, **device);
  const bool own = id.is_host() || row.entry == id.to_string();
  row.state = own ? DeviceState::kReady : DeviceState::kFallback;
  return row;
}

Result<int> devices(Context& context, const DevicesOptions& options) {
  BERTH_ASSIGN(loader::LoadedRegistry loaded, context.open_registry(options.common));
  DevicesReport report;
  {
    Progress progress(context.err(), "opening the devices");
    for (const DeviceId& id : loaded.registry()->ids()) {
      progress.now("opening " + id.to_string());
      report.devices.push_back(make_row(id, loaded));
    }
  }
  report.config = loaded.config();
  report.load = loaded.report();
  report.explain = options.explain;
  if (options.common.json) {
    print_json(context.out(), report);
  } else {
    print_text(context.out(), report, context.style());
  }
  const bool missing = std::any_of(report.devices.begin(), report.devices.end(), [](const DeviceRow& row) {
    return row.counts && row.state == DeviceState::kFailed;
  });
  return missing ? kExitAnswerIsNo : kExitGood;
}

}  // namespace

void add_devices_command(CLI::App& app, Invocation& invocation) {
  auto options = std::make_shared<DevicesOptions>();
  CLI::App* command = add_command(
      app, "devices", "Every device of the registry file: who serves it, with what, and why", options->common);
  command->add_flag("--explain", options->explain, "Add the effective values of the registry file and the load report");
  command->callback([options, &invocation] {
    invocation = {"devices", options->common.json, [options](Context& context) { return devices(context, *options); }};
  });
}

}  // namespace berth::cli
