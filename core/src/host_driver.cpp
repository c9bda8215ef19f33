#include "host_driver.h"

#include <sys/sysinfo.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "berth/core/result.h"
#include "text.h"

namespace berth::detail {
namespace {

constexpr std::uint64_t kMinAlignment = 64;
constexpr std::uint64_t kMaxAlignment = std::uint64_t{1} << 21;
// Blocks up to this size are cut out of a slightly larger one from malloc, which keeps freed ones of such sizes at hand
// for each thread. Aligned allocations go past those lists and leave fragments for later calls to merge: five times the
// time. Larger blocks are worth it, because they are rare and their overruns stay visible to memory checkers.
constexpr std::uint64_t kSmallBlock = 512;
constexpr std::uint64_t kRoomToAlign = kMinAlignment - alignof(std::max_align_t);

// A multiple of 64 with `bytes` from it on, and what to free; null when there is no memory.
struct HostBlock {
  void* to_free = nullptr;
  std::uint64_t address = 0;
};

std::uint64_t address_of(void* memory) { return reinterpret_cast<std::uintptr_t>(memory); }

HostBlock take_small(std::uint64_t bytes) noexcept {
  void* const memory = std::malloc(bytes + kRoomToAlign);
  return {memory, (address_of(memory) + kRoomToAlign) / kMinAlignment * kMinAlignment};
}

HostBlock take_aligned(std::uint64_t bytes, std::uint64_t alignment) noexcept {
  void* memory = nullptr;
  if (posix_memalign(&memory, alignment, bytes) != 0) return {};
  return {memory, address_of(memory)};
}

std::byte* pointer(const MemoryBlock& block, std::uint64_t offset) {
  return reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(block.address + offset));
}

struct HostMemory {
  std::uint64_t total = 0;
  std::uint64_t free = 0;
  std::uint64_t with_swap = 0;
};

// All zero when the system does not say.
HostMemory host_memory() noexcept {
  struct sysinfo info {};
  if (sysinfo(&info) != 0) return {};
  const std::uint64_t unit = info.mem_unit;
  return {
      .total = info.totalram * unit, .free = info.freeram * unit, .with_swap = (info.totalram + info.totalswap) * unit};
}

Status out_of_memory(std::uint64_t bytes, std::uint64_t most) {
  return Status({.code = Code::kOutOfHostMemory,
                 .origin = Origin::kDevice,
                 .what = "the host has not enough memory",
                 .expected = most == 0 ? "" : "at most " + bytes_text(most) + " (memory and swap)",
                 .found = bytes_text(bytes),
                 .next_step = "free memory or use a smaller program"});
}

}  // namespace

HostDriver::HostDriver() {
  for (Capability capability : {Capability::kCopyWithin, Capability::kFill, Capability::kMemoryInfo,
                                Capability::kStaging, Capability::kMap, Capability::kNative}) {
    properties_.capabilities |= static_cast<std::uint64_t>(capability);
  }
  const HostMemory memory = host_memory();
  properties_.kinds.push_back({.host_visible = true,
                               .coherent = true,
                               .has_address = true,
                               .address_on_host = true,
                               .min_alignment = kMinAlignment,
                               .max_alignment = kMaxAlignment,
                               .max_allocation = memory.with_swap == 0 ? UINT64_MAX : memory.with_swap});
  properties_.heaps.push_back({.total = std::nullopt, .device_local = false});
  if (memory.total != 0) properties_.heaps[0].total = memory.total;
}

// Sizes that no machine state could serve are refused here: malloc is not asked, because some of its replacements
// (sanitizers among them) stop the process instead of answering null.
Status HostDriver::allocate(const AllocationRequest& request, MemoryBlock& out) noexcept {
  const std::uint64_t most = properties_.kinds[0].max_allocation;
  if (request.bytes > most) return out_of_memory(request.bytes, most);
  const std::uint64_t alignment = std::max(request.alignment, kMinAlignment);
  const bool small = request.bytes <= kSmallBlock && alignment == kMinAlignment;
  const HostBlock taken = small ? take_small(request.bytes) : take_aligned(request.bytes, alignment);
  if (taken.to_free == nullptr) return out_of_memory(request.bytes, 0);
  out = {.handle = address_of(taken.to_free),
         .address = taken.address,
         .size = request.bytes,
         .kind = 0,
         .has_address = true};
  return {};
}

Status HostDriver::free(const MemoryBlock& block) noexcept {
  std::free(reinterpret_cast<void*>(static_cast<std::uintptr_t>(block.handle)));
  return {};
}

Status HostDriver::copy_to_device(const MemoryBlock& target, std::uint64_t offset, const void* source,
                                  std::uint64_t bytes) noexcept {
  std::memmove(pointer(target, offset), source, bytes);
  return {};
}

Status HostDriver::copy_to_host(void* target, const MemoryBlock& source, std::uint64_t offset,
                                std::uint64_t bytes) noexcept {
  std::memmove(target, pointer(source, offset), bytes);
  return {};
}

Status HostDriver::copy_within(const MemoryBlock& target, std::uint64_t target_offset, const MemoryBlock& source,
                               std::uint64_t source_offset, std::uint64_t bytes) noexcept {
  std::memcpy(pointer(target, target_offset), pointer(source, source_offset), bytes);
  return {};
}

Status HostDriver::fill(const MemoryBlock& target, std::uint64_t offset, std::uint64_t bytes,
                        std::uint8_t value) noexcept {
  std::memset(pointer(target, offset), value, bytes);
  return {};
}

Status HostDriver::memory_info(std::uint32_t, MemoryInfo& out) noexcept {
  const HostMemory memory = host_memory();
  out = {};
  if (memory.total != 0) {
    out.total = memory.total;
    out.free = memory.free;
  }
  return {};
}

Status HostDriver::allocate_staging(std::uint64_t bytes, void*& out_data) noexcept {
  const std::uint64_t most = properties_.kinds[0].max_allocation;
  if (bytes > most) return out_of_memory(bytes, most);
  out_data = take_aligned(bytes, kMinAlignment).to_free;
  return out_data != nullptr ? Status() : out_of_memory(bytes, 0);
}

Status HostDriver::free_staging(void* data) noexcept {
  std::free(data);
  return {};
}

Status HostDriver::map(const MemoryBlock& block, std::uint64_t offset, std::uint64_t, bool, bool,
                       void*& out_data) noexcept {
  out_data = pointer(block, offset);
  return {};
}

Status HostDriver::unmap(void*) noexcept { return {}; }

Status HostDriver::native(NativeHandle& out) noexcept {
  out = {.api = "host"};
  return {};
}

Status HostDriver::native(const MemoryBlock& block, NativeHandle& out) noexcept {
  out = {.api = "host"};
  out.value[0] = block.address;
  return {};
}

}  // namespace berth::detail
