#include "berth/core/queue.h"

#include <utility>

#include "core_test.h"

namespace berth::test {
namespace {

class QueueTest : public testing::Test {
 protected:
  Queue make_queue() { return Queue::create(device_).value(); }

  std::shared_ptr<FakeControl> control_ = std::make_shared<FakeControl>();
  std::shared_ptr<Device> device_ = make_fake_device(control_);
};

TEST_F(QueueTest, DoesItsWorkInOrder) {
  Queue queue = make_queue();
  DeviceBuffer first = buffer_of(device_, 8);
  DeviceBuffer second = buffer_of(device_, 8);
  char back[8] = {};
  EXPECT_TRUE(queue.copy_to_device(first, 0, "12345678", 8).ok());
  EXPECT_TRUE(queue.fill(second, 0, 8, '.').ok());
  EXPECT_TRUE(queue.copy_within(second, 2, first, 0, 4).ok());
  EXPECT_TRUE(queue.copy_to_host(back, second, 0, 8).ok());
  EXPECT_TRUE(queue.synchronize().ok());
  EXPECT_EQ(std::string(back, 8), "..1234..");
  EXPECT_EQ(queue.device(), device_);
  EXPECT_EQ(queue.native()->value[0], 3u);
}

TEST_F(QueueTest, NeedsADeviceWithQueues) {
  EXPECT_EQ(Queue::create(nullptr).status().message(), "Queue::create: there is no device");
  control_->capabilities = 0;
  const Status status = Queue::create(make_fake_device(control_)).status();
  EXPECT_EQ(status.code(), Code::kUnsupported);
  EXPECT_EQ(
      status.message(),
      "fake:0 (plugin fake): the device has no queues; use the copies of DeviceBuffer, which return when the bytes "
      "have arrived");
}

TEST_F(QueueTest, CreationFailureCarriesThePluginsText) {
  control_->before = failing(FakeCall::kQueue, "no more streams");
  EXPECT_EQ(Queue::create(device_).status().message(), "fake:0 (plugin fake), create a queue: no more streams");
}

TEST_F(QueueTest, Queue01AndQueue02RefuseSuccessWithoutAnObject) {
  Queue queue = make_queue();
  control_->give_no_objects = true;
  EXPECT_EQ(Queue::create(device_).status().message(),
            "fake:0 (plugin fake), create a queue: the plugin answered success and gave nothing: expected a queue, "
            "found none; report this to the plugin's author [QUEUE-01]");
  EXPECT_EQ(queue.record().status().message(),
            "fake:0 (plugin fake), record an event: the plugin answered success and gave nothing: expected an event, "
            "found none; report this to the plugin's author [QUEUE-02]");
}

TEST_F(QueueTest, ChecksRangesDevicesAndPointers) {
  Queue queue = make_queue();
  DeviceBuffer buffer = buffer_of(device_, 8);
  DeviceBuffer foreign = buffer_of(make_fake_device(control_, "fake:1"), 8);
  char bytes[16] = {};
  const std::uint64_t calls = control_->all_calls();
  EXPECT_EQ(queue.copy_to_device(buffer, 1, bytes, 8).message(),
            "fake:0 (plugin fake), queued copy of 8 bytes to the device: the range leaves the buffer: expected a range "
            "within 8 bytes, found offset 1");
  EXPECT_EQ(
      queue.fill(foreign, 0, 8, 0).message(),
      "fake:1 (plugin fake), queued fill of 8 bytes: the buffer is not of the queue's device: expected a buffer of "
      "fake:0 (plugin fake), found one of fake:1 (plugin fake)");
  EXPECT_EQ(queue.copy_to_host(nullptr, buffer, 0, 8).message(),
            "fake:0 (plugin fake), queued copy of 8 bytes to the host: the host pointer is null");
  EXPECT_FALSE(queue.copy_to_device(buffer, 0, nullptr, 8).ok());
  EXPECT_FALSE(queue.copy_within(buffer, 0, foreign, 0, 8).ok());
  EXPECT_FALSE(queue.copy_within(buffer, 0, buffer, 1, 4).ok());
  EXPECT_EQ(control_->all_calls(), calls);
}

TEST_F(QueueTest, ZeroBytesNeverReachTheDriver) {
  Queue queue = make_queue();
  DeviceBuffer buffer = buffer_of(device_, 8);
  const std::uint64_t calls = control_->all_calls();
  EXPECT_TRUE(queue.copy_to_device(buffer, 8, nullptr, 0).ok());
  EXPECT_TRUE(queue.copy_to_host(nullptr, buffer, 0, 0).ok());
  EXPECT_TRUE(queue.copy_within(buffer, 0, buffer, 0, 0).ok());
  EXPECT_TRUE(queue.fill(buffer, 0, 0, 0).ok());
  EXPECT_EQ(control_->all_calls(), calls);
}

TEST_F(QueueTest, EmulatesWhatTheDeviceCannotDo) {
  control_->capabilities = bits({Capability::kQueue});
  device_ = make_fake_device(control_);
  Queue queue = make_queue();
  DeviceBuffer first = buffer_of(device_, 8);
  DeviceBuffer second = buffer_of(device_, 8);
  EXPECT_TRUE(queue.fill(first, 0, 8, 'x').ok());
  EXPECT_TRUE(queue.copy_within(second, 0, first, 0, 8).ok());
  EXPECT_EQ(bytes_of(second), std::vector<std::uint8_t>(8, 'x'));
}

TEST_F(QueueTest, EarlierFailuresShowInLaterEventsAndSynchronize) {
  Queue queue = make_queue();
  DeviceBuffer buffer = buffer_of(device_, 8);
  control_->before = failing(FakeCall::kToDevice, "burnt");
  EXPECT_TRUE(queue.copy_to_device(buffer, 0, "12345678", 8).ok());
  control_->before = nullptr;
  EXPECT_EQ(queue.synchronize().message(), "fake:0 (plugin fake), synchronize a queue: earlier work failed");
  const Event event = queue.record().value();
  EXPECT_EQ(event.wait().message(), "fake:0 (plugin fake), wait for an event: earlier work failed");
  EXPECT_EQ(event.wait().code(), Code::kEarlierWork);
  EXPECT_EQ(event.done().status().message(), "fake:0 (plugin fake), query of an event: earlier work failed");
  control_->before = failing(FakeCall::kQueueWork, "refused");
  EXPECT_EQ(queue.fill(buffer, 0, 8, 0).message(), "fake:0 (plugin fake), queued fill of 8 bytes: refused");
}

TEST_F(QueueTest, EventsTellPendingFromDone) {
  Queue queue = make_queue();
  control_->work_pending = true;
  const Event event = queue.record().value();
  EXPECT_FALSE(event.done().value());
  EXPECT_EQ(event.wait(0).code(), Code::kTimeout);
  EXPECT_EQ(event.wait(0).message(), "fake:0 (plugin fake), wait for an event: the time is over");
  EXPECT_TRUE(event.wait().ok());
  EXPECT_TRUE(event.done().value());
}

TEST_F(QueueTest, WaitsForEventsInTheDriverOrOnTheHost) {
  Queue queue = make_queue();
  const Event event = make_queue().record().value();
  EXPECT_TRUE(queue.wait(event).ok());
  control_->can_wait = false;
  control_->work_pending = true;
  EXPECT_TRUE(queue.wait(event).ok());
  EXPECT_FALSE(control_->work_pending);
}

TEST_F(QueueTest, EmptyObjectsSaySo) {
  Queue queue = make_queue();
  const Queue taken = std::move(queue);
  DeviceBuffer buffer = buffer_of(device_, 8);
  const std::string text = "this queue is empty: it was moved from or never made";
  EXPECT_EQ(queue.fill(buffer, 0, 8, 0).message(), text);  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(queue.synchronize().message(), text);
  EXPECT_EQ(queue.record().status().message(), text);
  EXPECT_EQ(queue.native().status().message(), text);
  EXPECT_EQ(Event().wait().message(), "this event is empty: it was moved from or never made");
  EXPECT_EQ(Event().done().status().code(), Code::kFailedPrecondition);
  Queue other = make_queue();
  EXPECT_EQ(other.wait(Event()).message(), "this event is empty: it was moved from or never made");
}

TEST_F(QueueTest, KeepsItsDeviceAliveInAnyOrder) {
  auto queue = std::make_unique<Queue>(make_queue());
  Event event = queue->record().value();
  device_.reset();
  EXPECT_FALSE(control_->closed);
  queue.reset();
  EXPECT_EQ(control_->queues_alive, 0);
  EXPECT_FALSE(control_->closed);
  EXPECT_TRUE(event.wait().ok());
  event = Event();
  EXPECT_EQ(control_->events_alive, 0);
  EXPECT_TRUE(control_->closed);
}

TEST_F(QueueTest, AssignmentClosesTheOldOneBeforeItsDevice) {
  const auto other_control = std::make_shared<FakeControl>();
  Queue queue = make_queue();
  Event event = queue.record().value();
  device_.reset();
  Queue other = Queue::create(make_fake_device(other_control, "fake:1")).value();
  event = other.record().value();
  queue = std::move(other);
  EXPECT_TRUE(control_->closed);
  EXPECT_EQ(control_->queues_alive, 0);
  EXPECT_EQ(other_control->queues_alive, 1);
  Queue& alias = queue;
  queue = std::move(alias);
  Event& same = event;
  event = std::move(same);
  EXPECT_TRUE(queue.synchronize().ok());
  EXPECT_TRUE(event.wait().ok());
}

}  // namespace
}  // namespace berth::test
