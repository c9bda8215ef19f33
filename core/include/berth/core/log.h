// Where Berth's messages go. One sink for the process-independent parts is passed in (RegistryOptions, Module options);
// nothing writes to a standard stream by itself.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "berth/core/api.h"

namespace berth {

enum class LogLevel : int { kTrace, kDebug, kInfo, kWarning, kError, kOff };

// A place for messages. Thread rules: log() may be called from any thread, also from threads of plugins; it does not
// call back into Berth.
class BERTH_API LogSink {
 public:
  virtual ~LogSink();
  virtual void log(LogLevel level, std::string_view message) noexcept = 0;
};

// A sink that writes lines to standard error at `level` and above (through spdlog). `level` kOff writes nothing.
[[nodiscard]] BERTH_API std::shared_ptr<LogSink> make_stderr_sink(LogLevel level);

// A sink that calls `function` for every message.
[[nodiscard]] BERTH_API std::shared_ptr<LogSink> make_function_sink(
    std::function<void(LogLevel, std::string_view)> function);

// "trace", "debug", "info", "warning", "error", "off" (as in BERTH_LOG); false when `text` is none of them.
[[nodiscard]] BERTH_API bool parse_log_level(std::string_view text, LogLevel& out) noexcept;

}  // namespace berth
