// An open plugin device behind DeviceDriver, every group of the ABI, with the mock as plugin.
#include "plugin/plugin_driver.h"

#include <gmock/gmock.h>

#include <cstring>
#include <vector>

#include "berth/core/device_driver.h"
#include "plugin/checked_file.h"
#include "plugin/plugin.h"
#include "plugin/plugin_instance.h"

namespace berth::loader::detail {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

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

  const std::vector<PluginOption> none_;
  const std::string config_ = "devices.toml";
};

TEST_F(PluginDriverTest, TellsPropertiesInTheCoresWords) {
  const auto driver = open(instance({{"capacity", std::string("4MiB")}, {"bind_alignment", std::int64_t{256}}}));
  ASSERT_NE(driver, nullptr);
  const DeviceProperties& properties = driver->properties();
  EXPECT_EQ(properties.bind_alignment, 256u);
  ASSERT_EQ(properties.heaps.size(), 1u);
  EXPECT_EQ(properties.heaps[0].total, std::uint64_t{4} << 20);
  ASSERT_EQ(properties.kinds.size(), 1u);
  EXPECT_TRUE(properties.kinds[0].has_address);
  for (unsigned bit = 0; bit < 10; ++bit) EXPECT_TRUE((properties.capabilities >> bit & 1) != 0) << bit;
}

TEST_F(PluginDriverTest, CopiesAndFills) {
  const auto driver = open(instance());
  ASSERT_NE(driver, nullptr);
  const MemoryBlock a = allocate(*driver, 16);
  const MemoryBlock b = allocate(*driver, 16);
  write(*driver, a, "0123456789abcdef");
  EXPECT_TRUE(driver->copy_within(b, 1, a, 4, 8).ok());
  EXPECT_TRUE(driver->fill(b, 0, 1, 'x').ok());
  EXPECT_EQ(read(*driver, b, 0, 9), "x456789ab");
  EXPECT_TRUE(driver->free(a).ok());
  EXPECT_TRUE(driver->free(b).ok());
}

TEST_F(PluginDriverTest, TellsMemory) {
  const auto driver = open(instance({{"capacity", std::string("1MiB")}}));
  ASSERT_NE(driver, nullptr);
  const MemoryBlock block = allocate(*driver, 65536);
  MemoryInfo info;
  ASSERT_TRUE(driver->memory_info(0, info).ok());
  EXPECT_EQ(info.total, 1u << 20);
  EXPECT_EQ(info.used_by_this_instance, 65536u);
  EXPECT_EQ(info.free, (1u << 20) - 65536);
  EXPECT_TRUE(driver->free(block).ok());
}

TEST_F(PluginDriverTest, LeavesUnknownFiguresOut) {
  const auto driver = open(instance({{"unknown", std::string("free, total, used")}}));
  ASSERT_NE(driver, nullptr);
  MemoryInfo info;
  ASSERT_TRUE(driver->memory_info(0, info).ok());
  EXPECT_FALSE(info.free.has_value());
  EXPECT_FALSE(info.total.has_value());
  EXPECT_FALSE(info.used_by_this_instance.has_value());
}

TEST_F(PluginDriverTest, KeepsThePluginsWordsAndItsDriversCode) {
  const auto driver = open(instance({{"faults", std::string("allocate#1=OUT_OF_DEVICE_MEMORY(-61)")}}));
  ASSERT_NE(driver, nullptr);
  MemoryBlock block;
  const Status status = driver->allocate({.bytes = 64}, block);
  EXPECT_EQ(status.code(), Code::kOutOfDeviceMemory);
  EXPECT_EQ(status.origin(), Origin::kDevice);
  EXPECT_EQ(status.native_code(), -61);
  EXPECT_EQ(status.message(),
            "plugin cpu_mock, allocate: fault schedule: 'allocate#1=OUT_OF_DEVICE_MEMORY(-61)' at call 1, allocate; "
            "try again [native code -61]");
}

TEST_F(PluginDriverTest, TranslatesEveryCode) {
  const std::vector<std::pair<const char*, Code>> codes = {{"INVALID_ARGUMENT", Code::kInvalidArgument},
                                                           {"NOT_UNDERSTOOD", Code::kNotUnderstood},
                                                           {"FAILED_PRECONDITION", Code::kFailedPrecondition},
                                                           {"OUT_OF_DEVICE_MEMORY", Code::kOutOfDeviceMemory},
                                                           {"TOO_LARGE", Code::kAllocationTooLarge},
                                                           {"TOO_MANY_ALLOCATIONS", Code::kTooManyAllocations},
                                                           {"OUT_OF_HOST_MEMORY", Code::kOutOfHostMemory},
                                                           {"OUT_OF_PINNED_MEMORY", Code::kOutOfPinnedMemory},
                                                           {"NO_DEVICE", Code::kNoDevice},
                                                           {"DEPENDENCY_MISSING", Code::kDependencyMissing},
                                                           {"NO_PERMISSION", Code::kNoPermission},
                                                           {"DEVICE_LOST", Code::kDeviceLost},
                                                           {"EARLIER_WORK", Code::kEarlierWork},
                                                           {"DRIVER_FAILED", Code::kDriverFailed},
                                                           {"PLUGIN_FAULT", Code::kPluginFault}};
  for (const auto& [name, code] : codes) {
    const auto driver = open(instance({{"faults", "allocate#1=" + std::string(name)}}));
    ASSERT_NE(driver, nullptr);
    MemoryBlock block;
    EXPECT_EQ(code_name(driver->allocate({.bytes = 64}, block).code()), std::string(code_name(code))) << name;
  }
}

TEST_F(PluginDriverTest, StagesThroughPinnedMemory) {
  const auto driver = open(instance());
  ASSERT_NE(driver, nullptr);
  void* data = nullptr;
  ASSERT_TRUE(driver->allocate_staging(64, data).ok());
  ASSERT_NE(data, nullptr);
  std::memset(data, 1, 64);
  EXPECT_TRUE(driver->free_staging(data).ok());
}

TEST_F(PluginDriverTest, RunsQueuesAndEvents) {
  const auto driver = open(instance());
  ASSERT_NE(driver, nullptr);
  const MemoryBlock a = allocate(*driver, 8);
  const MemoryBlock b = allocate(*driver, 8);
  std::unique_ptr<DriverQueue> queue;
  std::unique_ptr<DriverQueue> other;
  ASSERT_TRUE(driver->create_queue(queue).ok());
  ASSERT_TRUE(driver->create_queue(other).ok());
  const std::string text = "abcdefgh";
  std::string back(8, '.');
  EXPECT_TRUE(queue->copy_to_device(a, 0, text.data(), 8).ok());
  EXPECT_TRUE(queue->copy_within(b, 0, a, 0, 8).ok());
  EXPECT_TRUE(queue->fill(b, 0, 2, 'x').ok());
  std::unique_ptr<DriverEvent> event;
  ASSERT_TRUE(queue->record(event).ok());
  ASSERT_NE(event, nullptr);
  EXPECT_TRUE(other->can_wait(*event));
  EXPECT_TRUE(other->wait(*event).ok());
  EXPECT_TRUE(other->copy_to_host(back.data(), b, 0, 8).ok());
  EXPECT_TRUE(other->synchronize().ok());
  EXPECT_EQ(back, "xxcdefgh");
  queue.reset();  // events outlive their queue
  EXPECT_TRUE(event->wait(UINT64_MAX).ok());
  bool done = false;
  EXPECT_TRUE(event->query(done).ok());
  EXPECT_TRUE(done);
  EXPECT_TRUE(driver->free(a).ok());
  EXPECT_TRUE(driver->free(b).ok());
}

TEST_F(PluginDriverTest, SeesWorkThatIsStillRunning) {
  const auto driver = open(instance({{"latency", std::string("work=50ms")}}));
  ASSERT_NE(driver, nullptr);
  const MemoryBlock a = allocate(*driver, 8);
  std::unique_ptr<DriverQueue> queue;
  ASSERT_TRUE(driver->create_queue(queue).ok());
  ASSERT_TRUE(queue->fill(a, 0, 8, 1).ok());
  std::unique_ptr<DriverEvent> event;
  ASSERT_TRUE(queue->record(event).ok());
  bool done = true;
  EXPECT_TRUE(event->query(done).ok());
  EXPECT_FALSE(done);
  EXPECT_EQ(event->wait(0).code(), Code::kTimeout);
  EXPECT_TRUE(event->wait(UINT64_MAX).ok());
  EXPECT_TRUE(driver->free(a).ok());
}

TEST_F(PluginDriverTest, TellsFailuresOfQueuedWork) {
  const auto driver = open(instance({{"faults", std::string("work#1=DRIVER_FAILED")}}));
  ASSERT_NE(driver, nullptr);
  const MemoryBlock a = allocate(*driver, 8);
  std::unique_ptr<DriverQueue> queue;
  ASSERT_TRUE(driver->create_queue(queue).ok());
  ASSERT_TRUE(queue->fill(a, 0, 8, 1).ok());
  const Status status = queue->synchronize();
  EXPECT_EQ(status.code(), Code::kEarlierWork);
  EXPECT_THAT(status.message(), StartsWith("plugin cpu_mock, queue.synchronize: "));
  queue.reset();
  EXPECT_TRUE(driver->free(a).ok());
}

TEST_F(PluginDriverTest, AllocatesInQueueOrder) {
  const auto driver = open(instance());
  ASSERT_NE(driver, nullptr);
  std::unique_ptr<DriverQueue> queue;
  ASSERT_TRUE(driver->create_queue(queue).ok());
  MemoryBlock block;
  ASSERT_TRUE(driver->allocate_on(*queue, {.bytes = 64}, block).ok());
  EXPECT_NE(block.handle, 0u);
  EXPECT_TRUE(queue->fill(block, 0, 64, 1).ok());
  EXPECT_TRUE(driver->free_on(*queue, block).ok());
  EXPECT_TRUE(queue->synchronize().ok());
}

TEST_F(PluginDriverTest, CopiesBetweenPeersOfOneInstance) {
  const auto shared = instance({{"devices", std::int64_t{2}}});
  ASSERT_NE(shared, nullptr);
  const auto first = open(shared, 0);
  const auto second = open(shared, 1);
  const auto stranger = open(instance({{"devices", std::int64_t{2}}}), 1);
  bool can = false;
  EXPECT_TRUE(first->can_access_peer(*second, can).ok());
  EXPECT_TRUE(can);
  EXPECT_TRUE(first->can_access_peer(*stranger, can).ok());
  EXPECT_FALSE(can);
  const MemoryBlock source = allocate(*first, 8);
  const MemoryBlock target = allocate(*second, 8);
  write(*first, source, "abcdefgh");
  EXPECT_TRUE(first->copy_peer(*second, target, 2, source, 0, 4).ok());
  EXPECT_EQ(read(*second, target, 2, 4), "abcd");
  EXPECT_EQ(first->copy_peer(*stranger, target, 2, source, 0, 4).code(), Code::kUnsupported);
  EXPECT_TRUE(first->free(source).ok());
  EXPECT_TRUE(second->free(target).ok());
}

TEST_F(PluginDriverTest, MapsVisibleMemory) {
  const auto driver = open(instance({{"kinds", std::string("local, visible, coherent")}}));
  ASSERT_NE(driver, nullptr);
  const MemoryBlock block = allocate(*driver, 64);
  void* data = nullptr;
  const Status status = driver->map(block, 0, 64, true, true, data);
  ASSERT_TRUE(status.ok()) << status.message();
  std::memset(data, 'm', 64);
  EXPECT_TRUE(driver->unmap(data).ok());
  EXPECT_EQ(read(*driver, block, 0, 4), "mmmm");
  EXPECT_TRUE(driver->free(block).ok());
}

TEST_F(PluginDriverTest, GivesNativeHandles) {
  const auto driver = open(instance());
  ASSERT_NE(driver, nullptr);
  const MemoryBlock block = allocate(*driver, 64);
  NativeHandle handle;
  ASSERT_TRUE(driver->native(handle).ok());
  EXPECT_EQ(handle.api, "host");
  ASSERT_TRUE(driver->native(block, handle).ok());
  EXPECT_EQ(handle.value[0], block.address);
  std::unique_ptr<DriverQueue> queue;
  ASSERT_TRUE(driver->create_queue(queue).ok());
  EXPECT_TRUE(queue->native(handle).ok());
  EXPECT_TRUE(driver->free(block).ok());
}

TEST_F(PluginDriverTest, AnswersUnsupportedWhereTheDeviceLacksAGroup) {
  const auto driver = open(instance(
      {{"without",
        std::string("copy_within, fill, memory_info, staging, queue, async, peer, queue_peer, map, native")}}));
  ASSERT_NE(driver, nullptr);
  EXPECT_EQ(driver->properties().capabilities, 0u);
  const MemoryBlock block = allocate(*driver, 64);
  MemoryInfo info;
  void* data = nullptr;
  std::unique_ptr<DriverQueue> queue;
  NativeHandle handle;
  EXPECT_EQ(driver->copy_within(block, 0, block, 32, 8).code(), Code::kUnsupported);
  EXPECT_EQ(driver->fill(block, 0, 8, 0).code(), Code::kUnsupported);
  EXPECT_EQ(driver->memory_info(0, info).code(), Code::kUnsupported);
  EXPECT_EQ(driver->allocate_staging(8, data).code(), Code::kUnsupported);
  EXPECT_EQ(driver->create_queue(queue).code(), Code::kUnsupported);
  EXPECT_EQ(driver->map(block, 0, 8, true, false, data).code(), Code::kUnsupported);
  EXPECT_EQ(driver->native(handle).code(), Code::kUnsupported);
  EXPECT_TRUE(driver->free(block).ok());
}

}  // namespace
}  // namespace berth::loader::detail
