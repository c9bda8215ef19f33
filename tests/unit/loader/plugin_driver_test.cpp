// An open plugin device behind DeviceDriver, every group of the ABI but queues, with the mock as plugin.
#include "plugin/plugin_driver.h"

#include <cstring>

#include "plugin_driver_fixture.h"

namespace berth::loader::detail {
namespace {

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
