// The only file that knows spdlog. The logger is built by hand and never registered: spdlog's registry is one per
// shared object, so names in it clash or vanish as soon as two libraries carry spdlog.
#include "berth/core/log.h"

#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_color_sinks.h>

#include <utility>

namespace berth {
namespace {

spdlog::level::level_enum spdlog_level(LogLevel level) {
  switch (level) {
    case LogLevel::kTrace:
      return spdlog::level::trace;
    case LogLevel::kDebug:
      return spdlog::level::debug;
    case LogLevel::kInfo:
      return spdlog::level::info;
    case LogLevel::kWarning:
      return spdlog::level::warn;
    case LogLevel::kError:
      return spdlog::level::err;
    case LogLevel::kOff:
      return spdlog::level::off;
  }
  return spdlog::level::off;
}

class StderrSink final : public LogSink {
 public:
  explicit StderrSink(LogLevel level) : logger_("berth", std::make_shared<spdlog::sinks::stderr_color_sink_mt>()) {
    logger_.set_level(spdlog_level(level));
    logger_.set_pattern("[%n] [%^%l%$] %v");
    logger_.set_error_handler([](const std::string&) {});  // nowhere left to complain
  }

  void log(LogLevel level, std::string_view message) noexcept override {
    if (level == LogLevel::kOff) return;
    try {
      logger_.log(spdlog_level(level), "{}", message);
    } catch (...) {  // a message that cannot be written is lost, nothing else
    }
  }

 private:
  spdlog::logger logger_;
};

class FunctionSink final : public LogSink {
 public:
  explicit FunctionSink(std::function<void(LogLevel, std::string_view)> function) : function_(std::move(function)) {}

  void log(LogLevel level, std::string_view message) noexcept override {
    if (!function_) return;
    try {
      function_(level, message);
    } catch (...) {  // the caller's function failed: its message, its loss
    }
  }

 private:
  std::function<void(LogLevel, std::string_view)> function_;
};

constexpr std::pair<std::string_view, LogLevel> kLevelNames[] = {
    {"trace", LogLevel::kTrace},     {"debug", LogLevel::kDebug}, {"info", LogLevel::kInfo},
    {"warning", LogLevel::kWarning}, {"error", LogLevel::kError}, {"off", LogLevel::kOff},
};

}  // namespace

LogSink::~LogSink() = default;

std::shared_ptr<LogSink> make_stderr_sink(LogLevel level) { return std::make_shared<StderrSink>(level); }

std::shared_ptr<LogSink> make_function_sink(std::function<void(LogLevel, std::string_view)> function) {
  return std::make_shared<FunctionSink>(std::move(function));
}

bool parse_log_level(std::string_view text, LogLevel& out) noexcept {
  for (const auto& [name, level] : kLevelNames) {
    if (name == text) {
      out = level;
      return true;
    }
  }
  return false;
}

}  // namespace berth
