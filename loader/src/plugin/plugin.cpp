#include "plugin/plugin.h"

#include <filesystem>
#include <utility>

#include "plugin/plugin_rules.h"
#include "plugin/plugin_table.h"
#include "plugin/process_state.h"
#include "plugin/shared_library.h"

namespace berth::loader::detail {
namespace {

Status replaced(const CheckedFile& file) {
  return Status({.code = Code::kFailedPrecondition,
                 .origin = Origin::kDevice,
                 .where = file.info.path,
                 .what = "the plugin file was replaced after it was checked",
                 .next_step = "try again"});
}

}  // namespace

Plugin::Plugin(CheckedFile file, QueryAnswer answer, std::string mapped_path)
    : file_(std::move(file)),
      answer_(std::move(answer)),
      who_("plugin " + answer_.name),
      mapped_path_(std::move(mapped_path)) {}

Result<std::shared_ptr<const Plugin>> Plugin::open(const CheckedFile& file, LoadStage& out_stage) {
  out_stage = LoadStage::kOpen;
  const std::string& path = file.info.path;
  // The file that was read must be the one that is opened, also if much time has passed.
  BERTH_ASSIGN(const FileIdentity now, identity_of(path, kPluginFile));
  if (now != file.identity) return fail(replaced(file));
  BERTH_ASSIGN(const SharedLibrary library, SharedLibrary::open(path));
  if (!library.identity().same_file(file.identity)) return fail(replaced(file));

  out_stage = LoadStage::kSymbol;
  void* symbol = library.symbol(BERTH_PLUGIN_QUERY_SYMBOL);
  if (symbol == nullptr) {
    return fail({.code = Code::kPluginFault,
                 .origin = Origin::kDevice,
                 .where = path,
                 .what = "the plugin lacks its entry point",
                 .expected = "the exported function berth_plugin_query",
                 .found = "none",
                 .rule = rules::kQueryExported});
  }
  auto answer = ask_plugin(reinterpret_cast<berth_plugin_query_function>(symbol), *file.info.note, out_stage);
  if (!answer.has_value()) return fail(answer.error().at(path));
  return std::shared_ptr<const Plugin>(new Plugin(file, std::move(*answer), library.mapped_path()));
}

}  // namespace berth::loader::detail

namespace berth::loader {

Result<PluginQueryInfo> query_file(const std::string& path) {
  BERTH_ASSIGN(PluginFileInfo file, probe_file(path));
  BERTH_FAIL_IF_ERROR(file.usable);
  BERTH_ASSIGN(const detail::CheckedFile checked, detail::check_file(file.path, file.sha256));
  detail::ProcessStateGuard guard;
  LoadStage stage = LoadStage::kOpen;
  BERTH_ASSIGN(const std::shared_ptr<const detail::Plugin> plugin, detail::Plugin::open(checked, stage));
  const detail::QueryAnswer& answer = plugin->answer();
  PluginQueryInfo info;
  info.file = std::move(file);
  info.name = answer.name;
  info.device_type = answer.device_type;
  info.version = answer.version;
  info.vendor = answer.vendor;
  info.abi_major = BERTH_ABI_MAJOR;
  info.abi_minor = answer.abi_minor;
  info.abi_minor_min = answer.abi_minor_min;
  info.abi_minor_max = answer.abi_minor_max;
  info.driver_starts_threads = (answer.flags & BERTH_PLUGIN_DRIVER_STARTS_THREADS) != 0;
  info.driver_keeps_threads = (answer.flags & BERTH_PLUGIN_DRIVER_KEEPS_THREADS) != 0;
  info.groups = detail::list_groups(answer.table);
  info.process_changes = guard.restore();
  return info;
}

}  // namespace berth::loader
