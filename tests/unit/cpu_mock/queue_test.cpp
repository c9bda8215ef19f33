// Queues, events and stream-ordered memory.
#include <chrono>

#include "queue_harness.h"

namespace berth::test {
namespace {

using std::chrono::steady_clock;

constexpr std::uint64_t kMillisecondNs = 1'000'000;

Options slow(const std::string& latency) { return {{"devices", 2}, {"latency", latency}}; }

TEST(QueueTest, RunsWorkInOrder) {
  const Instance instance;
  const Device device(instance);
  const berth_memory one = device.allocate({.size = 8});
  const berth_memory two = device.allocate({.size = 8});
  const std::string bytes = "abcdefgh";
  std::string back(8, '\0');
  {
    const Queue queue(device);
    EXPECT_THAT(queue.write(one, 0, bytes), IsOk());
    EXPECT_THAT(queue.fill(one, 2, 2, 'x'), IsOk());
    EXPECT_THAT(queue.copy_within(two, 0, one, 0, 8), IsOk());
    EXPECT_THAT(queue.read(two, 0, back), IsOk());
    EXPECT_THAT(queue.synchronize(), IsOk());
  }
  EXPECT_EQ(back, "abxxefgh");
  device.free(one);
  device.free(two);
}

TEST(QueueTest, IsAsynchronousAndReadsHostMemoryInQueueOrder) {
  const Instance instance(slow("work=30ms"));
  const Device device(instance);
  const berth_memory memory = device.allocate({.size = 1});
  std::string bytes = "a";
  const Queue queue(device);
  const auto start = steady_clock::now();
  EXPECT_THAT(queue.fill(memory, 0, 1, 'z'), IsOk());
  EXPECT_THAT(queue.write(memory, 0, bytes), IsOk());
  const Event event = queue.record();
  EXPECT_LT(steady_clock::now() - start, std::chrono::milliseconds(30)) << "the calls return before the work is done";
  EXPECT_THAT(event.query(), HasCode(BERTH_NOT_READY));
  EXPECT_THAT(event.wait(0), FailsWith(BERTH_TIMEOUT, "the event is not complete after 0 ns"));
  EXPECT_THAT(event.wait(kMillisecondNs), HasCode(BERTH_TIMEOUT));
  bytes = "b";
  EXPECT_THAT(event.wait(), IsOk());
  EXPECT_THAT(event.query(), IsOk());
  EXPECT_EQ(device.read(memory, 0, 1), "b");
  device.free(memory);
}

TEST(QueueTest, AnEventOfAnIdleQueueIsComplete) {
  const Instance instance;
  const Device device(instance);
  const Queue queue(device);
  EXPECT_THAT(queue.record().query(), IsOk());
  EXPECT_THAT(queue.synchronize(), IsOk());
}

TEST(QueueTest, DestroyWaitsForTheWorkAndEventsLiveOn) {
  const Instance instance(slow("work=20ms"));
  const Device device(instance);
  const berth_memory memory = device.allocate({.size = 1});
  Queue queue(device);
  EXPECT_THAT(queue.fill(memory, 0, 1, 'z'), IsOk());
  const Event event = queue.record();
  queue.destroy();
  EXPECT_EQ(device.read(memory, 0, 1), "z");
  EXPECT_THAT(event.query(), IsOk());
  device.free(memory);
}

TEST(QueueTest, IsAChildOfItsDeviceButEventsAreNot) {
  const Instance instance;
  Device device(instance);
  Queue queue(device);
  Event event = queue.record();
  EXPECT_THAT(call(table().device->close, device.get()),
              FailsWith(BERTH_FAILED_PRECONDITION,
                        "device 0 can't close: 0 memories, 0 staging blocks, 1 queues and 0 maps are alive"));
  queue.destroy();
  EXPECT_THAT(call(table().device->close, device.release()), IsOk());
  event.forget();  // it ended with its device
}

TEST(QueueTest, WaitsForEventsOfOtherQueuesAndDevices) {
  const Instance instance(slow("work=20ms"));
  const Device device(instance, 0);
  const Device other(instance, 1);
  const berth_memory memory = device.allocate({.size = 1});
  {
    const Queue writer(device);
    const Queue reader(other);
    EXPECT_THAT(writer.fill(memory, 0, 1, 'z'), IsOk());
    std::string back = "?";
    {
      const Event event = writer.record();
      EXPECT_TRUE(reader.can_wait(event));
      EXPECT_THAT(reader.wait(event), IsOk());
    }  // it may be destroyed right after
    EXPECT_THAT(reader.record().wait(), IsOk());
    EXPECT_EQ(device.read(memory, 0, 1), "z");
  }
  device.free(memory);
}

TEST(QueueTest, CanBeToldNotToWaitForOtherDevices) {
  const Instance instance({{"devices", 2}, {"cross_wait", false}});
  const Device device(instance, 0);
  const Device other(instance, 1);
  const Queue queue(device);
  const Queue same(device);
  const Queue foreign(other);
  const Event event = foreign.record();
  EXPECT_FALSE(queue.can_wait(event));
  EXPECT_TRUE(queue.can_wait(same.record()));
  EXPECT_THAT(queue.wait(event),
              FailsWith(BERTH_FAILED_PRECONDITION, "a queue of device 0 can't wait for an event of device 1"));
}

TEST(QueueTest, AFailureShowsInEveryLaterEventAndSynchronize) {
  const Instance instance({{"devices", 1}, {"faults", "work#2=DRIVER_FAILED(-7)"}, {"latency", "work=5ms"}});
  const Device device(instance);
  const berth_memory memory = device.allocate({.size = 3});
  device.write(memory, 0, "...");
  const std::string text =
      "earlier work of this queue failed: fault schedule: 'work#2=DRIVER_FAILED(-7)' at call 2, work";
  {
    const Queue queue(device);
    const Queue healthy(device);
    EXPECT_THAT(queue.fill(memory, 0, 1, 'a'), IsOk());
    const Event before = queue.record();
    EXPECT_THAT(queue.fill(memory, 1, 1, 'b'), IsOk());
    const Event after = queue.record();
    // Enqueued before the failure is known, as a rule: it must not run.
    const Outcome next = queue.fill(memory, 2, 1, 'c');
    EXPECT_TRUE(next.code == BERTH_OK || next.code == BERTH_EARLIER_WORK) << next;
    EXPECT_THAT(before.wait(), IsOk());
    const Outcome outcome = after.wait();
    EXPECT_THAT(outcome, FailsWith(BERTH_EARLIER_WORK, text));
    EXPECT_EQ(outcome.error.flags, BERTH_ERROR_EARLIER_WORK);
    EXPECT_EQ(outcome.error.native_code, -7);
    EXPECT_THAT(after.query(), FailsWith(BERTH_EARLIER_WORK, text));
    EXPECT_THAT(queue.synchronize(), FailsWith(BERTH_EARLIER_WORK, text));
    EXPECT_THAT(queue.fill(memory, 2, 1, 'c'), FailsWith(BERTH_EARLIER_WORK, text));
    EXPECT_THAT(queue.record().wait(), FailsWith(BERTH_EARLIER_WORK, text));
    EXPECT_THAT(before.query(), IsOk()) << "what was complete stays complete";
    EXPECT_THAT(healthy.wait(after), IsOk());
    EXPECT_THAT(healthy.synchronize(), HasCode(BERTH_EARLIER_WORK)) << "waiting for a failed event fails the queue";
  }
  EXPECT_EQ(device.read(memory, 0, 3), "a..");
  device.free(memory);
}

TEST(QueueTest, CallsThatEnqueueCanFailAtOnce) {
  const Instance instance({{"devices", 1}, {"faults", "queue_fill#1=DRIVER_FAILED; queue_create#2=DRIVER_FAILED"}});
  const Device device(instance);
  const berth_memory memory = device.allocate({.size = 1});
  {
    const Queue queue(device);
    EXPECT_THAT(queue.fill(memory, 0, 1, 'a'), HasCode(BERTH_DRIVER_FAILED));
    EXPECT_THAT(queue.synchronize(), IsOk());
    berth_queue* second = nullptr;
    const berth_queue_args args{sizeof(args), 0, 0};
    EXPECT_THAT(call(table().queue->create, device.get(), &args, &second), HasCode(BERTH_DRIVER_FAILED));
    EXPECT_EQ(second, nullptr);
  }
  device.free(memory);
}

TEST(QueueTest, ALostDeviceEndsItsQueuesAndEvents) {
  const Instance instance({{"devices", 1}, {"faults", "work#1=DEVICE_LOST"}});
  const Device device(instance);
  const berth_memory memory = device.allocate({.size = 1});
  {
    const Queue queue(device);
    EXPECT_THAT(queue.fill(memory, 0, 1, 'a'), IsOk());
    const Event event = queue.record();
    const Outcome outcome = event.wait();
    EXPECT_TRUE(outcome.code == BERTH_EARLIER_WORK || outcome.code == BERTH_DEVICE_LOST) << outcome;
    EXPECT_THAT(event.query(), HasCode(BERTH_DEVICE_LOST));
    EXPECT_THAT(queue.synchronize(), HasCode(BERTH_DEVICE_LOST));
  }
  device.free(memory);
}

TEST(AsyncTest, FreesOnceEarlierWorkIsDone) {
  const Instance instance(slow("work=20ms"));
  const Device device(instance);
  {
    const Queue queue(device);
    const berth_allocate_args args{sizeof(args), 64, 0, 0, 0};
    berth_memory memory{};
    EXPECT_THAT(call(table().async->allocate_on, queue.get(), &args, &memory), IsOk());
    EXPECT_THAT(queue.fill(memory, 0, 64, 'a'), IsOk());
    EXPECT_THAT(call(table().async->free_on, queue.get(), &memory), IsOk());
    EXPECT_EQ(device.info().used_bytes, 64U) << "the work still uses it";
    EXPECT_THAT(queue.synchronize(), IsOk());
    EXPECT_EQ(device.info().used_bytes, 0U);
  }
}

TEST(AsyncTest, FreesOnAnIdleQueueAtOnce) {
  const Instance instance;
  const Device device(instance);
  const Queue queue(device);
  const berth_memory memory = device.allocate({});
  EXPECT_THAT(call(table().async->free_on, queue.get(), &memory), IsOk());
  EXPECT_EQ(device.info().used_bytes, 0U);
}

}  // namespace
}  // namespace berth::test
