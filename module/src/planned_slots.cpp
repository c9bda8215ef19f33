#include "planned_slots.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "owner_text.h"

namespace berth::module::detail {
namespace {

constexpr std::uint64_t kAlignment = 64;        // of buffers that Module allocates
constexpr std::uint64_t kCallerAlignment = 16;  // what exporters align offsets to

// "planned buffer 2 (48 bytes on cuda:0)"
std::string slot_text(const ModuleContext& context, const program::MethodPlan& plan, std::size_t index) {
  const program::PlannedBufferPlan& entry = plan.planned_buffers[index];
  return "planned buffer " + std::to_string(index + 1) + " (" + std::to_string(entry.bytes) + " bytes on " +
         context.devices.program_id(entry.device).to_string() + ")";
}

Status refuse(std::string what, std::string expected, std::string found) {
  return Status({.code = Code::kInvalidArgument,
                 .origin = Origin::kUsage,
                 .what = std::move(what),
                 .expected = std::move(expected),
                 .found = std::move(found)});
}

Status check_range(const CallerMemory& memory, std::uint64_t bytes) {
  const std::uint64_t size = memory.buffer == nullptr ? memory.host.size() : memory.buffer->size();
  if (memory.offset <= size && size - memory.offset >= bytes) return {};
  return refuse("the caller's memory is too small", "at least " + std::to_string(bytes) + " bytes",
                std::to_string(memory.offset <= size ? size - memory.offset : 0));
}

Status check_caller_memory(const CallerMemory& memory, const Device& device, std::uint64_t bytes) {
  if (memory.buffer == nullptr) {
    if (!device.is_host()) {
      return refuse("the caller's memory is on the wrong device", device.id().to_string(), "host memory");
    }
    if (reinterpret_cast<std::uintptr_t>(memory.host.data()) % kCallerAlignment != 0) {
      return refuse("the caller's memory is misaligned", "a multiple of 16", "an address that is none");
    }
    return check_range(memory, bytes);
  }
  if (memory.buffer->empty()) return refuse("the caller's buffer is empty", "one that owns memory", "none");
  if (!memory.buffer->device()->same_hardware(device)) {
    return refuse("the caller's memory is on the wrong device", device.id().to_string(),
                  memory.buffer->device()->id().to_string());
  }
  if (memory.offset % kCallerAlignment != 0) {
    return refuse("the caller's memory is misaligned", "an offset that is a multiple of 16",
                  std::to_string(memory.offset));
  }
  return check_range(memory, bytes);
}

bool overlap(std::uint64_t a, std::uint64_t a_bytes, std::uint64_t b, std::uint64_t b_bytes) {
  return a < b ? b - a < a_bytes && b_bytes != 0 : a - b < b_bytes && a_bytes != 0;
}

bool overlap(const PlannedSlot& a, std::uint64_t a_bytes, const PlannedSlot& b, std::uint64_t b_bytes) {
  if (a.host != nullptr && b.host != nullptr) {
    return overlap(reinterpret_cast<std::uintptr_t>(a.host), a_bytes, reinterpret_cast<std::uintptr_t>(b.host),
                   b_bytes);
  }
  return a.buffer == b.buffer && a.buffer != nullptr && overlap(a.offset, a_bytes, b.offset, b_bytes);
}

// The last of `slots` against those before it.
Status check_apart(std::span<const PlannedSlot> slots, const program::MethodPlan& plan) {
  const std::size_t last = slots.size() - 1;
  for (std::size_t i = 0; i < last; ++i) {
    if (!overlap(slots[i], plan.planned_buffers[i].bytes, slots[last], plan.planned_buffers[last].bytes)) continue;
    return refuse("the caller's memory overlaps", "memory of its own",
                  "bytes of planned buffer " + std::to_string(i + 1) + " as well");
  }
  return {};
}

Status zero_fill(const PlannedSlot& slot, std::uint64_t bytes) {
  if (bytes == 0) return {};
  if (slot.host != nullptr) {
    std::memset(slot.host, 0, bytes);
    return {};
  }
  return slot.buffer->fill(slot.offset, bytes, 0);
}

Status allocate_slot(const std::shared_ptr<Device>& device, std::uint64_t bytes, Owner owner, PlannedSlot& slot) {
  const AllocationRequest request{.bytes = bytes,
                                  .alignment = std::max(kAlignment, device->properties().kinds[0].min_alignment)};
  auto buffer = DeviceBuffer::allocate(device, request, owner);
  if (!buffer.has_value()) return std::move(buffer).error();
  slot.own = *std::move(buffer);
  slot.buffer = &slot.own;
  slot.host = slot.own.host_data();
  slot.device = device->is_host() ? nullptr : device.get();
  return zero_fill(slot, bytes);
}

}  // namespace

PlannedSlots::~PlannedSlots() { std::destroy(slots_.begin(), slots_.end()); }

Status PlannedSlots::allocate(ModuleContext& context, const program::MethodPlan& plan, std::span<PlannedSlot> slots) {
  slots_ = slots;
  const OwnerText name(context.file_name, plan.name);
  const Device* last = nullptr;
  Owner owner;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const program::PlannedBufferPlan& entry = plan.planned_buffers[i];
    const auto device = context.devices.find(entry.device);
    if (!device.has_value()) return device.error().at(slot_text(context, plan, i));
    if (device->get() != last) {
      last = device->get();
      owner.id = (*device)->intern_owner(name.view());
    }
    owner.part = static_cast<std::uint32_t>(i + 1);
    const Status status = allocate_slot(*device, entry.bytes, owner, slots[i]);
    if (!status.ok()) return status.at(slot_text(context, plan, i));
  }
  return {};
}

Status PlannedSlots::adopt(ModuleContext& context, const program::MethodPlan& plan, std::span<PlannedSlot> slots,
                           std::span<const CallerMemory> memory) {
  slots_ = slots;
  if (memory.size() != slots.size()) {
    return refuse("wrong number of planned buffers from the caller", std::to_string(slots.size()),
                  std::to_string(memory.size()));
  }
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const program::PlannedBufferPlan& entry = plan.planned_buffers[i];
    const auto device = context.devices.find(entry.device);
    if (!device.has_value()) return device.error().at(slot_text(context, plan, i));
    Status status = check_caller_memory(memory[i], **device, entry.bytes);
    if (status.ok()) {
      PlannedSlot& slot = slots[i];
      slot.buffer = memory[i].buffer;
      slot.offset = memory[i].offset;
      std::byte* const base = slot.buffer == nullptr ? memory[i].host.data() : slot.buffer->host_data();
      slot.host = base == nullptr ? nullptr : base + slot.offset;
      slot.device = (*device)->is_host() ? nullptr : device->get();
      status = check_apart(slots.first(i + 1), plan);
      if (status.ok()) status = zero_fill(slot, entry.bytes);
    }
    if (!status.ok()) return status.at(slot_text(context, plan, i));
  }
  return {};
}

Status PlannedSlots::release() {
  Status first;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (slots_[i].own.empty()) continue;
    const Status status = slots_[i].own.release();
    if (!status.ok() && first.ok()) first = status.at("planned buffer " + std::to_string(i + 1));
  }
  return first;
}

std::vector<PlannedBufferInfo> PlannedSlots::report(const ModuleContext& context,
                                                    const program::MethodPlan& plan) const {
  std::vector<PlannedBufferInfo> infos;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const PlannedSlot& slot = slots_[i];
    const Device& device = slot.device != nullptr ? *slot.device : *context.devices.registry()->host();
    PlannedBufferInfo info;
    info.memory_id = static_cast<std::uint32_t>(i + 1);
    info.bytes = plan.planned_buffers[i].bytes;
    info.program_device = context.devices.program_id(plan.planned_buffers[i].device);
    info.device = device.id();
    info.plugin = device.served_by().plugin;
    info.hardware = device.identity().name;
    info.hardware_key = device.identity().key;
    info.reason = device.served_by().reason;
    info.caller_owned = slot.own.empty();
    if (slot.buffer != nullptr) {
      info.handle = slot.buffer->block().handle;
      info.has_address = slot.buffer->block().has_address;
      info.address = info.has_address ? slot.buffer->block().address + slot.offset : 0;
    }
    infos.push_back(std::move(info));
  }
  return infos;
}

}  // namespace berth::module::detail
