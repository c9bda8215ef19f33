#include "plugin/plugin_queue.h"

#include <utility>

#include "plugin/plugin_call.h"
#include "plugin/plugin_driver.h"
#include "plugin/plugin_rules.h"

namespace berth::loader::detail {

PluginEvent::PluginEvent(std::shared_ptr<PluginInstance> instance, berth_event* event) noexcept
    : instance_(std::move(instance)), event_(event) {}

PluginEvent::~PluginEvent() {
  if (instance_->is_abandoned()) return;
  const Plugin& plugin = instance_->plugin();
  const Status status = call_plugin(plugin.who(), "event_destroy", [&](berth_error* error) {
    return plugin.table().queue->event_destroy(event_, error);
  });
  if (!status.ok()) instance_->warn(status.message());
}

Status PluginEvent::wait(std::uint64_t timeout_ns) noexcept {
  const Plugin& plugin = instance_->plugin();
  return call_plugin(plugin.who(), "event_wait",
                     [&](berth_error* error) { return plugin.table().queue->event_wait(event_, timeout_ns, error); });
}

Status PluginEvent::query(bool& out_done) noexcept {
  const Plugin& plugin = instance_->plugin();
  bool not_ready = false;
  Status status = call_plugin(plugin.who(), "event_query", [&](berth_error* error) {
    const berth_code code = plugin.table().queue->event_query(event_, error);
    not_ready = code == BERTH_NOT_READY;
    return not_ready ? BERTH_OK : code;
  });
  out_done = status.ok() && !not_ready;
  return status;
}

PluginQueue::PluginQueue(std::shared_ptr<PluginInstance> instance, berth_queue* queue,
                         const berth_native* native) noexcept
    : instance_(std::move(instance)), queue_(queue), native_(native) {}

PluginQueue::~PluginQueue() {
  if (instance_->is_abandoned()) return;
  const Status status =
      call_plugin(who(), "queue.destroy", [&](berth_error* error) { return group().destroy(queue_, error); });
  if (!status.ok()) instance_->warn(status.message());
}

Status PluginQueue::copy_to_device(const MemoryBlock& target, std::uint64_t offset, const void* source,
                                   std::uint64_t bytes) noexcept {
  const berth_memory to = to_abi(target);
  return call_plugin(who(), "queue.copy_to_device", [&](berth_error* error) {
    return group().copy_to_device(queue_, &to, offset, source, bytes, error);
  });
}

Status PluginQueue::copy_to_host(void* target, const MemoryBlock& source, std::uint64_t offset,
                                 std::uint64_t bytes) noexcept {
  const berth_memory from = to_abi(source);
  return call_plugin(who(), "queue.copy_to_host", [&](berth_error* error) {
    return group().copy_to_host(queue_, &from, offset, target, bytes, error);
  });
}

Status PluginQueue::copy_within(const MemoryBlock& target, std::uint64_t target_offset, const MemoryBlock& source,
                                std::uint64_t source_offset, std::uint64_t bytes) noexcept {
  const berth_memory to = to_abi(target);
  const berth_memory from = to_abi(source);
  return call_plugin(who(), "queue.copy_within", [&](berth_error* error) {
    return group().copy_within(queue_, &to, target_offset, &from, source_offset, bytes, error);
  });
}

Status PluginQueue::fill(const MemoryBlock& target, std::uint64_t offset, std::uint64_t bytes,
                         std::uint8_t value) noexcept {
  const berth_memory memory = to_abi(target);
  return call_plugin(who(), "queue.fill",
                     [&](berth_error* error) { return group().fill(queue_, &memory, offset, bytes, value, error); });
}

Status PluginQueue::record(std::unique_ptr<DriverEvent>& out) noexcept {
  berth_event* event = nullptr;
  BERTH_RETURN_IF_ERROR(
      call_plugin(who(), "queue.record", [&](berth_error* error) { return group().record(queue_, &event, error); }));
  // A missing event is left to the core, whose rule it is.
  if (event != nullptr) out = std::make_unique<PluginEvent>(instance_, event);
  return {};
}

bool PluginQueue::can_wait(const DriverEvent& event) noexcept {
  const auto* own = dynamic_cast<const PluginEvent*>(&event);
  if (own == nullptr || own->instance() != instance_.get()) return false;
  std::uint32_t can = 0;
  const Status status = call_plugin(who(), "queue.can_wait", [&](berth_error* error) {
    return group().can_wait(queue_, own->handle(), &can, error);
  });
  return status.ok() && can == 1;
}

Status PluginQueue::wait(const DriverEvent& event) noexcept {
  const auto& own = static_cast<const PluginEvent&>(event);  // can_wait said so
  return call_plugin(who(), "queue.wait",
                     [&](berth_error* error) { return group().wait(queue_, own.handle(), error); });
}

Status PluginQueue::synchronize() noexcept {
  return call_plugin(who(), "queue.synchronize",
                     [&](berth_error* error) { return group().synchronize(queue_, error); });
}

Status PluginQueue::native(NativeHandle& out) noexcept {
  if (native_ == nullptr) {
    return Status({.code = Code::kUnsupported,
                   .origin = Origin::kDevice,
                   .where = who(),
                   .what = "the plugin has no native handles"});
  }
  berth_native_object object{};
  object.struct_size = sizeof object;
  BERTH_RETURN_IF_ERROR(
      call_plugin(who(), "native.queue", [&](berth_error* error) { return native_->queue(queue_, &object, error); }));
  return read_native(who(), object, out);
}

}  // namespace berth::loader::detail
