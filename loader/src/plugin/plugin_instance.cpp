#include "plugin/plugin_instance.h"

#include <utility>

#include "berth/core/fork.h"
#include "plugin/identity_text.h"
#include "plugin/plugin_call.h"
#include "plugin/plugin_driver.h"
#include "plugin/plugin_options.h"
#include "plugin/plugin_rules.h"
#include "plugin/process_end.h"
#include "plugin/text.h"

namespace berth::loader::detail {

struct PluginInstance::Host {
  std::string who;
  std::shared_ptr<LogSink> sink;
  berth_host functions{};
};

namespace {

LogLevel level_of(std::int32_t level) {
  if (level <= BERTH_LOG_ERROR) return LogLevel::kError;
  if (level == BERTH_LOG_WARNING) return LogLevel::kWarning;
  return level == BERTH_LOG_INFO ? LogLevel::kInfo : LogLevel::kDebug;
}

const void* no_extension(void*, const char*, std::uint32_t) noexcept { return nullptr; }

Status missing_output(const Plugin& plugin, const char* function) {
  return plugin_fault(plugin.who(), function, "the plugin answered success and gave nothing", "a pointer", "null",
                      rules::kOutputGiven);
}

Result<DeviceDescription> read_description(const berth_device_description& raw, std::uint32_t ordinal,
                                           const std::string& who) {
  const auto name = text_in(raw.name, sizeof raw.name);
  const auto driver = text_in(raw.driver, sizeof raw.driver);
  const auto pci = text_in(raw.pci, sizeof raw.pci);
  const bool known = raw.uuid_quality <= BERTH_IDENTITY_EXACT && raw.pci_quality <= BERTH_IDENTITY_EXACT;
  if (!name || !driver || !pci || !known) {
    return fail(plugin_fault(who, "describe", "an impossible description of device " + std::to_string(ordinal),
                             "terminated texts and known qualities",
                             known ? "a text without an end" : "an unknown quality", rules::kDescription));
  }
  DeviceDescription out;
  out.ordinal = ordinal;
  out.name = *name;
  out.driver = *driver;
  if (raw.uuid_quality != BERTH_IDENTITY_NONE) out.uuid = uuid_text(std::span(raw.uuid));
  out.uuid_exact = raw.uuid_quality == BERTH_IDENTITY_EXACT;
  if (raw.pci_quality != BERTH_IDENTITY_NONE) out.pci = parse_pci(*pci).value_or("");
  out.pci_exact = raw.pci_quality == BERTH_IDENTITY_EXACT && !out.pci.empty();
  out.software = (raw.flags & BERTH_DEVICE_SOFTWARE) != 0;
  out.integrated = (raw.flags & BERTH_DEVICE_INTEGRATED) != 0;
  if ((raw.flags & BERTH_DEVICE_TOTAL_KNOWN) != 0) out.total_bytes = raw.total_bytes;
  return out;
}

}  // namespace

PluginInstance::PluginInstance(std::shared_ptr<const Plugin> plugin, std::unique_ptr<Host> host)
    : plugin_(std::move(plugin)), host_(std::move(host)), fork_generation_(fork_generation()) {
  watch_process_end();
  host_->functions.struct_size = sizeof host_->functions;
  host_->functions.log = [](void* data, std::int32_t level, const char* text) noexcept {
    const auto* own = static_cast<const Host*>(data);
    if (own->sink != nullptr && text != nullptr) own->sink->log(level_of(level), own->who + ": " + clean_text(text));
  };
  host_->functions.get_extension = no_extension;
}

Result<std::shared_ptr<PluginInstance>> PluginInstance::create(std::shared_ptr<const Plugin> plugin,
                                                               OptionSource options, std::shared_ptr<LogSink> log) {
  auto host = std::make_unique<Host>();
  host->who = plugin->who();
  host->sink = std::move(log);
  std::shared_ptr<PluginInstance> instance(new PluginInstance(std::move(plugin), std::move(host)));
  const Plugin& own = instance->plugin();
  const std::vector<berth_option> converted = to_abi(options.options);
  berth_create_args args{};
  args.struct_size = sizeof args;
  args.options = converted.empty() ? nullptr : converted.data();
  args.option_count = converted.size();
  berth_instance* handle = nullptr;
  const PluginFailure failure = call_plugin_for(own.who(), "create", [&](berth_error* error) {
    return own.table().instance->create(&args, &instance->host_->functions, instance->host_.get(), &handle, error);
  });
  BERTH_FAIL_IF_ERROR(blame_option(failure, options.options, options.file));
  instance->handle_ = handle;
  if (handle == nullptr) return fail(missing_output(own, "create"));
  return instance;
}

PluginInstance::~PluginInstance() {
  if (handle_ == nullptr || is_abandoned()) return;
  const Status status = call_plugin(plugin_->who(), "destroy", [&](berth_error* error) {
    return plugin_->table().instance->destroy(handle_, error);
  });
  if (!status.ok()) warn(status.message());
}

bool PluginInstance::is_abandoned() const noexcept {
  return fork_generation() != fork_generation_ || process_is_ending();
}

void PluginInstance::warn(const std::string& text) const {
  if (host_->sink != nullptr) host_->sink->log(LogLevel::kWarning, text);
}

Result<std::uint32_t> PluginInstance::count() const {
  std::uint32_t count = 0;
  BERTH_FAIL_IF_ERROR(call_plugin(plugin_->who(), "count", [&](berth_error* error) {
    return plugin_->table().device->count(handle_, &count, error);
  }));
  if (count == 0) {
    return fail(plugin_fault(plugin_->who(), "count", "the plugin answered success and no devices",
                             "at least 1, or NO_DEVICE", "0", rules::kCount));
  }
  return count;
}

Result<DeviceDescription> PluginInstance::describe(std::uint32_t ordinal) const {
  berth_device_description raw{};
  raw.struct_size = sizeof raw;
  BERTH_FAIL_IF_ERROR(call_plugin(plugin_->who(), "describe", [&](berth_error* error) {
    return plugin_->table().device->describe(handle_, ordinal, &raw, error);
  }));
  return read_description(raw, ordinal, plugin_->who());
}

Result<std::unique_ptr<DeviceDriver>> PluginInstance::open(std::uint32_t ordinal, OptionSource options) {
  const std::vector<berth_option> converted = to_abi(options.options);
  berth_open_args args{};
  args.struct_size = sizeof args;
  args.ordinal = ordinal;
  args.options = converted.empty() ? nullptr : converted.data();
  args.option_count = converted.size();
  berth_device* device = nullptr;
  const PluginFailure failure = call_plugin_for(plugin_->who(), "open", [&](berth_error* error) {
    return plugin_->table().device->open(handle_, &args, &device, error);
  });
  BERTH_FAIL_IF_ERROR(blame_option(failure, options.options, options.file));
  if (device == nullptr) return fail(missing_output(*plugin_, "open"));
  return PluginDriver::adopt(shared_from_this(), device);
}

}  // namespace berth::loader::detail
