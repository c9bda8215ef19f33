// The subcommands. Each function adds one to the command line; when the user chooses it, `invocation` is filled in.
#pragma once

#include "context.h"

namespace CLI {
class App;
}

namespace berth::cli {

void add_devices_command(CLI::App& app, Invocation& invocation);
void add_inspect_command(CLI::App& app, Invocation& invocation);
void add_probe_command(CLI::App& app, Invocation& invocation);
void add_run_command(CLI::App& app, Invocation& invocation);

}  // namespace berth::cli
