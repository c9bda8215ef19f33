#include "event.h"

#include <chrono>
#include <utility>

namespace berth::mock {

void EventState::complete(WorkFailure failure) {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
    failure_ = std::move(failure);
  }
  done_changed_.notify_all();
}

berth_code EventState::query(berth_error* error) {
  const std::lock_guard lock(mutex_);
  if (!done_) return BERTH_NOT_READY;
  return failure_ ? write_earlier_work(*failure_, error) : BERTH_OK;
}

berth_code EventState::wait(std::uint64_t timeout_ns, berth_error* error) {
  // Longer waits are for ever: added to the clock, they would overflow.
  constexpr std::uint64_t kLongestNs = std::uint64_t{1} << 61;
  const auto done = [this] { return done_; };
  std::unique_lock lock(mutex_);
  if (timeout_ns > kLongestNs) {
    done_changed_.wait(lock, done);
  } else {
    const auto end = std::chrono::steady_clock::now() + std::chrono::nanoseconds(timeout_ns);
    if (!done_changed_.wait_until(lock, end, done))
      return berth_fail_native(error, BERTH_TIMEOUT, BERTH_ERROR_RETRYABLE, 0,
                               "the event is not complete after %" PRIu64 " ns", timeout_ns);
  }
  return failure_ ? write_earlier_work(*failure_, error) : BERTH_OK;
}

WorkFailure EventState::result() {
  std::unique_lock lock(mutex_);
  done_changed_.wait(lock, [this] { return done_; });
  return failure_;
}

berth_code write_earlier_work(const plugin::Failure& failure, berth_error* error) {
  return berth_fail_native(error, BERTH_EARLIER_WORK, failure.flags() | BERTH_ERROR_EARLIER_WORK, failure.native_code(),
                           "earlier work of this queue failed: %s", failure.what());
}

}  // namespace berth::mock
