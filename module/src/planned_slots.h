// The planned buffers of one loaded method: taken from the devices that the program names, or from the caller.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "berth/core/device_buffer.h"
#include "berth/module/planned_memory.h"
#include "berth/module/tensor.h"
#include "berth/program/method_plan.h"
#include "module_context.h"

namespace berth::module::detail {

struct PlannedSlot {
  DeviceBuffer own;                // empty when the caller gave the memory
  DeviceBuffer* buffer = nullptr;  // null: host bytes of the caller
  std::byte* host = nullptr;       // first byte, when the host may dereference it
  Device* device = nullptr;        // null for the host
  std::uint64_t offset = 0;        // inside the buffer

  // A tensor's part of the slot.
  [[nodiscard]] TensorStorage part(std::uint64_t part_offset, std::uint64_t bytes) const noexcept {
    TensorStorage storage;
    storage.host = host == nullptr ? nullptr : host + part_offset;
    storage.buffer = buffer;
    storage.device = device;
    storage.offset = offset + part_offset;
    storage.capacity = bytes;
    return storage;
  }
};

class PlannedSlots {
 public:
  PlannedSlots() noexcept = default;
  PlannedSlots(const PlannedSlots&) = delete;
  PlannedSlots& operator=(const PlannedSlots&) = delete;
  ~PlannedSlots();

  // `slots` are empty, one for each planned buffer. Either allocates and zero-fills them all, or answers why not
  // (memory id, bytes and device named); what was taken before is given back by the destructor.
  Status allocate(ModuleContext& context, const program::MethodPlan& plan, std::span<PlannedSlot> slots);
  // The same with memory of the caller. kInvalidArgument: wrong count, too small, misaligned, on
  // another device, or overlapping.
  Status adopt(ModuleContext& context, const program::MethodPlan& plan, std::span<PlannedSlot> slots,
               std::span<const CallerMemory> memory);
  // Frees; answers the first failure.
  Status release();

  [[nodiscard]] const PlannedSlot& operator[](std::uint32_t memory_id) const noexcept { return slots_[memory_id - 1]; }
  [[nodiscard]] std::vector<PlannedBufferInfo> report(const ModuleContext& context,
                                                      const program::MethodPlan& plan) const;

 private:
  std::span<PlannedSlot> slots_;
};

}  // namespace berth::module::detail
