// Groups: memory, copy, copy_within, fill, memory_info, staging, map.
#include <algorithm>
#include <cstring>

#include "device.h"
#include "groups.h"

namespace berth::mock {
namespace {

using plugin::guard;

berth_code allocate(berth_device* device, const berth_allocate_args* args, berth_memory* out_memory,
                    berth_error* error) noexcept {
  return guard(error, [&] { return Device::from(device).allocate(Function::kAllocate, args, out_memory, error); });
}

berth_code free_memory(berth_device* device, const berth_memory* memory, berth_error* error) noexcept {
  return guard(error, [&] { return Device::from(device).free(*memory, error); });
}

// The gate of a copy or fill, then the bytes themselves.
template <typename Move>
berth_code move_bytes(berth_device* device, Function function, std::uint64_t bytes, berth_error* error, Move move) {
  Effect effect = Effect::kNone;
  const berth_code code = Device::from(device).enter_sized(function, bytes, error, &effect);
  if (code == BERTH_OK && effect != Effect::kNothing && bytes != 0) move();
  return code;
}

berth_code to_device(berth_device* device, const berth_memory* to, std::uint64_t to_offset, const void* from,
                     std::uint64_t bytes, berth_error* error) noexcept {
  return guard(error, [&] {
    return move_bytes(device, Function::kToDevice, bytes, error,
                      [&] { std::memcpy(bytes_of(*to) + to_offset, from, bytes); });
  });
}

berth_code to_host(berth_device* device, const berth_memory* from, std::uint64_t from_offset, void* to,
                   std::uint64_t bytes, berth_error* error) noexcept {
  return guard(error, [&] {
    return move_bytes(device, Function::kToHost, bytes, error,
                      [&] { std::memcpy(to, bytes_of(*from) + from_offset, bytes); });
  });
}

berth_code copy_within(berth_device* device, const berth_memory* to, std::uint64_t to_offset, const berth_memory* from,
                       std::uint64_t from_offset, std::uint64_t bytes, berth_error* error) noexcept {
  return guard(error, [&] {
    return move_bytes(device, Function::kCopyWithin, bytes, error,
                      [&] { std::memmove(bytes_of(*to) + to_offset, bytes_of(*from) + from_offset, bytes); });
  });
}

berth_code fill(berth_device* device, const berth_memory* memory, std::uint64_t offset, std::uint64_t bytes,
                std::uint8_t value, berth_error* error) noexcept {
  return guard(error, [&] {
    return move_bytes(device, Function::kFill, bytes, error,
                      [&] { std::memset(bytes_of(*memory) + offset, value, bytes); });
  });
}

berth_code memory_info(berth_device* handle, std::uint32_t heap, berth_memory_info* out, berth_error* error) noexcept {
  return guard(error, [&]() -> berth_code {
    Device& device = Device::from(handle);
    Effect effect = Effect::kNone;
    const berth_code code = device.enter(Function::kMemoryInfo, 0, error, &effect);
    if (code != BERTH_OK) return code;
    if (heap >= device.heaps().size())
      return berth_fail(error, BERTH_INVALID_ARGUMENT, "there is no heap %" PRIu32 "; this device has %zu", heap,
                        device.heaps().size());
    const std::uint32_t known = device.instance().options().known_figures;
    const std::uint64_t total = device.heaps()[heap];
    const std::uint64_t used = device.ordinal().used(heap);
    berth_memory_info full = {};
    full.valid = known;
    if ((known & BERTH_INFO_FREE) != 0) full.free_bytes = total - std::min(total, used);
    if ((known & BERTH_INFO_TOTAL) != 0) full.total_bytes = total;
    if ((known & BERTH_INFO_USED) != 0) full.used_bytes = used;
    if (effect == Effect::kLie) full.free_bytes = total + 1;
    return BERTH_ANSWER(out, full, BERTH_MEMORY_INFO_1_0, error);
  });
}

berth_code host_allocate(berth_device* device, const berth_host_allocate_args* args, void** out_pointer,
                         berth_error* error) noexcept {
  return guard(error, [&]() -> berth_code {
    berth_host_allocate_args known;
    const berth_code code = BERTH_READ_ARGS(known, args, BERTH_HOST_ALLOCATE_ARGS_1_0, error);
    return code != BERTH_OK ? code : Device::from(device).host_allocate(known, out_pointer, error);
  });
}

berth_code host_free(berth_device* device, void* pointer, berth_error* error) noexcept {
  return guard(error, [&] { return Device::from(device).host_free(pointer, error); });
}

berth_code map(berth_device* device, const berth_map_args* args, void** out_pointer, berth_error* error) noexcept {
  return guard(error, [&]() -> berth_code {
    berth_map_args known;
    const berth_code code = BERTH_READ_ARGS(known, args, BERTH_MAP_ARGS_1_0, error);
    return code != BERTH_OK ? code : Device::from(device).map(known, out_pointer, error);
  });
}

berth_code unmap(berth_device* device, void* pointer, berth_error* error) noexcept {
  return guard(error, [&] { return Device::from(device).unmap(pointer, error); });
}

}  // namespace

const berth_memory_group kMemoryGroup = {allocate, free_memory};
const berth_copy_group kCopyGroup = {to_device, to_host};
const berth_copy_within_group kCopyWithinGroup = {copy_within};
const berth_fill_group kFillGroup = {fill};
const berth_memory_info_group kMemoryInfoGroup = {memory_info};
const berth_staging_group kStagingGroup = {host_allocate, host_free};
const berth_map_group kMapGroup = {map, unmap};

}  // namespace berth::mock
