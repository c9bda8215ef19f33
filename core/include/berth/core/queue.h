// Queue and Event: ordered asynchronous work on one device.
//
// Thread rules: one thread at a time for a Queue; any thread for an Event. Both keep their device alive. Buffers and
// host memory given to a queue must live until an event recorded after the call is done.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "berth/core/api.h"
#include "berth/core/native_handle.h"
#include "berth/core/result.h"

namespace berth {

class Device;
class DeviceBuffer;
class DriverEvent;
class DriverQueue;
namespace detail {
struct Action;
}

class BERTH_API Event {
 public:
  Event() noexcept;
  Event(std::shared_ptr<Device> device, std::unique_ptr<DriverEvent> driver) noexcept;
  Event(Event&&) noexcept;
  Event& operator=(Event&&) noexcept;
  ~Event();

  // Waits for the work recorded before the event. kTimeout after `timeout_ns` nanoseconds (0 polls, UINT64_MAX is for
  // ever), kEarlierWork when that work failed, kFailedPrecondition for an empty event or in a forked child.
  Status wait(std::uint64_t timeout_ns = UINT64_MAX) const;
  // Whether the work is done; a failure of the work is the error.
  [[nodiscard]] Result<bool> done() const;
  [[nodiscard]] const DriverEvent* driver() const noexcept { return driver_.get(); }
  [[nodiscard]] const std::shared_ptr<Device>& device() const noexcept { return device_; }

 private:
  std::shared_ptr<Device> device_;
  std::unique_ptr<DriverEvent> driver_;
};

class BERTH_API Queue {
 public:
  // kUnsupported when the device has no queues (then synchronous copies are all there is).
  [[nodiscard]] static Result<Queue> create(const std::shared_ptr<Device>& device);
  Queue(Queue&&) noexcept;
  Queue& operator=(Queue&&) noexcept;
  ~Queue();  // waits for its work

  // Ranges are checked against the buffers (kInvalidArgument), which must be of this queue's device; zero bytes
  // succeed.
  Status copy_to_device(DeviceBuffer& target, std::uint64_t offset, const void* source, std::uint64_t bytes);
  Status copy_to_host(void* target, const DeviceBuffer& source, std::uint64_t offset, std::uint64_t bytes);
  Status copy_within(DeviceBuffer& target, std::uint64_t target_offset, const DeviceBuffer& source,
                     std::uint64_t source_offset, std::uint64_t bytes);
  Status fill(DeviceBuffer& target, std::uint64_t offset, std::uint64_t bytes, std::uint8_t value);
  [[nodiscard]] Result<Event> record();
  // Later work of this queue starts after `event`. Bridged on the host when the driver cannot.
  Status wait(const Event& event);
  Status synchronize();
  [[nodiscard]] Result<NativeHandle> native();
  [[nodiscard]] const std::shared_ptr<Device>& device() const noexcept { return device_; }

 private:
  Queue(std::shared_ptr<Device> device, std::unique_ptr<DriverQueue> driver) noexcept;
  Status check(const DeviceBuffer& buffer, const detail::Action& action, std::uint64_t offset,
               std::uint64_t bytes) const;
  std::shared_ptr<Device> device_;
  std::unique_ptr<DriverQueue> driver_;
};

}  // namespace berth
