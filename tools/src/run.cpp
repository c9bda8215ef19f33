// One command line: parsed by CLI11, carried out by a subcommand, its failure printed and turned into an exit code
// here.
#include "berth/cli/run.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>
#include <sstream>
#include <string>

#include "berth/version.h"
#include "commands/commands.h"
#include "context.h"
#include "exit_code.h"
#include "report/failure.h"

namespace berth::cli {
namespace {

constexpr const char* kFooter =
    "Exit codes: 0 good; 1 the work was done and the answer is no; 2 wrong use; 3 a bad input file;\n"
    "4 a device or plugin failed, is full or is absent; 70 a fault of Berth.\n"
    "Environment: BERTH_CONFIG (registry file), BERTH_PLUGIN_PATH (folders of plugins),\n"
    "BERTH_LOG (trace, debug, info, warning, error, off), NO_COLOR.";

// Trims what CLI11 puts at the end of its texts.
std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

// Help and version go to `out`; a mistake of the caller to `err`.
int answer_parse_result(const CLI::App& app, const CLI::ParseError& result, Context& context) {
  std::ostringstream out;
  std::ostringstream err;
  const int code = app.exit(result, out, err);
  if (code == 0) {
    context.out() << out.str();
    return kExitGood;
  }
  context.err().line("berth: " + trimmed(err.str()));
  return kExitUsage;
}

// CLI11 would say that a command is missing.
bool names_unknown_command(const CLI::App& app, int argc, char** argv, Context& context) {
  if (argc < 2 || argv[1][0] == '-') return false;
  std::string names;
  for (const CLI::App* command : app.get_subcommands({})) {
    if (command->get_name() == argv[1]) return false;
    names += (names.empty() ? "" : ", ") + command->get_name();
  }
  context.err().line("berth: unknown command: expected one of " + names + ", found '" + argv[1] +
                     "'\nRun with --help for more information.");
  return true;
}

int finish(const Invocation& invocation, const Result<int>& result, Context& context) {
  if (!result.has_value()) {
    if (invocation.json) print_failure_json(context.out(), invocation.command, result.error());
    context.err().line("berth: " + result.error().message());
  }
  if (!context.out().flush()) {
    context.err().line("berth: the report cannot be written: standard output is closed or full");
    return kExitUsage;
  }
  return result.has_value() ? *result : exit_code(result.error());
}

int parse_and_run(int argc, char** argv, Context& context) {
  CLI::App app("Device memory for planned inference programs: look at devices and programs, run them.", "berth");
  app.set_version_flag("--version", std::string("berth ") + version(), "Print the version and exit");
  app.require_subcommand(1);
  app.footer(kFooter);
  Invocation invocation;
  add_devices_command(app, invocation);
  add_probe_command(app, invocation);
  add_inspect_command(app, invocation);
  add_run_command(app, invocation);
  if (names_unknown_command(app, argc, argv, context)) return kExitUsage;
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& result) {
    return answer_parse_result(app, result, context);
  }
  if (Status status = context.read_environment(); !status.ok()) {
    return finish(invocation, Result<int>(tl::unexpected<Status>(std::move(status))), context);
  }
  return finish(invocation, invocation.action(context), context);
}

}  // namespace

int run(int argc, char** argv, const module::KernelTable& kernels, const module::DelegateTable& delegates,
        const Streams& streams) {
  try {
    Context context(kernels, delegates, streams);
    return parse_and_run(argc, argv, context);
  } catch (const std::bad_alloc&) {
    *streams.err << "berth: out of host memory" << std::endl;
    return kExitDevice;
  } catch (const std::exception& error) {
    *streams.err << "berth: unexpected failure: " << error.what() << "; please report this" << std::endl;
  } catch (...) {
    *streams.err << "berth: unexpected failure of an unknown kind; please report this" << std::endl;
  }
  return kExitInternal;
}

int run(int argc, char** argv, const module::KernelTable& kernels, const module::DelegateTable& delegates) {
  const char* no_color = std::getenv("NO_COLOR");
  const bool colour = isatty(STDOUT_FILENO) == 1 && (no_color == nullptr || *no_color == '\0');
  return run(argc, argv, kernels, delegates, Streams{&std::cout, &std::cerr, colour});
}

}  // namespace berth::cli
