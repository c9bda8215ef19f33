// One-shot events. What is waited for is EventState, shared by the event, the queue that will complete it and the
// queues that wait for it; so an event may be destroyed at any time and may outlive its queue.
#pragma once

#include <berth/plugin_helper.hpp>

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>

namespace berth::mock {

class Device;

// Why the work of a queue failed, shared by everything that reports it; null while all is well.
using WorkFailure = std::shared_ptr<const plugin::Failure>;

// Any function may be called from any thread.
class EventState {
 public:
  // Ends the wait of everybody. failure is null for success.
  void complete(WorkFailure failure);

  // BERTH_OK, BERTH_NOT_READY or EARLIER_WORK.
  berth_code query(berth_error* error);

  // Up to timeout_ns, BERTH_WAIT_FOREVER for ever. BERTH_OK, TIMEOUT or EARLIER_WORK.
  berth_code wait(std::uint64_t timeout_ns, berth_error* error);

  // Waits for ever and answers the failure.
  WorkFailure result();

 private:
  std::mutex mutex_;
  std::condition_variable done_changed_;
  bool done_ = false;
  WorkFailure failure_;
};

struct Event {
  Device* device;
  std::shared_ptr<EventState> state;

  static Event& from(berth_event* event) { return *reinterpret_cast<Event*>(event); }
  berth_event* handle() { return reinterpret_cast<berth_event*>(this); }
};

// Writes EARLIER_WORK with the text of the first failure.
berth_code write_earlier_work(const plugin::Failure& failure, berth_error* error);

}  // namespace berth::mock
