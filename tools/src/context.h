// Context: what every subcommand gets: the streams, the tables, and the options that all of them share.
#pragma once

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "berth/cli/run.h"
#include "berth/core/log.h"
#include "berth/core/result.h"
#include "berth/loader/load_registry.h"
#include "error_stream.h"
#include "report/style.h"

namespace berth::cli {

// Options of every subcommand.
struct CommonOptions {
  std::string config;  // --config FILE
  bool json = false;   // --json
};

class Context {
 public:
  Context(const module::KernelTable& kernels, const module::DelegateTable& delegates, const Streams& streams);

  [[nodiscard]] const module::KernelTable& kernels() const noexcept { return kernels_; }
  [[nodiscard]] const module::DelegateTable& delegates() const noexcept { return delegates_; }
  [[nodiscard]] std::ostream& out() const noexcept { return *streams_.out; }
  [[nodiscard]] ErrorStream& err() noexcept { return *err_; }
  [[nodiscard]] Style style() const noexcept { return Style{streams_.colour}; }
  [[nodiscard]] const std::shared_ptr<LogSink>& log() const noexcept { return log_; }

  // Reads BERTH_LOG and makes the log sink. Errors only by default: what is logged as a warning (fallbacks, notices) is
  // in the reports too. kInvalidArgument (origin kUsage) for an unknown level.
  Status read_environment();

  // Reads the registry file: --config, else BERTH_CONFIG, else the packaged one. Errors as load_registry.
  [[nodiscard]] Result<loader::LoadedRegistry> open_registry(const CommonOptions& options,
                                                             std::vector<loader::DeviceMapping> map = {});

 private:
  const module::KernelTable& kernels_;
  const module::DelegateTable& delegates_;
  Streams streams_;
  std::shared_ptr<ErrorStream> err_;
  std::shared_ptr<LogSink> log_;
};

// A subcommand that the command line chose, ready to be carried out: prints its report and answers the exit code. A
// failure is printed by who calls it, once for all subcommands.
struct Invocation {
  std::string command;  // "devices"
  bool json = false;
  std::function<Result<int>(Context&)> action;
};

}  // namespace berth::cli
