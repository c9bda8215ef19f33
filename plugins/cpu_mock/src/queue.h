// A queue: a worker thread, started by the first command, that runs commands in order. After a failure only commands
// that end something are run, so nothing waits for ever and nothing leaks.
#pragma once

#include <berth/plugin_helper.hpp>

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

#include "device.h"
#include "event.h"

namespace berth::mock {

// Calls come from one thread at a time, as the ABI guarantees.
class Queue {
 public:
  explicit Queue(Device& device);

  // Runs what is left, then ends the thread.
  ~Queue();
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  static Queue& from(berth_queue* queue) { return *reinterpret_cast<Queue*>(queue); }
  berth_queue* handle() { return reinterpret_cast<berth_queue*>(this); }

  Device& device() { return device_; }

  // Each enqueues and answers BERTH_OK, or EARLIER_WORK with nothing enqueued. Throw std::bad_alloc and
  // plugin::Failure OUT_OF_HOST_MEMORY (no thread to be had), with nothing enqueued.
  berth_code copy(void* to, const void* from, std::uint64_t bytes, berth_error* error);
  berth_code fill(void* to, std::uint64_t bytes, std::uint8_t value, berth_error* error);
  berth_code wait_for(std::shared_ptr<EventState> event, berth_error* error);

  // Completes the state once all commands so far are done; at once if they are. Works on a failed queue.
  void signal(std::shared_ptr<EventState> event);

  // Ends a free once all commands so far are done; at once if they are. Works on a failed queue.
  void release(Slot* slot);

  // BERTH_OK or EARLIER_WORK once all commands are done.
  berth_code synchronize(berth_error* error);

 private:
  struct Command {
    enum class Kind : std::uint8_t { kCopy, kFill, kWait, kSignal, kRelease };

    explicit Command(Kind what) : kind(what) {}

    Kind kind;
    std::uint8_t value = 0;
    void* to = nullptr;
    const void* from = nullptr;
    std::uint64_t bytes = 0;
    std::shared_ptr<EventState> event;
    Slot* slot = nullptr;
  };

  berth_code submit(Command command, berth_error* error);
  void push(Command command);
  bool idle() const { return commands_.empty() && !running_; }
  void start_worker();
  void work();
  WorkFailure run(const Command& command, const WorkFailure& earlier);

  Device& device_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Command> commands_;
  bool running_ = false;
  bool ending_ = false;
  WorkFailure failure_;
  std::thread worker_;
};

}  // namespace berth::mock
