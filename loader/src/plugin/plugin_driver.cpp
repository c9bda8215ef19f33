#include "plugin/plugin_driver.h"

#include <utility>

#include "plugin/guard_first.h"
#include "plugin/plugin_call.h"
#include "plugin/plugin_properties.h"
#include "plugin/plugin_rules.h"
#include "plugin/text.h"

namespace berth::loader::detail {
namespace {

Status no_native(const std::string& who) {
  return Status({.code = Code::kUnsupported,
                 .origin = Origin::kDevice,
                 .where = who,
                 .what = "the plugin has no native handles"});
}

}  // namespace

berth_memory to_abi(const MemoryBlock& block) noexcept {
  berth_memory memory{};
  memory.handle = block.handle;
  memory.address = block.address;
  memory.size = block.size;
  memory.kind = block.kind;
  memory.flags = block.has_address ? BERTH_MEMORY_HAS_ADDRESS : 0;
  return memory;
}

Status read_native(const std::string& who, const berth_native_object& object, NativeHandle& out) noexcept {
  const auto api = text_in(object.api, sizeof object.api);
  if (!api) {
    return plugin_fault(who, "native", "the name of the API has no end", "a terminating zero byte", "none",
                        rules::kOutputGiven);
  }
  out.api = *api;
  for (std::size_t i = 0; i < BERTH_NATIVE_VALUES; ++i) out.value[i] = object.value[i];
  return {};
}

PluginDriver::PluginDriver(std::shared_ptr<PluginInstance> instance, berth_device* device)
    : instance_(std::move(instance)), table_(&instance_->plugin().table()), device_(device) {}

Result<std::unique_ptr<DeviceDriver>> PluginDriver::adopt(std::shared_ptr<PluginInstance> instance,
                                                          berth_device* device) {
  std::unique_ptr<PluginDriver> driver(new PluginDriver(std::move(instance), device));
  BERTH_FAIL_IF_ERROR(driver->read_device());
  return driver;
}

Status PluginDriver::read_device() {
  BERTH_ASSIGN_OR_STATUS(properties_, read_properties(table(), device_, who()));
  try {
    native_ = static_cast<const berth_native*>(
        table().instance->get_extension(instance_->handle(), device_, BERTH_NATIVE_NAME, BERTH_NATIVE_VERSION));
  } catch (...) {
    return exception_failure(who(), "get_extension", "thrown").status;
  }
  if (native_ == nullptr) return {};
  if (native_->device == nullptr || native_->memory == nullptr || native_->queue == nullptr) {
    return plugin_fault(who(), "get_extension", "the extension berth.native has a part of its functions",
                        "device, memory and queue", "a null pointer", rules::kWholeGroups);
  }
  properties_.capabilities |= static_cast<std::uint64_t>(Capability::kNative);
  return {};
}

PluginDriver::~PluginDriver() {
  if (instance_->is_abandoned()) return;
  const Status status =
      call_plugin(who(), "close", [&](berth_error* error) { return table().device->close(device_, error); });
  if (!status.ok()) instance_->warn(status.message());
}

Status PluginDriver::take_block(const berth_memory& memory, const char* function, MemoryBlock& out) noexcept {
  out.handle = memory.handle;
  out.address = memory.address;
  out.size = memory.size;
  out.kind = memory.kind;
  out.has_address = (memory.flags & BERTH_MEMORY_HAS_ADDRESS) != 0;
  if ((memory.flags & ~BERTH_MEMORY_HAS_ADDRESS) == 0) [[likely]] {
    return {};
  }
  const Status fault = plugin_fault(who(), function, "unknown flags of a block", "no flag but HAS_ADDRESS",
                                    std::to_string(memory.flags), rules::kMemoryFlags);
  const Status freed = free(out);
  if (!freed.ok()) instance_->warn(freed.message());
  out = {};
  return fault;
}

Status PluginDriver::allocate(const AllocationRequest& request, MemoryBlock& out) noexcept {
  const berth_allocate_args args = to_abi(request);
  berth_memory memory{};
  BERTH_RETURN_IF_ERROR(guard_first(kAllocate, "allocate", [&](berth_error* error) {
    return table().memory->allocate(device_, &args, &memory, error);
  }));
  return take_block(memory, "allocate", out);
}

Status PluginDriver::free(const MemoryBlock& block) noexcept {
  const berth_memory memory = to_abi(block);
  return call_plugin(who(), "free", [&](berth_error* error) { return table().memory->free(device_, &memory, error); });
}

Status PluginDriver::copy_to_device(const MemoryBlock& target, std::uint64_t offset, const void* source,
                                    std::uint64_t bytes) noexcept {
  const berth_memory to = to_abi(target);
  return guard_first(kCopy, "to_device", [&](berth_error* error) {
    return table().copy->to_device(device_, &to, offset, source, bytes, error);
  });
}

Status PluginDriver::copy_to_host(void* target, const MemoryBlock& source, std::uint64_t offset,
                                  std::uint64_t bytes) noexcept {
  const berth_memory from = to_abi(source);
  return guard_first(kCopy, "to_host", [&](berth_error* error) {
    return table().copy->to_host(device_, &from, offset, target, bytes, error);
  });
}

Status PluginDriver::copy_within(const MemoryBlock& target, std::uint64_t target_offset, const MemoryBlock& source,
                                 std::uint64_t source_offset, std::uint64_t bytes) noexcept {
  if (!has(Capability::kCopyWithin)) {
    return DeviceDriver::copy_within(target, target_offset, source, source_offset, bytes);
  }
  const berth_memory to = to_abi(target);
  const berth_memory from = to_abi(source);
  return call_plugin(who(), "copy_within", [&](berth_error* error) {
    return table().copy_within->copy_within(device_, &to, target_offset, &from, source_offset, bytes, error);
  });
}

Status PluginDriver::fill(const MemoryBlock& target, std::uint64_t offset, std::uint64_t bytes,
                          std::uint8_t value) noexcept {
  if (!has(Capability::kFill)) return DeviceDriver::fill(target, offset, bytes, value);
  const berth_memory memory = to_abi(target);
  return call_plugin(who(), "fill", [&](berth_error* error) {
    return table().fill->fill(device_, &memory, offset, bytes, value, error);
  });
}

Status PluginDriver::memory_info(std::uint32_t heap, MemoryInfo& out) noexcept {
  if (!has(Capability::kMemoryInfo)) return DeviceDriver::memory_info(heap, out);
  berth_memory_info raw{};
  raw.struct_size = sizeof raw;
  BERTH_RETURN_IF_ERROR(call_plugin(who(), "memory_info", [&](berth_error* error) {
    return table().memory_info->memory_info(device_, heap, &raw, error);
  }));
  out = {};
  if ((raw.valid & BERTH_INFO_FREE) != 0) out.free = raw.free_bytes;
  if ((raw.valid & BERTH_INFO_TOTAL) != 0) out.total = raw.total_bytes;
  if ((raw.valid & BERTH_INFO_USED) != 0) out.used_by_this_instance = raw.used_bytes;
  return {};
}

Status PluginDriver::native(NativeHandle& out) noexcept {
  if (native_ == nullptr) return no_native(who());
  berth_native_object object{};
  object.struct_size = sizeof object;
  BERTH_RETURN_IF_ERROR(call_plugin(who(), "native.device",
                                    [&](berth_error* error) { return native_->device(device_, &object, error); }));
  return read_native(who(), object, out);
}

Status PluginDriver::native(const MemoryBlock& block, NativeHandle& out) noexcept {
  if (native_ == nullptr) return no_native(who());
  const berth_memory memory = to_abi(block);
  berth_native_object object{};
  object.struct_size = sizeof object;
  BERTH_RETURN_IF_ERROR(call_plugin(
      who(), "native.memory", [&](berth_error* error) { return native_->memory(device_, &memory, &object, error); }));
  return read_native(who(), object, out);
}

}  // namespace berth::loader::detail
