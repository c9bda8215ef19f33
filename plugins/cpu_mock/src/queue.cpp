#include "queue.h"

#include <signal.h>

#include <cstring>
#include <system_error>
#include <utility>

namespace berth::mock {

Queue::Queue(Device& device) : device_(device) { device_.count_queues(+1); }

Queue::~Queue() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  if (worker_.joinable()) worker_.join();
  device_.count_queues(-1);
}

berth_code Queue::copy(void* to, const void* from, std::uint64_t bytes, berth_error* error) {
  Command command(Command::Kind::kCopy);
  command.to = to;
  command.from = from;
  command.bytes = bytes;
  return submit(std::move(command), error);
}

berth_code Queue::fill(void* to, std::uint64_t bytes, std::uint8_t value, berth_error* error) {
  Command command(Command::Kind::kFill);
  command.to = to;
  command.bytes = bytes;
  command.value = value;
  return submit(std::move(command), error);
}

berth_code Queue::wait_for(std::shared_ptr<EventState> event, berth_error* error) {
  Command command(Command::Kind::kWait);
  command.event = std::move(event);
  return submit(std::move(command), error);
}

void Queue::signal(std::shared_ptr<EventState> event) {
  std::unique_lock lock(mutex_);
  if (idle()) {
    const WorkFailure failure = failure_;
    lock.unlock();
    event->complete(failure);
    return;
  }
  Command command(Command::Kind::kSignal);
  command.event = std::move(event);
  push(std::move(command));
}

void Queue::release(Slot* slot) {
  std::unique_lock lock(mutex_);
  if (idle()) {
    lock.unlock();
    device_.finish_free(slot);
    return;
  }
  Command command(Command::Kind::kRelease);
  command.slot = slot;
  push(std::move(command));
}

berth_code Queue::synchronize(berth_error* error) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return idle(); });
  return failure_ ? write_earlier_work(*failure_, error) : BERTH_OK;
}

berth_code Queue::submit(Command command, berth_error* error) {
  const std::lock_guard lock(mutex_);
  if (failure_) return write_earlier_work(*failure_, error);
  push(std::move(command));
  return BERTH_OK;
}

// With the lock held.
void Queue::push(Command command) {
  if (!worker_.joinable()) start_worker();
  commands_.push_back(std::move(command));
  changed_.notify_all();
}

// The thread starts with all signals blocked: handlers of the host run on threads of the host.
void Queue::start_worker() {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    worker_ = std::thread([this] { work(); });
  } catch (const std::system_error& problem) {
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    throw plugin::Failure(BERTH_OUT_OF_HOST_MEMORY, plugin::text("no thread for the queue: %s", problem.what()));
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void Queue::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return ending_ || !commands_.empty(); });
    if (commands_.empty()) return;
    const Command command = std::move(commands_.front());
    commands_.pop_front();
    running_ = true;
    const WorkFailure earlier = failure_;
    lock.unlock();
    WorkFailure failure = run(command, earlier);
    lock.lock();
    if (!failure_) failure_ = std::move(failure);
    running_ = false;
    changed_.notify_all();
  }
}

WorkFailure Queue::run(const Command& command, const WorkFailure& earlier) {
  if (command.kind == Command::Kind::kSignal) {
    command.event->complete(earlier);
    return nullptr;
  }
  if (command.kind == Command::Kind::kRelease) {
    device_.finish_free(command.slot);
    return nullptr;
  }
  if (earlier) return nullptr;
  if (command.kind == Command::Kind::kWait) return command.event->result();
  berth_error error;
  Effect effect = Effect::kNone;
  if (device_.enter(Function::kWork, command.bytes, &error, &effect) != BERTH_OK)
    return std::make_shared<const plugin::Failure>(error);
  if (effect == Effect::kNothing) return nullptr;
  if (command.kind == Command::Kind::kCopy)
    std::memmove(command.to, command.from, command.bytes);
  else
    std::memset(command.to, command.value, command.bytes);
  return nullptr;
}

}  // namespace berth::mock
