// Many threads and one registry: each device opens once, and the report can be read meanwhile.
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "berth/core/device_buffer.h"
#include "loader_fixture.h"

namespace berth::loader::test {
namespace {

class RegistryThreadTest : public LoaderTest {};

TEST_F(RegistryThreadTest, OpensEachDeviceOnceForAllThreads) {
  config(
      "[[plugin]]\nname = \"m\"\nfile = \"cpu_mock\"\noptions = { devices = 2 }\n"
      "[[device]]\nid = \"a:0\"\nplugin = \"m\"\n"
      "[[device]]\nid = \"a:1\"\nplugin = \"m\"\nordinal = 1\n"
      "[[device]]\nid = \"b:0\"\nplugin = \"absent\"\nfallback = \"a:1\"\n");
  const auto loaded = load();
  ASSERT_TRUE(loaded.has_value()) << loaded.status().message();
  constexpr int kThreads = 8;
  std::vector<std::shared_ptr<Device>> found(kThreads);
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&, i] {
        const std::vector<DeviceId> ids = {{"a", 0}, {"a", 1}, {"b", 0}};
        const auto device = loaded->registry()->find(ids[static_cast<std::size_t>(i) % ids.size()]);
        if (!device.has_value()) return;
        found[static_cast<std::size_t>(i)] = *device;
        for (int round = 0; round < 100; ++round) {
          auto buffer = DeviceBuffer::allocate(*device, {.bytes = 64});
          if (buffer.has_value()) static_cast<void>(buffer->fill(0, 64, 1));
          if (round % 25 == 0) static_cast<void>(loaded->report());
        }
      });
    }
  }
  for (const auto& device : found) ASSERT_NE(device, nullptr);
  EXPECT_TRUE(found[0]->same_state(*found[3]));
  EXPECT_TRUE(found[1]->same_state(*found[2]));
  EXPECT_TRUE(loaded->registry()->leaks().empty());
  int opened = 0;
  for (const LoadRecord& record : loaded->report().records) {
    if (record.stage == LoadStage::kDevice && record.status.ok()) ++opened;
  }
  EXPECT_EQ(opened, 3);
}

}  // namespace
}  // namespace berth::loader::test
