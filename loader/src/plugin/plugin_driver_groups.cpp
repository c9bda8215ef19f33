// PluginDriver's functions of the optional groups staging, queue, async, peer and map.
#include <utility>

#include "plugin/guard_first.h"
#include "plugin/plugin_driver.h"
#include "plugin/plugin_queue.h"

namespace berth::loader::detail {

// ---------------------------------------------------------------------------------

Status PluginDriver::allocate_staging(std::uint64_t bytes, void*& out_data) noexcept {
  if (!has(Capability::kStaging)) return DeviceDriver::allocate_staging(bytes, out_data);
  berth_host_allocate_args args{};
  args.struct_size = sizeof args;
  args.size = bytes;
  return call_plugin(who(), "host_allocate", [&](berth_error* error) {
    return table().staging->host_allocate(device_, &args, &out_data, error);
  });
}

Status PluginDriver::free_staging(void* data) noexcept {
  if (!has(Capability::kStaging)) return DeviceDriver::free_staging(data);
  return call_plugin(who(), "host_free",
                     [&](berth_error* error) { return table().staging->host_free(device_, data, error); });
}

Status PluginDriver::create_queue(std::unique_ptr<DriverQueue>& out) noexcept {
  if (!has(Capability::kQueue)) return DeviceDriver::create_queue(out);
  berth_queue_args args{};
  args.struct_size = sizeof args;
  berth_queue* queue = nullptr;
  BERTH_RETURN_IF_ERROR(guard_first(kQueue, "queue.create", [&](berth_error* error) {
    return table().queue->create(device_, &args, &queue, error);
  }));
  // A missing queue is left to the core, whose rule it is.
  if (queue != nullptr) out = std::make_unique<PluginQueue>(instance_, queue, native_);
  return {};
}

Status PluginDriver::allocate_on(DriverQueue& queue, const AllocationRequest& request, MemoryBlock& out) noexcept {
  if (!has(Capability::kAsync)) return DeviceDriver::allocate_on(queue, request, out);
  const berth_allocate_args args = to_abi(request);
  berth_memory memory{};
  BERTH_RETURN_IF_ERROR(guard_first(kAllocate, "allocate_on", [&](berth_error* error) {
    return table().async->allocate_on(static_cast<PluginQueue&>(queue).handle(), &args, &memory, error);
  }));
  return take_block(memory, "allocate_on", out);
}

Status PluginDriver::free_on(DriverQueue& queue, const MemoryBlock& block) noexcept {
  if (!has(Capability::kAsync)) return DeviceDriver::free_on(queue, block);
  const berth_memory memory = to_abi(block);
  return call_plugin(who(), "free_on", [&](berth_error* error) {
    return table().async->free_on(static_cast<PluginQueue&>(queue).handle(), &memory, error);
  });
}

Status PluginDriver::can_access_peer(DeviceDriver& target_device, bool& out) noexcept {
  out = false;
  auto* target = dynamic_cast<PluginDriver*>(&target_device);
  if (target == nullptr || target->instance_ != instance_ || !has(Capability::kPeer)) return {};
  std::uint32_t can = 0;
  BERTH_RETURN_IF_ERROR(call_plugin(who(), "can_access", [&](berth_error* error) {
    return table().peer->can_access(target->device_, device_, &can, error);
  }));
  out = can == 1;
  return {};
}

Status PluginDriver::copy_peer(DeviceDriver& target_device, const MemoryBlock& target, std::uint64_t target_offset,
                               const MemoryBlock& source, std::uint64_t source_offset, std::uint64_t bytes) noexcept {
  auto* other = dynamic_cast<PluginDriver*>(&target_device);
  if (other == nullptr || other->instance_ != instance_ || !has(Capability::kPeer)) {
    return DeviceDriver::copy_peer(target_device, target, target_offset, source, source_offset, bytes);
  }
  const berth_memory to = to_abi(target);
  const berth_memory from = to_abi(source);
  return call_plugin(who(), "copy_between", [&](berth_error* error) {
    return table().peer->copy_between(other->device_, &to, target_offset, device_, &from, source_offset, bytes, error);
  });
}

Status PluginDriver::map(const MemoryBlock& block, std::uint64_t offset, std::uint64_t bytes, bool read, bool write,
                         void*& out_data) noexcept {
  if (!has(Capability::kMap)) return DeviceDriver::map(block, offset, bytes, read, write, out_data);
  const berth_memory memory = to_abi(block);
  berth_map_args args{};
  args.struct_size = sizeof args;
  args.memory = &memory;
  args.offset = offset;
  args.bytes = bytes;
  args.flags = (read ? BERTH_MAP_READ : 0) | (write ? BERTH_MAP_WRITE : 0);
  return call_plugin(who(), "map",
                     [&](berth_error* error) { return table().map->map(device_, &args, &out_data, error); });
}

Status PluginDriver::unmap(void* data) noexcept {
  if (!has(Capability::kMap)) return DeviceDriver::unmap(data);
  return call_plugin(who(), "unmap", [&](berth_error* error) { return table().map->unmap(device_, data, error); });
}

}  // namespace berth::loader::detail
