#include "function.h"

#include <berth/plugin.h>
#include <array>

namespace berth::mock {
namespace {

struct Entry {
  Function function;
  std::string_view name;
  std::uint64_t needs;
};

constexpr std::uint64_t kQueue = BERTH_CAN_QUEUE;

constexpr std::array<Entry, kFunctionCount> kEntries{{
    {Function::kCreate, "create", 0},
    {Function::kDestroy, "destroy", 0},
    {Function::kCount, "count", 0},
    {Function::kDescribe, "describe", 0},
    {Function::kOpen, "open", 0},
    {Function::kClose, "close", 0},
    {Function::kProperties, "properties", 0},
    {Function::kKind, "kind", 0},
    {Function::kHeap, "heap", 0},
    {Function::kAllocate, "allocate", 0},
    {Function::kFree, "free", 0},
    {Function::kToDevice, "to_device", 0},
    {Function::kToHost, "to_host", 0},
    {Function::kCopyWithin, "copy_within", BERTH_CAN_COPY_WITHIN},
    {Function::kFill, "fill", BERTH_CAN_FILL},
    {Function::kMemoryInfo, "memory_info", BERTH_CAN_MEMORY_INFO},
    {Function::kHostAllocate, "host_allocate", BERTH_CAN_STAGING},
    {Function::kHostFree, "host_free", BERTH_CAN_STAGING},
    {Function::kQueueCreate, "queue_create", kQueue},
    {Function::kQueueDestroy, "queue_destroy", kQueue},
    {Function::kQueueToDevice, "queue_to_device", kQueue},
    {Function::kQueueToHost, "queue_to_host", kQueue},
    {Function::kQueueCopyWithin, "queue_copy_within", kQueue},
    {Function::kQueueFill, "queue_fill", kQueue},
    {Function::kRecord, "record", kQueue},
    {Function::kWait, "wait", kQueue},
    {Function::kCanWait, "can_wait", kQueue},
    {Function::kSynchronize, "synchronize", kQueue},
    {Function::kEventWait, "event_wait", kQueue},
    {Function::kEventQuery, "event_query", kQueue},
    {Function::kEventDestroy, "event_destroy", kQueue},
    {Function::kAllocateOn, "allocate_on", kQueue | BERTH_CAN_ASYNC},
    {Function::kFreeOn, "free_on", kQueue | BERTH_CAN_ASYNC},
    {Function::kCanAccess, "can_access", BERTH_CAN_PEER},
    {Function::kCopyBetween, "copy_between", BERTH_CAN_PEER},
    {Function::kQueueCopyBetween, "queue_copy_between", kQueue | BERTH_CAN_PEER | BERTH_CAN_QUEUE_PEER},
    {Function::kMap, "map", BERTH_CAN_MAP},
    {Function::kUnmap, "unmap", BERTH_CAN_MAP},
    {Function::kWork, "work", 0},
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kEntries.size(); ++i)
    if (static_cast<std::size_t>(kEntries[i].function) != i) return false;
  return true;
}
static_assert(in_order(), "entries are looked up by the value of the enumeration");

struct Capability {
  std::string_view group;
  std::uint64_t bit;
};

constexpr std::array<Capability, 9> kCapabilities{{{"copy_within", BERTH_CAN_COPY_WITHIN},
                                                   {"fill", BERTH_CAN_FILL},
                                                   {"memory_info", BERTH_CAN_MEMORY_INFO},
                                                   {"staging", BERTH_CAN_STAGING},
                                                   {"queue", BERTH_CAN_QUEUE},
                                                   {"async", BERTH_CAN_ASYNC},
                                                   {"peer", BERTH_CAN_PEER},
                                                   {"queue_peer", BERTH_CAN_QUEUE_PEER},
                                                   {"map", BERTH_CAN_MAP}}};

}  // namespace

std::string_view name(Function function) { return kEntries[static_cast<std::size_t>(function)].name; }

std::optional<Function> function_named(std::string_view name) {
  for (const Entry& entry : kEntries)
    if (entry.name == name) return entry.function;
  return std::nullopt;
}

std::uint64_t needed_capabilities(Function function) { return kEntries[static_cast<std::size_t>(function)].needs; }

std::uint64_t missing_functions(std::uint64_t capabilities) {
  std::uint64_t missing = 0;
  for (const Entry& entry : kEntries)
    if ((entry.needs & ~capabilities) != 0) missing |= bit(entry.function);
  return missing;
}

std::uint64_t capability_named(std::string_view group) {
  for (const Capability& capability : kCapabilities)
    if (capability.group == group) return capability.bit;
  return 0;
}

std::string_view capability_name(std::uint64_t capabilities) {
  for (const Capability& capability : kCapabilities)
    if ((capability.bit & capabilities) != 0) return capability.group;
  return "none";
}

}  // namespace berth::mock
