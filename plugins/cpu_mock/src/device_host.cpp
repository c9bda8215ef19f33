// Device: staging memory and maps.
#include <bit>
#include <cstdlib>
#include <cstring>
#include <new>

#include "device.h"

namespace berth::mock {
namespace {

constexpr std::uint64_t kMapAlignment = 64;

// aligned_alloc wants a multiple of the alignment. Throws std::bad_alloc.
void* host_bytes(std::uint64_t bytes, std::uint64_t alignment) {
  const std::uint64_t whole = (bytes + alignment - 1) / alignment * alignment;
  void* const pointer = whole < bytes ? nullptr : std::aligned_alloc(alignment, whole);
  if (pointer == nullptr) throw std::bad_alloc();
  return pointer;
}

struct FreeBytes {
  void operator()(void* pointer) const { std::free(pointer); }
};
using HostBytes = std::unique_ptr<void, FreeBytes>;

berth_code check_map(const berth_map_args& args, const Slot& slot, const Kind& kind, berth_error* error) {
  constexpr std::uint32_t kKnown = BERTH_MAP_READ | BERTH_MAP_WRITE | BERTH_MAP_DISCARD;
  if (const berth_code code = berth_check_flags(args.flags, kKnown, "map", error); code != BERTH_OK) return code;
  const bool read = (args.flags & BERTH_MAP_READ) != 0;
  const bool write = (args.flags & BERTH_MAP_WRITE) != 0;
  if (!read && !write) return berth_fail(error, BERTH_INVALID_ARGUMENT, "map: expected READ or WRITE, found neither");
  if ((args.flags & BERTH_MAP_DISCARD) != 0 && (read || !write))
    return berth_fail(error, BERTH_INVALID_ARGUMENT, "map: DISCARD goes with WRITE and without READ");
  if (!kind.has(BERTH_KIND_HOST_VISIBLE))
    return berth_fail(error, BERTH_FAILED_PRECONDITION, "map: memory of kind %" PRIu32 " is not visible to the host",
                      slot.kind);
  return BERTH_OK;
}

}  // namespace

berth_code Device::host_allocate(const berth_host_allocate_args& args, void** out, berth_error* error) {
  constexpr std::uint64_t kLargestAlignment = 4096;
  const std::uint64_t alignment = args.alignment == 0 ? 64 : args.alignment;
  if (const berth_code code = berth_check_flags(args.flags, 0, "host_allocate", error); code != BERTH_OK) return code;
  if (!std::has_single_bit(alignment) || alignment > kLargestAlignment)
    return berth_fail(error, BERTH_INVALID_ARGUMENT, "alignment %" PRIu64 ": expected a power of two up to %" PRIu64,
                      alignment, kLargestAlignment);
  if (const berth_code code = enter_sized(Function::kHostAllocate, args.size, error); code != BERTH_OK) return code;
  if (args.size == 0) {
    *out = nullptr;
    return BERTH_OK;
  }
  const std::lock_guard lock(mutex_);
  if (args.size > pinned_capacity_ - pinned_bytes_)
    return berth_fail(error, BERTH_OUT_OF_PINNED_MEMORY,
                      "%" PRIu64 " bytes of staging memory asked, %" PRIu64 " of %" PRIu64 " in use", args.size,
                      pinned_bytes_, pinned_capacity_);
  HostBytes bytes(host_bytes(args.size, alignment < sizeof(void*) ? sizeof(void*) : alignment));
  std::memset(bytes.get(), kPoison, args.size);
  pinned_.emplace(bytes.get(), args.size);
  pinned_bytes_ += args.size;
  *out = bytes.release();
  return BERTH_OK;
}

berth_code Device::host_free(void* pointer, berth_error* error) {
  if (pointer == nullptr) return BERTH_OK;
  const berth_code code = enter(Function::kHostFree, 0, error);
  const std::lock_guard lock(mutex_);
  const auto found = pinned_.find(pointer);
  if (found == pinned_.end())
    return berth_fail(error, BERTH_INVALID_ARGUMENT, "%p is not staging memory of device %" PRIu32, pointer,
                      ordinal_.index());
  pinned_bytes_ -= found->second;
  pinned_.erase(found);
  std::free(pointer);
  return code;
}

berth_code Device::map(const berth_map_args& args, void** out, berth_error* error) {
  Slot* const slot = slot_of(*args.memory, error);
  if (slot == nullptr) return error->code;
  const Kind& kind = kinds_[slot->kind];
  if (const berth_code code = check_map(args, *slot, kind, error); code != BERTH_OK) return code;
  if (const berth_code code = enter_sized(Function::kMap, args.bytes, error); code != BERTH_OK) return code;
  if (args.bytes == 0) {
    *out = nullptr;
    return BERTH_OK;
  }
  Map map;
  map.device = slot->data + args.offset;
  map.bytes = args.bytes;
  map.write = (args.flags & BERTH_MAP_WRITE) != 0;
  map.bounced = !kind.has(BERTH_KIND_HOST_COHERENT);
  if (!map.bounced) {
    const std::lock_guard lock(mutex_);
    maps_.emplace(map.device, map);
    *out = map.device;
    return BERTH_OK;
  }
  // Memory that is not coherent: the host works on a copy, so that forgetting unmap shows.
  HostBytes copy(host_bytes(args.bytes, kMapAlignment));
  if ((args.flags & BERTH_MAP_DISCARD) != 0)
    std::memset(copy.get(), kPoison, args.bytes);
  else
    std::memcpy(copy.get(), map.device, args.bytes);
  const std::lock_guard lock(mutex_);
  maps_.emplace(copy.get(), map);
  *out = copy.release();
  return BERTH_OK;
}

berth_code Device::unmap(void* pointer, berth_error* error) {
  if (pointer == nullptr) return BERTH_OK;
  const berth_code code = enter(Function::kUnmap, 0, error);
  Map map;
  {
    const std::lock_guard lock(mutex_);
    const auto found = maps_.find(pointer);
    if (found == maps_.end())
      return berth_fail(error, BERTH_INVALID_ARGUMENT, "%p is not mapped on device %" PRIu32, pointer,
                        ordinal_.index());
    map = found->second;
    maps_.erase(found);
  }
  if (map.bounced) {
    if (map.write && !lost()) std::memcpy(map.device, pointer, map.bytes);
    std::free(pointer);
  }
  return code;
}

}  // namespace berth::mock
