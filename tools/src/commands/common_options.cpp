#include "commands/common_options.h"

#include "berth/version.h"

namespace berth::cli {

CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& description, CommonOptions& options) {
  CLI::App* command = app.add_subcommand(name, description);
  command->add_option("--config", options.config, "Registry file (default: BERTH_CONFIG, else the packaged file)")
      ->type_name("FILE");
  command->add_flag("--json", options.json, "Print the report as JSON (shapes: docs/cli.md)");
  command->set_version_flag("--version", std::string("berth ") + version(), "Print the version and exit");
  return command;
}

}  // namespace berth::cli
