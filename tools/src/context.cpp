#include "context.h"

#include <cstdlib>
#include <utility>

namespace berth::cli {
namespace {

const char* level_name(LogLevel level) {
  switch (level) {
    case LogLevel::kTrace:
      return "trace";
    case LogLevel::kDebug:
      return "debug";
    case LogLevel::kInfo:
      return "info";
    case LogLevel::kWarning:
      return "warning";
    case LogLevel::kError:
      return "error";
    case LogLevel::kOff:
      break;
  }
  return "off";
}

}  // namespace

Context::Context(const module::KernelTable& kernels, const module::DelegateTable& delegates, const Streams& streams)
    : kernels_(kernels), delegates_(delegates), streams_(streams), err_(std::make_shared<ErrorStream>(*streams.err)) {}

Status Context::read_environment() {
  LogLevel lowest = LogLevel::kError;
  const char* wanted = std::getenv("BERTH_LOG");
  if (wanted != nullptr && !parse_log_level(wanted, lowest)) {
    return Status({.code = Code::kInvalidArgument,
                   .origin = Origin::kUsage,
                   .where = "environment variable BERTH_LOG",
                   .what = "unknown level",
                   .expected = "trace, debug, info, warning, error or off",
                   .found = "'" + std::string(wanted) + "'"});
  }
  log_ = make_function_sink([err = err_, lowest](LogLevel level, std::string_view message) {
    if (level >= lowest && lowest != LogLevel::kOff) err->line(std::string(level_name(level)) + ": " += message);
  });
  return {};
}

Result<loader::LoadedRegistry> Context::open_registry(const CommonOptions& options,
                                                      std::vector<loader::DeviceMapping> map) {
  loader::RegistryOptions registry;
  registry.path = options.config;
  registry.log = log_;
  registry.map = std::move(map);
  return loader::load_registry(registry);
}

}  // namespace berth::cli
