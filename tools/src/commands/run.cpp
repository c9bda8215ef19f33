// berth run FILE: loads a program, places it on devices, runs it, and says what happened.
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "commands/commands.h"
#include "commands/common_options.h"
#include "exit_code.h"
#include "program_file.h"
#include "report/run_report.h"
#include "run/session.h"

namespace berth::cli {
namespace {

struct RunOptions {
  CommonOptions common;
  std::string file;
  std::string method;
  std::vector<std::string> data;
  std::vector<std::string> inputs;
  std::vector<std::string> expected;
  std::vector<std::string> map;
  std::string output_dir;
  std::uint64_t repeats = 1;
  Tolerance tolerance;
};

Status wrong_use(std::string where, std::string what, std::string expected, std::string found) {
  return Status({.code = Code::kInvalidArgument,
                 .origin = Origin::kUsage,
                 .where = std::move(where),
                 .what = std::move(what),
                 .expected = std::move(expected),
                 .found = std::move(found)});
}

// "cuda:0=cuda:3"
Result<std::vector<loader::DeviceMapping>> parse_map(const std::vector<std::string>& texts) {
  std::vector<loader::DeviceMapping> map;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) {
      return fail(wrong_use("--map", "not a mapping", "FROM=TO, as in cuda:0=cuda:3", "'" + text + "'"));
    }
    auto from = DeviceId::parse(text.substr(0, equals));
    if (!from.has_value()) return fail(from.error().at("--map " + text));
    auto to = DeviceId::parse(text.substr(equals + 1));
    if (!to.has_value()) return fail(to.error().at("--map " + text));
    map.push_back({*std::move(from), *std::move(to)});
  }
  return map;
}

Result<std::vector<ValueSpec>> parse_specs(std::string_view option, const std::vector<std::string>& texts) {
  std::vector<ValueSpec> specs;
  for (const std::string& text : texts) {
    BERTH_ASSIGN(ValueSpec spec, parse_value_spec(option, text));
    specs.push_back(std::move(spec));
  }
  return specs;
}

// The method asked for, else the only one, else `forward`.
Result<std::string> choose_method(const program::Program& program, const std::string& wanted) {
  if (!wanted.empty()) {
    BERTH_ASSIGN(const program::MethodPlan* plan, program.method(wanted));
    return std::string(plan->name);
  }
  if (program.methods().size() == 1) return std::string(program.methods().front().name);
  if (program.find_method("forward") != nullptr) return std::string("forward");
  std::string names;
  for (const program::MethodPlan& plan : program.methods())
    names += (names.empty() ? "" : ", ") + std::string(plan.name);
  return fail(wrong_use(program.name(), "which method is not clear", "--method with one of " + names, "no --method"));
}

// The test cases that a .bpte brings, those of `method` only if one was asked for.
Result<std::vector<CaseRequest>> bundled_requests(const program::BundledProgram& bundled, const std::string& method) {
  std::vector<CaseRequest> requests;
  std::uint64_t number = 0;
  for (const program::BundledTestCase& test_case : bundled.test_cases()) {
    CaseRequest request;
    request.method = test_case.method;
    request.test_case = number++;
    const std::string name = "test case " + std::to_string(*request.test_case);
    for (const program::BundledValue& value : test_case.inputs) {
      BERTH_ASSIGN(ValueSpec spec, value_spec_of(value, name));
      request.inputs.push_back(std::move(spec));
    }
    for (const program::BundledValue& value : test_case.expected_outputs) {
      BERTH_ASSIGN(ValueSpec spec, value_spec_of(value, name));
      request.expected.push_back(std::move(spec));
    }
    if (method.empty() || method == test_case.method) requests.push_back(std::move(request));
  }
  return requests;
}

Result<std::vector<CaseRequest>> make_requests(const ProgramFile& file, const RunOptions& options) {
  if (file.bundled != nullptr && options.inputs.empty() && options.expected.empty()) {
    BERTH_ASSIGN(auto requests, bundled_requests(*file.bundled, options.method));
    if (!requests.empty()) return requests;
  }
  CaseRequest request;
  BERTH_ASSIGN(request.method, choose_method(*file.program, options.method));
  BERTH_ASSIGN(request.inputs, parse_specs("--input", options.inputs));
  BERTH_ASSIGN(request.expected, parse_specs("--expect", options.expected));
  return std::vector<CaseRequest>{std::move(request)};
}

Result<SessionOptions> session_options(const RunOptions& options) {
  SessionOptions session;
  session.repeats = options.repeats;
  session.tolerance = options.tolerance;
  session.output_dir = options.output_dir;
  for (const std::string& path : options.data) {
    BERTH_ASSIGN(auto data, program::DataFile::open(path));
    session.data_files.push_back(std::move(data));
  }
  return session;
}

Result<int> run_program(Context& context, const RunOptions& options) {
  BERTH_ASSIGN(auto map, parse_map(options.map));
  BERTH_ASSIGN(const ProgramFile file, open_program_file(options.file));
  BERTH_ASSIGN(const auto requests, make_requests(file, options));
  BERTH_ASSIGN(SessionOptions settings, session_options(options));
  BERTH_ASSIGN(const loader::LoadedRegistry loaded, context.open_registry(options.common, std::move(map)));
  BERTH_ASSIGN(Session session, Session::create(context, file.program, loaded, std::move(settings)));
  for (const CaseRequest& request : requests) BERTH_FAIL_IF_ERROR(session.run(request));
  const RunReport report = session.report();
  if (options.common.json) {
    print_json(context.out(), report);
  } else {
    print_text(context.out(), report, context.style());
  }
  return report.matches().value_or(true) ? kExitGood : kExitAnswerIsNo;
}

// CLI11's own check quotes a number of 300 digits.
std::string check_tolerance(const std::string& text) {
  double number = 0;
  const bool good = CLI::detail::lexical_cast(text, number) && number >= 0 && std::isfinite(number);
  return good ? "" : "expected a number that is not negative, found '" + text + "'";
}

// An option that may be given again and again, with one text each time.
void add_list(CLI::App* command, const std::string& name, std::vector<std::string>& texts, const std::string& type,
              const std::string& description) {
  command->add_option(name, texts, description)->type_name(type)->allow_extra_args(false);
}

}  // namespace

void add_run_command(CLI::App& app, Invocation& invocation) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command =
      add_command(app, "run", "Load a program, place it on devices, run it and say what happened", options->common);
  command->add_option("FILE", options->file, "Program file (.pte, or .bpte with test cases of its own)")->required();
  command->add_option("--method", options->method, "Method (default: the only one, else forward)")->type_name("NAME");
  add_list(command, "--data", options->data, "FILE", "Data file with external constants (.ptd); repeatable");
  add_list(command, "--input", options->inputs, "VALUE",
           "One input: FILE.npy, int:3, double:0.5, bool:true, string:x or none; once for each (default: ones)");
  add_list(command, "--expect", options->expected, "VALUE", "One expected output, as --input; once for each");
  add_list(command, "--map", options->map, "FROM=TO", "Serve a device by another entry, as in cuda:0=cuda:3");
  command->add_option("--output-dir", options->output_dir, "Write the outputs to this folder")->type_name("DIR");
  command->add_option("--repeat", options->repeats, "Run this many times; --expect compares the last")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000}));
  command->add_option("--rtol", options->tolerance.relative, "Relative tolerance of floating-point outputs")
      ->type_name("X")
      ->check(check_tolerance)
      ->capture_default_str();
  command->add_option("--atol", options->tolerance.absolute, "Absolute tolerance")
      ->type_name("X")
      ->check(check_tolerance)
      ->capture_default_str();
  command->callback([options, &invocation] {
    invocation = {"run", options->common.json, [options](Context& context) { return run_program(context, *options); }};
  });
}

}  // namespace berth::cli
