// berth inspect FILE.pte: what a program takes, gives and needs; with --config, whether that fits the devices there.
#include <memory>
#include <string>
#include <utility>

#include "commands/commands.h"
#include "commands/common_options.h"
#include "exit_code.h"
#include "inspect/fit.h"
#include "inspect/program_facts.h"
#include "program_file.h"
#include "progress.h"
#include "report/inspect_report.h"

namespace berth::cli {
namespace {

struct InspectOptions {
  CommonOptions common;
  std::string file;
};

InspectReport describe(Context& context, const ProgramFile& file, const DeviceRegistry* registry) {
  const program::Program& program = *file.program;
  const module::CopyOperators copies = module::CopyOperators::standard();
  const ComputeTables tables{context.kernels(), context.delegates(), copies};
  InspectReport report;
  report.program = program.name();
  report.file_bytes = program.file_bytes();
  report.legacy = program.legacy();
  report.unplaced_tags = program.unplaced_tags();
  if (file.bundled != nullptr) report.test_cases = file.bundled->test_cases().size();
  for (std::string_view key : program.named_data_keys()) report.named_data.emplace_back(key);
  for (const program::MethodPlan& plan : program.methods()) {
    report.methods.push_back(method_facts(program, plan, tables, registry));
  }
  return report;
}

FitReport judge(Context& context, const program::Program& program, const loader::LoadedRegistry& loaded) {
  Progress progress(context.err(), "opening the devices that the program uses");
  FitReport fit{loaded.config().source, {}};
  for (const program::MethodPlan& plan : program.methods()) {
    fit.methods.push_back(judge_fit(plan, program.legacy(), *loaded.registry()));
  }
  return fit;
}

void print(Context& context, const InspectOptions& options, const InspectReport& report) {
  if (options.common.json) {
    print_json(context.out(), report);
  } else {
    print_text(context.out(), report, context.style());
  }
}

Result<int> inspect(Context& context, const InspectOptions& options) {
  BERTH_ASSIGN(const ProgramFile file, open_program_file(options.file));
  if (options.common.config.empty()) {
    print(context, options, describe(context, file, nullptr));
    return kExitGood;
  }
  BERTH_ASSIGN(const loader::LoadedRegistry loaded, context.open_registry(options.common));
  InspectReport report = describe(context, file, loaded.registry().get());
  report.fit = judge(context, *file.program, loaded);
  print(context, options, report);
  return report.fit->fits() ? kExitGood : kExitAnswerIsNo;
}

}  // namespace

void add_inspect_command(CLI::App& app, Invocation& invocation) {
  auto options = std::make_shared<InspectOptions>();
  CLI::App* command = add_command(
      app, "inspect", "What a program takes, gives and needs; with --config, whether it fits the devices there",
      options->common);
  command->add_option("FILE", options->file, "Program file (.pte or .bpte)")->required();
  command->callback([options, &invocation] {
    invocation = {"inspect", options->common.json, [options](Context& context) { return inspect(context, *options); }};
  });
}

}  // namespace berth::cli
