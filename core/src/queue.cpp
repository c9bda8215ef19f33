#include "berth/core/queue.h"

#include <utility>

#include "abandoned.h"
#include "berth/core/device.h"
#include "berth/core/device_buffer.h"
#include "device_state.h"
#include "native.h"
#include "transfer.h"

namespace berth {
namespace {

std::string queue_label(const Device& device, const char* what) {
  return device.state()->label(device.id()) + ", " + what;
}

Status queue_failure(const Device& device, const char* what, const Status& failure) {
  return device.state()->failed(device.id(), failure, queue_label(device, what));
}

Status no_object(const char* what) {
  return Status({.code = Code::kFailedPrecondition,
                 .origin = Origin::kUsage,
                 .what = std::string("this ") + what + " is empty: it was moved from or never made"});
}

Status given_nothing(const Device& device, const char* action, const char* rule, const char* what) {
  ErrorInfo fault = detail::plugin_fault(rule, "the plugin answered success and gave nothing", what, "none");
  fault.where = queue_label(device, action);
  return Status(std::move(fault));
}

}  // namespace

Event::Event() noexcept = default;

Event::Event(std::shared_ptr<Device> device, std::unique_ptr<DriverEvent> driver) noexcept
    : device_(std::move(device)), driver_(std::move(driver)) {}

Event::Event(Event&&) noexcept = default;

// The old driver event goes before the old device does.
Event& Event::operator=(Event&& other) noexcept {
  if (this == &other) return *this;
  Event old(std::move(*this));
  device_ = std::move(other.device_);
  driver_ = std::move(other.driver_);
  return *this;
}

Event::~Event() {
  if (driver_ != nullptr && !device_->state()->usable()) detail::abandon(std::move(driver_));
}

Status Event::wait(std::uint64_t timeout_ns) const {
  if (driver_ == nullptr) return no_object("event");
  BERTH_RETURN_IF_ERROR(device_->state()->check_usable(device_->id()));
  const Status status = driver_->wait(timeout_ns);
  return status.ok() ? status : queue_failure(*device_, "wait for an event", status);
}

Result<bool> Event::done() const {
  if (driver_ == nullptr) return fail(no_object("event"));
  BERTH_FAIL_IF_ERROR(device_->state()->check_usable(device_->id()));
  bool done = false;
  if (Status status = driver_->query(done); !status.ok()) {
    return fail(queue_failure(*device_, "query of an event", status));
  }
  return done;
}

Queue::Queue(std::shared_ptr<Device> device, std::unique_ptr<DriverQueue> driver) noexcept
    : device_(std::move(device)), driver_(std::move(driver)) {}

Queue::Queue(Queue&&) noexcept = default;

Queue& Queue::operator=(Queue&& other) noexcept {
  if (this == &other) return *this;
  Queue old(std::move(*this));
  device_ = std::move(other.device_);
  driver_ = std::move(other.driver_);
  return *this;
}

Queue::~Queue() {
  if (driver_ != nullptr && !device_->state()->usable()) detail::abandon(std::move(driver_));
}

Result<Queue> Queue::create(const std::shared_ptr<Device>& device) {
  if (device == nullptr) {
    return fail({.code = Code::kInvalidArgument,
                 .origin = Origin::kUsage,
                 .where = "Queue::create",
                 .what = "there is no device"});
  }
  detail::DeviceState& state = *device->state();
  BERTH_FAIL_IF_ERROR(state.check_usable(device->id()));
  if (!state.properties().can(Capability::kQueue)) {
    return fail({.code = Code::kUnsupported,
                 .origin = Origin::kDevice,
                 .where = state.label(device->id()),
                 .what = "the device has no queues",
                 .next_step = "use the copies of DeviceBuffer, which return when the bytes have arrived"});
  }
  std::unique_ptr<DriverQueue> driver;
  if (Status status = state.driver().create_queue(driver); !status.ok()) {
    return fail(queue_failure(*device, "create a queue", status));
  }
  if (driver == nullptr) return fail(given_nothing(*device, "create a queue", detail::rules::kQueueGiven, "a queue"));
  return Queue(device, std::move(driver));
}

// The checks that all four operations share, for one of their buffers.
Status Queue::check(const DeviceBuffer& buffer, const detail::Action& action, std::uint64_t offset,
                    std::uint64_t bytes) const {
  if (driver_ == nullptr) return no_object("queue");
  BERTH_RETURN_IF_ERROR(detail::check_range(buffer, action, offset, bytes));
  if (buffer.device() != nullptr && !buffer.device()->same_state(*device_)) {
    return Status({.code = Code::kInvalidArgument,
                   .origin = Origin::kUsage,
                   .where = detail::transfer_label(buffer, action, bytes),
                   .what = "the buffer is not of the queue's device",
                   .expected = "a buffer of " + device_->state()->label(device_->id()),
                   .found = "one of " + buffer.device()->state()->label(buffer.device()->id())});
  }
  return device_->state()->check_usable(device_->id());
}

Status Queue::copy_to_device(DeviceBuffer& target, std::uint64_t offset, const void* source, std::uint64_t bytes) {
  static constexpr detail::Action kAction{"queued copy", " to the device"};
  BERTH_RETURN_IF_ERROR(check(target, kAction, offset, bytes));
  if (bytes == 0) return {};
  BERTH_RETURN_IF_ERROR(detail::check_host_pointer(target, kAction, source, bytes));
  const Status status = driver_->copy_to_device(target.block(), offset, source, bytes);
  return status.ok() ? status : detail::transfer_failure(target, kAction, bytes, status);
}

Status Queue::copy_to_host(void* target, const DeviceBuffer& source, std::uint64_t offset, std::uint64_t bytes) {
  static constexpr detail::Action kAction{"queued copy", " to the host"};
  BERTH_RETURN_IF_ERROR(check(source, kAction, offset, bytes));
  if (bytes == 0) return {};
  BERTH_RETURN_IF_ERROR(detail::check_host_pointer(source, kAction, target, bytes));
  const Status status = driver_->copy_to_host(target, source.block(), offset, bytes);
  return status.ok() ? status : detail::transfer_failure(source, kAction, bytes, status);
}

// Without the driver's help the work so far is waited for, so that the order holds.
Status Queue::copy_within(DeviceBuffer& target, std::uint64_t target_offset, const DeviceBuffer& source,
                          std::uint64_t source_offset, std::uint64_t bytes) {
  static constexpr detail::Action kAction{"queued copy", " within the device"};
  BERTH_RETURN_IF_ERROR(check(target, kAction, target_offset, bytes));
  BERTH_RETURN_IF_ERROR(check(source, kAction, source_offset, bytes));
  if (bytes == 0) return {};
  BERTH_RETURN_IF_ERROR(detail::check_apart(target, target_offset, source, source_offset, bytes));
  if (!device_->properties().can(Capability::kCopyWithin)) {
    BERTH_RETURN_IF_ERROR(synchronize());
    return detail::copy_between(target, target_offset, source, source_offset, bytes);
  }
  const Status status = driver_->copy_within(target.block(), target_offset, source.block(), source_offset, bytes);
  return status.ok() ? status : detail::transfer_failure(target, kAction, bytes, status);
}

Status Queue::fill(DeviceBuffer& target, std::uint64_t offset, std::uint64_t bytes, std::uint8_t value) {
  static constexpr detail::Action kAction{"queued fill"};
  BERTH_RETURN_IF_ERROR(check(target, kAction, offset, bytes));
  if (bytes == 0) return {};
  if (!device_->properties().can(Capability::kFill)) {
    BERTH_RETURN_IF_ERROR(synchronize());
    return detail::fill_range(target, offset, bytes, value);
  }
  const Status status = driver_->fill(target.block(), offset, bytes, value);
  return status.ok() ? status : detail::transfer_failure(target, kAction, bytes, status);
}

Result<Event> Queue::record() {
  if (driver_ == nullptr) return fail(no_object("queue"));
  BERTH_FAIL_IF_ERROR(device_->state()->check_usable(device_->id()));
  std::unique_ptr<DriverEvent> event;
  if (Status status = driver_->record(event); !status.ok()) {
    return fail(queue_failure(*device_, "record an event", status));
  }
  if (event == nullptr) return fail(given_nothing(*device_, "record an event", detail::rules::kEventGiven, "an event"));
  return Event(device_, std::move(event));
}

Status Queue::wait(const Event& event) {
  if (driver_ == nullptr) return no_object("queue");
  if (event.driver() == nullptr) return no_object("event");
  BERTH_RETURN_IF_ERROR(device_->state()->check_usable(device_->id()));
  if (!driver_->can_wait(*event.driver())) return event.wait();
  const Status status = driver_->wait(*event.driver());
  return status.ok() ? status : queue_failure(*device_, "queued wait for an event", status);
}

Status Queue::synchronize() {
  if (driver_ == nullptr) return no_object("queue");
  BERTH_RETURN_IF_ERROR(device_->state()->check_usable(device_->id()));
  const Status status = driver_->synchronize();
  return status.ok() ? status : queue_failure(*device_, "synchronize a queue", status);
}

Result<NativeHandle> Queue::native() {
  if (driver_ == nullptr) return fail(no_object("queue"));
  BERTH_FAIL_IF_ERROR(device_->state()->check_usable(device_->id()));
  return detail::native_handle(*device_->state(), device_->id(), "the queue",
                               [&](NativeHandle& out) { return driver_->native(out); });
}

}  // namespace berth
