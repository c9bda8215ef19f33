#include "run/session.h"

#include <chrono>
#include <filesystem>
#include <utility>

#include "npy/npy_file.h"
#include "progress.h"
#include "run/durations.h"
#include "run/placement.h"
#include "run/prepare_inputs.h"
#include "run/read_outputs.h"
#include "run/write_outputs.h"

namespace berth::cli {
namespace {

std::uint64_t nanoseconds_since(std::chrono::steady_clock::time_point start) {
  const auto passed = std::chrono::steady_clock::now() - start;
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(passed).count());
}

// The tables live as long as the command runs, longer than every module.
template <typename Table>
std::shared_ptr<const Table> borrowed(const Table& table) {
  return {std::shared_ptr<void>(), &table};
}

void add(module::CopyCount& sum, const module::CopyCount& more) {
  sum.count += more.count;
  sum.bytes += more.bytes;
}

// Before anything is loaded, so that a long run is not for nothing.
Status check_expected(const CaseRequest& request, const program::MethodPlan& plan) {
  if (request.expected.empty()) return {};
  if (request.expected.size() != plan.outputs.size()) {
    return Status({.code = Code::kInvalidArgument,
                   .origin = Origin::kUsage,
                   .where = "method '" + request.method + "'",
                   .what = "wrong number of expected outputs",
                   .expected = std::to_string(plan.outputs.size()),
                   .found = std::to_string(request.expected.size())});
  }
  for (const ValueSpec& spec : request.expected) {
    if (const auto* file = std::get_if<ArrayFile>(&spec.value)) {
      BERTH_RETURN_IF_ERROR(read_npy_type(file->path).status());
    }
  }
  return {};
}

Status compare_outputs(const CaseRequest& request, const Tolerance& tolerance, ReadOutputs& outputs) {
  if (request.expected.empty()) return {};
  const std::string where = "method '" + request.method + "'";
  for (std::size_t i = 0; i < outputs.values.size(); ++i) {
    BERTH_ASSIGN_OR_STATUS(outputs.rows[i].comparison, compare(where + ", output " + std::to_string(i),
                                                               outputs.values[i], request.expected[i], tolerance));
  }
  return {};
}

}  // namespace

Result<Session> Session::create(Context& context, std::shared_ptr<const program::Program> program,
                                const loader::LoadedRegistry& loaded, SessionOptions options) {
  Session session(context, std::move(options));
  session.report_.program = program->name();
  session.report_.config = loaded.config().source;
  module::ModuleOptions module;
  module.kernels = borrowed(context.kernels());
  module.delegates = borrowed(context.delegates());
  module.data_files = session.options_.data_files;
  module.log = context.log();
  BERTH_ASSIGN(session.module_, module::Module::load(std::move(program), loaded.registry(), std::move(module)));
  return session;
}

Status Session::run(const CaseRequest& request) {
  BERTH_ASSIGN_OR_STATUS(const program::MethodPlan* plan, module_->program()->method(request.method));
  BERTH_RETURN_IF_ERROR(check_expected(request, *plan));
  BERTH_RETURN_IF_ERROR(load(*plan));
  BERTH_ASSIGN_OR_STATUS(PreparedInputs inputs, prepare_inputs(*module_, *plan, request.inputs));
  add(staged_, inputs.staged);
  RunCase run;
  run.method = request.method;
  run.test_case = request.test_case;
  run.repeats = options_.repeats;
  run.inputs = std::move(inputs.rows);
  BERTH_ASSIGN_OR_STATUS(const std::vector<module::Value> values, repeat(run, inputs.values));
  BERTH_ASSIGN_OR_STATUS(ReadOutputs outputs, read_outputs(request.method, values));
  add(read_back_, outputs.read_back);
  BERTH_RETURN_IF_ERROR(write(run, outputs.values));
  BERTH_RETURN_IF_ERROR(compare_outputs(request, options_.tolerance, outputs));
  run.outputs = std::move(outputs.rows);
  report_.cases.push_back(std::move(run));
  return {};
}

Status Session::load(const program::MethodPlan& plan) {
  if (module_->is_loaded(plan.name)) return {};
  const auto start = std::chrono::steady_clock::now();
  {
    Progress progress(context_->err(), "loading method " + std::string(plan.name));
    BERTH_RETURN_IF_ERROR(module_->load_method(plan.name));
  }
  const std::uint64_t load_ns = nanoseconds_since(start);
  BERTH_ASSIGN_OR_STATUS(Placement placement, placement_of(*module_, plan));
  placement.load_ns = load_ns;
  report_.placements.push_back(std::move(placement));
  return {};
}

Result<std::vector<module::Value>> Session::repeat(RunCase& run, std::span<const module::Value> inputs) {
  Progress progress(context_->err(), "running method " + run.method);
  Durations durations;
  std::vector<module::Value> outputs;
  for (std::uint64_t i = 0; i < run.repeats; ++i) {
    outputs.clear();  // an output that is still held would make the run use a fresh buffer
    const auto start = std::chrono::steady_clock::now();
    BERTH_ASSIGN(outputs, module_->execute(run.method, inputs));
    durations.add(nanoseconds_since(start));
    progress.now("running method " + run.method + ", " + std::to_string(i + 1) + " of " + std::to_string(run.repeats) +
                 " done");
  }
  run.run_ns = durations.median();
  return outputs;
}

Status Session::write(const RunCase& run, std::span<const OutputValue> outputs) {
  if (options_.output_dir.empty()) return {};
  std::string prefix = std::filesystem::path(report_.program).stem().string() + "." + run.method;
  if (run.test_case.has_value()) prefix += "." + std::to_string(*run.test_case);
  BERTH_ASSIGN_OR_STATUS(std::vector<std::string> files, write_outputs(options_.output_dir, prefix, outputs));
  report_.written.insert(report_.written.end(), files.begin(), files.end());
  return {};
}

RunReport Session::report() const {
  RunReport report = report_;
  report.notices = module_->notices();
  report.copies = copy_rows(module_->copies());
  if (staged_.count > 0) {
    report.copies.push_back({module::copy_direction_name(module::CopyDirection::kHostToDevice), "input staged",
                             staged_.count, staged_.bytes});
  }
  if (read_back_.count > 0) {
    report.copies.push_back({module::copy_direction_name(module::CopyDirection::kDeviceToHost), "output read back",
                             read_back_.count, read_back_.bytes});
  }
  return report;
}

}  // namespace berth::cli
