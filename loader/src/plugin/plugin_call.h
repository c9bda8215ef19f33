// Calling a plugin: every call goes through call_plugin, which catches what the plugin lets out and turns berth_error
// into a Status with the plugin's own text.
#pragma once

#define BERTH_HOST
#include <berth/plugin.h>

#include <exception>
#include <string>

#include "berth/core/status.h"

namespace berth::loader::detail {

// A failure that the plugin reported.
struct PluginFailure {
  Status status;
  std::int32_t option_index = -1;  // the option at fault
};

// The failure for `returned` (not BERTH_OK) and what the plugin wrote. `who` is "plugin cuda", `function` its name in
// the table.
[[nodiscard]] PluginFailure translate(berth_code returned, const berth_error& error, const std::string& who,
                                      const char* function);

// A lie of the plugin, by rule id.
[[nodiscard]] Status plugin_fault(const std::string& who, const char* function, std::string what, std::string expected,
                                  std::string found, const char* rule);

[[nodiscard]] PluginFailure exception_failure(const std::string& who, const char* function, const char* text);

// Runs call(berth_error*), which returns a berth_code. OK, or what went wrong; never throws.
template <typename Call>
[[nodiscard]] PluginFailure call_plugin_for(const std::string& who, const char* function, Call&& call) noexcept {
  berth_error error;  // the host clears two fields, the plugin writes the rest on failure
  error.code = BERTH_OK;
  error.message[0] = '\0';
  try {
    const berth_code code = call(&error);
    if (code == BERTH_OK && error.code == BERTH_OK) [[likely]] {
      return {};
    }
    return translate(code, error, who, function);
  } catch (const std::exception& thrown) {
    return exception_failure(who, function, thrown.what());
  } catch (...) {
    return exception_failure(who, function, "something that is no std::exception");
  }
}

template <typename Call>
[[nodiscard]] Status call_plugin(const std::string& who, const char* function, Call&& call) noexcept {
  return call_plugin_for(who, function, std::forward<Call>(call)).status;
}

}  // namespace berth::loader::detail
