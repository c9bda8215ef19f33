// berth probe FILE.so: what a plugin file says about itself.
#include <memory>
#include <utility>

#include "commands/commands.h"
#include "commands/common_options.h"
#include "exit_code.h"
#include "report/probe_report.h"

namespace berth::cli {
namespace {

struct ProbeOptions {
  CommonOptions common;
  std::string file;
  bool run = false;
};

Result<int> probe(Context& context, const ProbeOptions& options) {
  ProbeReport report;
  BERTH_ASSIGN(report.file, loader::probe_file(options.file));
  if (options.run && report.file.usable.ok()) {
    auto query = loader::query_file(options.file);
    if (query.has_value()) {
      report.query = *std::move(query);
    } else {
      report.query_failure = std::move(query).error();
    }
  }
  if (options.common.json) {
    print_json(context.out(), report);
  } else {
    print_text(context.out(), report, context.style());
  }
  return report.file.usable.ok() && report.query_failure.ok() ? kExitGood : kExitAnswerIsNo;
}

}  // namespace

void add_probe_command(CLI::App& app, Invocation& invocation) {
  auto options = std::make_shared<ProbeOptions>();
  CLI::App* command =
      add_command(app, "probe", "What a plugin file says about itself, read without running its code", options->common);
  command->add_option("FILE", options->file, "Plugin file (.so)")->required();
  command->add_flag("--run", options->run, "Also open it, run its query and list its function groups");
  command->callback([options, &invocation] {
    invocation = {"probe", options->common.json, [options](Context& context) { return probe(context, *options); }};
  });
}

}  // namespace berth::cli
