// Groups: queue and async.
#include "groups.h"
#include "queue.h"

namespace berth::mock {
namespace {

using plugin::guard;

berth_code create(berth_device* handle, const berth_queue_args* args, berth_queue** out_queue,
                  berth_error* error) noexcept {
  return guard(error, [&]() -> berth_code {
    Device& device = Device::from(handle);
    berth_queue_args known;
    berth_code code = BERTH_READ_ARGS(known, args, BERTH_QUEUE_ARGS_1_0, error);
    if (code == BERTH_OK) code = berth_check_flags(known.flags, 0, "queue create", error);
    if (code == BERTH_OK) code = device.enter(Function::kQueueCreate, 0, error);
    if (code == BERTH_OK) *out_queue = std::make_unique<Queue>(device).release()->handle();
    return code;
  });
}

berth_code destroy(berth_queue* handle, berth_error* error) noexcept {
  return guard(error, [&] {
    const std::unique_ptr<Queue> queue(&Queue::from(handle));
    return queue->device().enter(Function::kQueueDestroy, 0, error);
  });
}

// The gate of a call that enqueues bytes. Zero bytes enqueue nothing.
template <typename Submit>
berth_code enqueue(Queue& queue, Function function, std::uint64_t bytes, berth_error* error, Submit submit) {
  Effect effect = Effect::kNone;
  const berth_code code = queue.device().enter_sized(function, bytes, error, &effect);
  if (code != BERTH_OK || effect == Effect::kNothing || bytes == 0) return code;
  return submit();
}

berth_code copy_to_device(berth_queue* handle, const berth_memory* to, std::uint64_t to_offset, const void* from,
                          std::uint64_t bytes, berth_error* error) noexcept {
  return guard(error, [&] {
    Queue& queue = Queue::from(handle);
    return enqueue(queue, Function::kQueueToDevice, bytes, error,
                   [&] { return queue.copy(bytes_of(*to) + to_offset, from, bytes, error); });
  });
}

berth_code copy_to_host(berth_queue* handle, const berth_memory* from, std::uint64_t from_offset, void* to,
                        std::uint64_t bytes, berth_error* error) noexcept {
  return guard(error, [&] {
    Queue& queue = Queue::from(handle);
    return enqueue(queue, Function::kQueueToHost, bytes, error,
                   [&] { return queue.copy(to, bytes_of(*from) + from_offset, bytes, error); });
  });
}

berth_code copy_within(berth_queue* handle, const berth_memory* to, std::uint64_t to_offset, const berth_memory* from,
                       std::uint64_t from_offset, std::uint64_t bytes, berth_error* error) noexcept {
  return guard(error, [&] {
    Queue& queue = Queue::from(handle);
    return enqueue(queue, Function::kQueueCopyWithin, bytes, error,
                   [&] { return queue.copy(bytes_of(*to) + to_offset, bytes_of(*from) + from_offset, bytes, error); });
  });
}

berth_code fill(berth_queue* handle, const berth_memory* memory, std::uint64_t offset, std::uint64_t bytes,
                std::uint8_t value, berth_error* error) noexcept {
  return guard(error, [&] {
    Queue& queue = Queue::from(handle);
    return enqueue(queue, Function::kQueueFill, bytes, error,
                   [&] { return queue.fill(bytes_of(*memory) + offset, bytes, value, error); });
  });
}

berth_code record(berth_queue* handle, berth_event** out_event, berth_error* error) noexcept {
  return guard(error, [&]() -> berth_code {
    Queue& queue = Queue::from(handle);
    Device& device = queue.device();
    if (const berth_code code = device.enter(Function::kRecord, 0, error); code != BERTH_OK) return code;
    auto state = std::make_shared<EventState>();
    Event* const event = device.add_event(state);
    try {
      queue.signal(std::move(state));
    } catch (...) {
      device.remove_event(event);
      throw;
    }
    *out_event = event->handle();
    return BERTH_OK;
  });
}

bool waits_for(Queue& queue, const Event& event) {
  return event.device == &queue.device() || queue.device().instance().options().cross_wait;
}

berth_code wait(berth_queue* handle, berth_event* event_handle, berth_error* error) noexcept {
  return guard(error, [&]() -> berth_code {
    Queue& queue = Queue::from(handle);
    const Event& event = Event::from(event_handle);
    if (const berth_code code = queue.device().enter(Function::kWait, 0, error); code != BERTH_OK) return code;
    if (!waits_for(queue, event))
      return berth_fail(error, BERTH_FAILED_PRECONDITION,
                        "a queue of device %" PRIu32 " can't wait for an event of device %" PRIu32,
                        queue.device().ordinal().index(), event.device->ordinal().index());
    return queue.wait_for(event.state, error);
  });
}

berth_code can_wait(berth_queue* handle, berth_event* event, std::uint32_t* out_can, berth_error* error) noexcept {
  return guard(error, [&] {
    Queue& queue = Queue::from(handle);
    const berth_code code = queue.device().enter(Function::kCanWait, 0, error);
    if (code == BERTH_OK) *out_can = waits_for(queue, Event::from(event)) ? 1 : 0;
    return code;
  });
}

berth_code synchronize(berth_queue* handle, berth_error* error) noexcept {
  return guard(error, [&] {
    Queue& queue = Queue::from(handle);
    const berth_code code = queue.device().enter(Function::kSynchronize, 0, error);
    return code != BERTH_OK ? code : queue.synchronize(error);
  });
}

berth_code event_wait(berth_event* handle, std::uint64_t timeout_ns, berth_error* error) noexcept {
  return guard(error, [&] {
    const Event& event = Event::from(handle);
    const berth_code code = event.device->enter(Function::kEventWait, 0, error);
    return code != BERTH_OK ? code : event.state->wait(timeout_ns, error);
  });
}

berth_code event_query(berth_event* handle, berth_error* error) noexcept {
  return guard(error, [&] {
    const Event& event = Event::from(handle);
    const berth_code code = event.device->enter(Function::kEventQuery, 0, error);
    return code != BERTH_OK ? code : event.state->query(error);
  });
}

berth_code event_destroy(berth_event* handle, berth_error* error) noexcept {
  return guard(error, [&] {
    Event& event = Event::from(handle);
    Device& device = *event.device;
    const berth_code code = device.enter(Function::kEventDestroy, 0, error);
    device.remove_event(&event);
    return code;
  });
}

berth_code allocate_on(berth_queue* queue, const berth_allocate_args* args, berth_memory* out_memory,
                       berth_error* error) noexcept {
  return guard(error,
               [&] { return Queue::from(queue).device().allocate(Function::kAllocateOn, args, out_memory, error); });
}

berth_code free_on(berth_queue* handle, const berth_memory* memory, berth_error* error) noexcept {
  return guard(error, [&]() -> berth_code {
    Queue& queue = Queue::from(handle);
    Slot* const slot = queue.device().begin_free(*memory, error);
    if (slot == nullptr) return error->code;
    queue.release(slot);
    return BERTH_OK;
  });
}

}  // namespace

const berth_queue_group kQueueGroup = {create,     destroy,     copy_to_device, copy_to_host, copy_within,
                                       fill,       record,      wait,           can_wait,     synchronize,
                                       event_wait, event_query, event_destroy};
const berth_async_group kAsyncGroup = {allocate_on, free_on};

}  // namespace berth::mock
