// Queues, events and stream-ordered memory of a plugin, with the mock as plugin.
#include "plugin/plugin_queue.h"

#include <gmock/gmock.h>

#include "plugin_driver_fixture.h"

namespace berth::loader::detail {
namespace {

using ::testing::StartsWith;

class PluginQueueTest : public PluginDriverTest {};

TEST_F(PluginQueueTest, RunsQueuesAndEvents) {
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

TEST_F(PluginQueueTest, SeesWorkThatIsStillRunning) {
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

TEST_F(PluginQueueTest, TellsFailuresOfQueuedWork) {
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

TEST_F(PluginQueueTest, AllocatesInQueueOrder) {
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

}  // namespace
}  // namespace berth::loader::detail
