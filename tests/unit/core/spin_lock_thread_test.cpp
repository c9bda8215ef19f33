#include "spin_lock.h"

#include <gtest/gtest.h>

#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

namespace berth::detail {
namespace {

TEST(SpinLockThreadTest, LetsOneThreadInAtATime) {
  constexpr int kThreads = 4;
  constexpr int kRounds = 50000;
  SpinLock lock;
  std::uint64_t counter = 0;  // plain, so that a lock that lets two in loses counts
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < kRounds; ++round) {
        const std::lock_guard guard(lock);
        ++counter;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(counter, std::uint64_t{kThreads} * kRounds);
}

TEST(SpinLockThreadTest, WaitsForAHolderThatTakesLong) {
  SpinLock lock;
  bool done = false;
  std::thread waiter;
  {
    std::thread([] {}).join();  // from here on the process has had a second thread
    const std::lock_guard guard(lock);
    waiter = std::thread([&] {
      const std::lock_guard inner(lock);
      EXPECT_TRUE(done);
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    done = true;
  }
  waiter.join();
}

}  // namespace
}  // namespace berth::detail
