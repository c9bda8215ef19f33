// From a registry file to open devices, with the mock.
#include "berth/loader/load_registry.h"

#include <gmock/gmock.h>

#include "berth/core/device_buffer.h"
#include "loader_fixture.h"

namespace berth::loader::test {
namespace {

using ::testing::ElementsAre;

class LoadRegistryTest : public LoaderTest {};

constexpr const char* kTwoMocks = R"([[plugin]]
name = "mock"
file = "cpu_mock"
options = { devices = 2 }

[[device]]
id = "cuda:0"
plugin = "mock"
ordinal = 0

[[device]]
id = "cuda:1"
plugin = "mock"
ordinal = 1
)";

TEST_F(LoadRegistryTest, OpensADeviceAtItsFirstFindOnly) {
  config(kTwoMocks);
  const auto loaded = load();
  ASSERT_TRUE(loaded.has_value()) << loaded.status().message();
  DeviceRegistry& registry = *loaded->registry();
  EXPECT_THAT(registry.ids(), ElementsAre(DeviceId{"cpu", 0}, DeviceId{"cuda", 0}, DeviceId{"cuda", 1}));
  EXPECT_EQ(registry.find_open({"cuda", 0}), nullptr);

  const auto device = registry.find({"cuda", 0});
  ASSERT_TRUE(device.has_value()) << device.status().message();
  EXPECT_NE(registry.find_open({"cuda", 0}), nullptr);
  EXPECT_EQ(registry.find_open({"cuda", 1}), nullptr);
  EXPECT_EQ((*device)->served_by().plugin, "mock");
  EXPECT_EQ((*device)->served_by().entry, "cuda:0");
  EXPECT_EQ((*device)->served_by().reason, "configured");
  EXPECT_EQ((*device)->served_by().file, BERTH_TEST_PLUGIN_DIR "/libberth_cpu_mock.so");
}

TEST_F(LoadRegistryTest, MovesBytesThroughThePlugin) {
  config(kTwoMocks);
  const auto loaded = load();
  ASSERT_TRUE(loaded.has_value()) << loaded.status().message();
  const auto device = loaded->registry()->find({"cuda", 1});
  ASSERT_TRUE(device.has_value()) << device.status().message();
  auto buffer = DeviceBuffer::allocate(*device, {.bytes = 16});
  ASSERT_TRUE(buffer.has_value()) << buffer.status().message();
  const std::string text = "sixteen bytes!!!";
  ASSERT_TRUE(buffer->write(0, text.data(), text.size()).ok());
  std::string back(text.size(), ' ');
  ASSERT_TRUE(buffer->read(0, back.data(), back.size()).ok());
  EXPECT_EQ(back, text);
}

}  // namespace
}  // namespace berth::loader::test
