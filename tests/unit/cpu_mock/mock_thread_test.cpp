// Everything but queues from many threads at once: what the thread sanitizer watches.
#include <atomic>
#include <thread>

#include "queue_harness.h"

namespace berth::test {
namespace {

constexpr int kThreads = 8;
constexpr int kRounds = 200;

template <typename Body>
void in_threads(Body body) {
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int i = 0; i < kThreads; ++i) threads.emplace_back([body, i] { body(i); });
  for (std::thread& thread : threads) thread.join();
}

TEST(MockThreadTest, AllocatesCopiesAndFreesOnOneDevice) {
  const Instance instance({{"devices", 1}, {"faults", "allocate%50=OUT_OF_DEVICE_MEMORY"}});
  const Device device(instance);
  std::atomic<int> failures{0};
  in_threads([&](int thread) {
    for (int round = 0; round < kRounds; ++round) {
      const std::uint64_t size = 1 + static_cast<std::uint64_t>(thread * 37 + round) % 5000;
      berth_memory memory{};
      if (device.try_allocate({.size = size}, memory).code != BERTH_OK) {
        ++failures;
        continue;
      }
      const std::string bytes(size, static_cast<char>('a' + thread));
      device.write(memory, 0, bytes);
      EXPECT_EQ(device.read(memory, 0, size), bytes);
      device.free(memory);
    }
  });
  EXPECT_EQ(failures, kThreads * kRounds / 50);
  EXPECT_EQ(device.info().used_bytes, 0U);
}

TEST(MockThreadTest, EventsCompleteForEveryWaiter) {
  const Instance instance({{"devices", 1}, {"latency", "work=2ms"}});
  const Device device(instance);
  const berth_memory memory = device.allocate({.size = 1});
  {
    const Queue queue(device);
    for (int round = 0; round < 5; ++round) {
      EXPECT_THAT(queue.fill(memory, 0, 1, 'a'), IsOk());
      const Event event = queue.record();
      in_threads([&](int) { EXPECT_THAT(event.wait(), IsOk()); });
    }
  }
  device.free(memory);
}

TEST(MockThreadTest, OpensAndClosesWhileOthersWork) {
  const Instance instance;
  in_threads([&](int) {
    for (int round = 0; round < 50; ++round) {
      const Device device(instance);
      const Queue queue(device);
      const berth_memory memory = device.allocate({.size = 64});
      EXPECT_THAT(queue.fill(memory, 0, 64, 'x'), IsOk());
      EXPECT_THAT(queue.synchronize(), IsOk());
      device.free(memory);
    }
  });
}

TEST(MockThreadTest, ALossIsSeenByAll) {
  const Instance instance({{"devices", 1}, {"faults", "allocate#400=DEVICE_LOST"}});
  const Device device(instance);
  in_threads([&](int) {
    berth_memory memory{};
    while (device.try_allocate({}, memory).code == BERTH_OK) device.free(memory);
  });
  berth_memory memory{};
  EXPECT_THAT(device.try_allocate({}, memory), HasCode(BERTH_DEVICE_LOST));
}

}  // namespace
}  // namespace berth::test
