// Session: one program on the devices of one registry, for the length of a `berth run`: loads methods, runs cases, and
// gathers the report.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "berth/loader/load_registry.h"
#include "berth/module/module.h"
#include "context.h"
#include "report/run_report.h"
#include "run/compare.h"
#include "run/value_spec.h"

namespace berth::cli {

// What to run once, or `repeats` times.
struct CaseRequest {
  std::string method;
  std::optional<std::uint64_t> test_case;  // number in a .bpte
  std::vector<ValueSpec> inputs;           // empty: made up
  std::vector<ValueSpec> expected;         // empty: nothing is compared
};

struct SessionOptions {
  std::uint64_t repeats = 1;
  Tolerance tolerance;
  std::string output_dir;  // empty: nothing is written
  std::vector<std::shared_ptr<const program::DataFile>> data_files;
};

class Session {
 public:
  [[nodiscard]] static Result<Session> create(Context& context, std::shared_ptr<const program::Program> program,
                                              const loader::LoadedRegistry& loaded, SessionOptions options);

  // Loads the method if need be, runs it and adds what happened to the report. Errors: of loading, running, reading and
  // comparing; kInvalidArgument (origin kUsage) when the number of expected values is not that of the outputs.
  Status run(const CaseRequest& request);

  // Everything so far.
  [[nodiscard]] RunReport report() const;

 private:
  Session(Context& context, SessionOptions options) : context_(&context), options_(std::move(options)) {}
  Status load(const program::MethodPlan& plan);
  [[nodiscard]] Result<std::vector<module::Value>> repeat(RunCase& run, std::span<const module::Value> inputs);
  Status write(const RunCase& run, std::span<const OutputValue> outputs);

  Context* context_;
  SessionOptions options_;
  std::unique_ptr<module::Module> module_;
  RunReport report_;
  module::CopyCount staged_;
  module::CopyCount read_back_;
};

}  // namespace berth::cli
