// PluginDriverTest: open devices of the mock behind DeviceDriver, without a registry file.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "berth/core/device_driver.h"
#include "plugin/checked_file.h"
#include "plugin/plugin.h"
#include "plugin/plugin_instance.h"

namespace berth::loader::detail {

class PluginDriverTest : public ::testing::Test {
 protected:
  // An instance of the mock with these options.
  std::shared_ptr<PluginInstance> instance(const std::vector<PluginOption>& options = {}) {
    const auto file = check_file(BERTH_TEST_PLUGIN_DIR "/libberth_cpu_mock.so", std::nullopt);
    EXPECT_TRUE(file.has_value()) << file.status().message();
    if (!file.has_value()) return nullptr;
    LoadStage stage{};
    const auto plugin = Plugin::open(*file, stage);
    EXPECT_TRUE(plugin.has_value()) << plugin.status().message();
    if (!plugin.has_value()) return nullptr;
    auto made = PluginInstance::create(*plugin, {options, config_}, nullptr);
    EXPECT_TRUE(made.has_value()) << made.status().message();
    return made.value_or(nullptr);
  }
  std::unique_ptr<DeviceDriver> open(const std::shared_ptr<PluginInstance>& from, std::uint32_t ordinal = 0) {
    auto driver = from->open(ordinal, {none_, config_});
    EXPECT_TRUE(driver.has_value()) << driver.status().message();
    return driver.has_value() ? std::move(*driver) : nullptr;
  }
  static MemoryBlock allocate(DeviceDriver& driver, std::uint64_t bytes) {
    MemoryBlock block;
    const Status status = driver.allocate({.bytes = bytes}, block);
    EXPECT_TRUE(status.ok()) << status.message();
    return block;
  }
  static std::string read(DeviceDriver& driver, const MemoryBlock& block, std::uint64_t offset, std::uint64_t bytes) {
    std::string text(bytes, '.');
    const Status status = driver.copy_to_host(text.data(), block, offset, bytes);
    EXPECT_TRUE(status.ok()) << status.message();
    return text;
  }
  static void write(DeviceDriver& driver, const MemoryBlock& block, const std::string& text) {
    const Status status = driver.copy_to_device(block, 0, text.data(), text.size());
    EXPECT_TRUE(status.ok()) << status.message();
  }

  const std::vector<PluginOption> none_{};
  const std::string config_ = "devices.toml";
};

}  // namespace berth::loader::detail
