// Queues and events of the mock for tests: each ends at the end of its scope, which must succeed.
#pragma once

#include <utility>

#include "mock.h"

namespace berth::test {

class Event {
 public:
  explicit Event(berth_event* event) : event_(event) {}
  ~Event() { destroy(); }
  Event(Event&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
  Event& operator=(Event&&) = delete;

  berth_event* get() const { return event_; }
  Outcome wait(std::uint64_t timeout_ns = BERTH_WAIT_FOREVER) const {
    return call(table().queue->event_wait, event_, timeout_ns);
  }
  Outcome query() const { return call(table().queue->event_query, event_); }
  void forget() { event_ = nullptr; }
  void destroy() {
    if (event_ != nullptr) {
      EXPECT_THAT(call(table().queue->event_destroy, std::exchange(event_, nullptr)), IsOk());
    }
  }

 private:
  berth_event* event_;
};

class Queue {
 public:
  explicit Queue(const Device& device) {
    const berth_queue_args args{sizeof(args), 0, 0};
    EXPECT_THAT(call(table().queue->create, device.get(), &args, &queue_), IsOk());
  }
  ~Queue() { destroy(); }
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  berth_queue* get() const { return queue_; }

  // The bytes must live until the work is done.
  Outcome write(const berth_memory& to, std::uint64_t offset, const std::string& bytes) const {
    return call(table().queue->copy_to_device, queue_, &to, offset, static_cast<const void*>(bytes.data()),
                static_cast<std::uint64_t>(bytes.size()));
  }
  Outcome read(const berth_memory& from, std::uint64_t offset, std::string& bytes) const {
    return call(table().queue->copy_to_host, queue_, &from, offset, static_cast<void*>(bytes.data()),
                static_cast<std::uint64_t>(bytes.size()));
  }
  Outcome fill(const berth_memory& memory, std::uint64_t offset, std::uint64_t bytes, std::uint8_t value) const {
    return call(table().queue->fill, queue_, &memory, offset, bytes, value);
  }
  Outcome copy_within(const berth_memory& to, std::uint64_t to_offset, const berth_memory& from,
                      std::uint64_t from_offset, std::uint64_t bytes) const {
    return call(table().queue->copy_within, queue_, &to, to_offset, &from, from_offset, bytes);
  }
  Event record() const {
    berth_event* event = nullptr;
    EXPECT_THAT(call(table().queue->record, queue_, &event), IsOk());
    return Event(event);
  }
  Outcome wait(const Event& event) const { return call(table().queue->wait, queue_, event.get()); }
  bool can_wait(const Event& event) const {
    std::uint32_t can = 7;
    EXPECT_THAT(call(table().queue->can_wait, queue_, event.get(), &can), IsOk());
    EXPECT_LE(can, 1U);
    return can == 1;
  }
  Outcome synchronize() const { return call(table().queue->synchronize, queue_); }
  void destroy() {
    if (queue_ != nullptr) {
      EXPECT_THAT(call(table().queue->destroy, std::exchange(queue_, nullptr)), IsOk());
    }
  }

 private:
  berth_queue* queue_ = nullptr;
};

}  // namespace berth::test
