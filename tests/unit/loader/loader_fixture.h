// What loader tests share: a folder of their own, a world without environment, and the messages that were logged.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "berth/core/log.h"
#include "berth/loader/load_registry.h"
#include "berth/test/temp_dir.h"

namespace berth::loader::test {

class LoaderTest : public ::testing::Test {
 protected:
  LoaderTest() {
    options_.environment = [this](std::string_view name) -> std::optional<std::string> {
      const auto found = environment_.find(std::string(name));
      if (found == environment_.end()) return std::nullopt;
      return found->second;
    };
    options_.privileged = false;
    options_.install_folder = BERTH_TEST_PLUGIN_DIR;
    options_.packaged_config = (folder_.path() / "no-packaged.toml").string();
    options_.log = make_function_sink([this](LogLevel level, std::string_view message) {
      const std::lock_guard guard(lock_);
      if (level >= LogLevel::kWarning) warnings_.emplace_back(message);
    });
  }

  // Writes `text` after "version = 1" as devices.toml and makes it the registry file.
  std::string config(const std::string& text) {
    options_.path = folder_.write("devices.toml", "version = 1\n" + text).string();
    return options_.path;
  }

  [[nodiscard]] Result<LoadedRegistry> load() { return load_registry(options_); }

  // The message of load(), "OK" when it succeeds.
  [[nodiscard]] std::string load_message() { return load().status().message(); }

  [[nodiscard]] std::vector<std::string> warnings() {
    const std::lock_guard guard(lock_);
    return warnings_;
  }

  berth::test::TempDir folder_;
  std::map<std::string, std::string> environment_;
  RegistryOptions options_;

 private:
  std::mutex lock_;
  std::vector<std::string> warnings_;
};

}  // namespace berth::loader::test
