// FakeControl: what a test sets and reads of a FakeDriver (fake_driver.h). Needs berth::core.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "berth/core/device_driver.h"

namespace berth::test {

enum class FakeCall {
  kAllocate,
  kFree,
  kToDevice,
  kToHost,
  kWithin,
  kFill,
  kInfo,
  kStaging,
  kQueue,
  kQueueWork,
  kRecord,
  kWait,
  kAskPeer,
  kPeerCopy,
  kMap,
  kNative,
  kCount
};

struct FakeControl {
  // Shape, read when the driver is made.
  bool has_addresses = true;
  std::uint64_t capabilities = ~std::uint64_t{0};
  std::uint64_t capacity = UINT64_MAX;
  std::uint64_t bind_alignment = 1;

  // Called first; a failure is the call's answer and nothing is done.
  std::function<Status(FakeCall)> before;
  // May falsify what allocate, memory_info and native answer.
  std::function<void(const AllocationRequest&, MemoryBlock&)> alter_block;
  std::function<void(MemoryInfo&)> alter_info;
  std::function<void(NativeHandle&)> alter_native;
  bool peers = true;                      // what can_access_peer answers between fakes
  bool peer_moves_nothing = false;        // copy_peer answers success all the same
  bool give_no_objects = false;           // create_queue and record answer success and give nothing
  bool can_wait = true;                   // what DriverQueue::can_wait answers
  std::atomic<bool> work_pending{false};  // events are not done

  [[nodiscard]] std::uint64_t calls(FakeCall call) const { return counts[static_cast<std::size_t>(call)].load(); }
  [[nodiscard]] std::uint64_t all_calls() const {
    std::uint64_t sum = 0;
    for (const auto& count : counts) sum += count.load();
    return sum;
  }

  std::array<std::atomic<std::uint64_t>, static_cast<std::size_t>(FakeCall::kCount)> counts{};
  std::atomic<std::int64_t> live_blocks{0};
  std::atomic<std::uint64_t> live_bytes{0};
  std::atomic<bool> closed{false};
  std::atomic<std::int64_t> live_at_close{0};
  std::atomic<int> queues_alive{0};
  std::atomic<int> events_alive{0};
};

[[nodiscard]] inline Status fake_failure(std::string what, Code code = Code::kDriverFailed,
                                         std::int64_t native_code = 0) {
  ErrorInfo info;
  info.code = code;
  info.origin = Origin::kDevice;
  info.what = std::move(what);
  info.native_code = native_code;
  return Status(std::move(info));
}

}  // namespace berth::test
