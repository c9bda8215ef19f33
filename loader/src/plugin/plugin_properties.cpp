#include "plugin/plugin_properties.h"

#include <array>
#include <bit>
#include <utility>

#include "plugin/plugin_call.h"
#include "plugin/plugin_rules.h"

namespace berth::loader::detail {
namespace {

// More of them is no device but a broken counter.
constexpr std::uint32_t kMostKinds = 1024;

Status impossible(const std::string& who, const char* function, std::string what, std::string expected,
                  std::uint64_t found) {
  return plugin_fault(who, function, std::move(what), std::move(expected), std::to_string(found), rules::kProperties);
}

Status check_capabilities(const berth_table& table, std::uint64_t capabilities, const std::string& who) {
  const std::array<std::pair<std::uint64_t, const void*>, 9> groups = {{{BERTH_CAN_COPY_WITHIN, table.copy_within},
                                                                        {BERTH_CAN_FILL, table.fill},
                                                                        {BERTH_CAN_MEMORY_INFO, table.memory_info},
                                                                        {BERTH_CAN_STAGING, table.staging},
                                                                        {BERTH_CAN_QUEUE, table.queue},
                                                                        {BERTH_CAN_ASYNC, table.async},
                                                                        {BERTH_CAN_PEER, table.peer},
                                                                        {BERTH_CAN_QUEUE_PEER, table.queue_peer},
                                                                        {BERTH_CAN_MAP, table.map}}};
  for (const auto& [bit, group] : groups) {
    if ((capabilities & bit) == 0 || group != nullptr) continue;
    return plugin_fault(who, "properties", "a capability bit without its group in the table",
                        "the group, or a clear bit", "bit " + std::to_string(std::countr_zero(bit)),
                        rules::kCapabilities);
  }
  const auto has = [&](std::uint64_t bits) { return (capabilities & bits) == bits; };
  if ((has(BERTH_CAN_ASYNC) && !has(BERTH_CAN_QUEUE)) ||
      (has(BERTH_CAN_QUEUE_PEER) && !has(BERTH_CAN_QUEUE | BERTH_CAN_PEER))) {
    return plugin_fault(who, "properties", "a capability without another that it needs",
                        "queue beside async, queue and peer beside queue_peer", "bits " + std::to_string(capabilities),
                        rules::kCapabilities);
  }
  return {};
}

Status check_device(const berth_device_properties& raw, const std::string& who) {
  if (raw.struct_size < sizeof raw) {
    return impossible(who, "properties", "fewer fields than ABI 1.0 has", std::to_string(sizeof raw) + " bytes",
                      raw.struct_size);
  }
  if (raw.kind_count == 0 || raw.kind_count > kMostKinds) {
    return impossible(who, "properties", "an impossible kind_count", "1 to 1024", raw.kind_count);
  }
  if (raw.heap_count == 0 || raw.heap_count > kMostKinds) {
    return impossible(who, "properties", "an impossible heap_count", "1 to 1024", raw.heap_count);
  }
  for (const auto& [name, value] : {std::pair{"copy_alignment", raw.copy_alignment},
                                    {"bind_alignment", raw.bind_alignment},
                                    {"map_granularity", raw.map_granularity}}) {
    if (!std::has_single_bit(value)) {
      return impossible(who, "properties", "an impossible " + std::string(name), "a power of two", value);
    }
  }
  return {};
}

Status check_kind(const berth_kind_properties& raw, std::uint32_t heap_count, const std::string& who) {
  constexpr std::uint64_t kLeastMaximum = 64;
  if (raw.struct_size < sizeof raw) {
    return impossible(who, "kind", "fewer fields than ABI 1.0 has", std::to_string(sizeof raw) + " bytes",
                      raw.struct_size);
  }
  if (raw.heap >= heap_count) {
    return impossible(who, "kind", "a kind of a heap that does not exist", "below " + std::to_string(heap_count),
                      raw.heap);
  }
  if (raw.size_multiple == 0) return impossible(who, "kind", "an impossible size_multiple", "at least 1", 0);
  if (!std::has_single_bit(raw.min_alignment)) {
    return impossible(who, "kind", "an impossible min_alignment", "a power of two", raw.min_alignment);
  }
  if (!std::has_single_bit(raw.max_alignment) || raw.max_alignment < kLeastMaximum ||
      raw.max_alignment < raw.min_alignment) {
    return impossible(who, "kind", "an impossible max_alignment",
                      "a power of two, at least 64 and min_alignment (" + std::to_string(raw.min_alignment) + ")",
                      raw.max_alignment);
  }
  return {};
}

MemoryKind kind_from(const berth_kind_properties& raw) {
  MemoryKind kind;
  kind.device_local = (raw.flags & BERTH_KIND_DEVICE_LOCAL) != 0;
  kind.host_visible = (raw.flags & BERTH_KIND_HOST_VISIBLE) != 0;
  kind.coherent = (raw.flags & BERTH_KIND_HOST_COHERENT) != 0;
  kind.has_address = (raw.flags & BERTH_KIND_HAS_ADDRESS) != 0;
  kind.address_on_host = (raw.flags & BERTH_KIND_FLAT_ADDRESS) != 0;
  kind.heap = raw.heap;
  kind.size_multiple = raw.size_multiple;
  kind.min_alignment = raw.min_alignment;
  kind.max_alignment = raw.max_alignment;
  kind.max_allocation = raw.max_allocation;
  return kind;
}

Status read_kinds(const berth_table& table, berth_device* device, const std::string& who, std::uint32_t count,
                  std::uint32_t heap_count, std::vector<MemoryKind>& out) {
  for (std::uint32_t i = 0; i < count; ++i) {
    berth_kind_properties raw{};
    raw.struct_size = sizeof raw;
    BERTH_RETURN_IF_ERROR(
        call_plugin(who, "kind", [&](berth_error* error) { return table.device->kind(device, i, &raw, error); }));
    BERTH_RETURN_IF_ERROR(check_kind(raw, heap_count, who));
    out.push_back(kind_from(raw));
  }
  return {};
}

Status read_heaps(const berth_table& table, berth_device* device, const std::string& who, std::uint32_t count,
                  std::vector<MemoryHeap>& out) {
  for (std::uint32_t i = 0; i < count; ++i) {
    berth_heap_properties raw{};
    raw.struct_size = sizeof raw;
    BERTH_RETURN_IF_ERROR(
        call_plugin(who, "heap", [&](berth_error* error) { return table.device->heap(device, i, &raw, error); }));
    MemoryHeap heap;
    if ((raw.flags & BERTH_HEAP_TOTAL_KNOWN) != 0) heap.total = raw.total_bytes;
    heap.device_local = (raw.flags & BERTH_HEAP_DEVICE_LOCAL) != 0;
    out.push_back(heap);
  }
  return {};
}

// The core's capability bits are those of the ABI.
static_assert(static_cast<std::uint64_t>(Capability::kCopyWithin) == BERTH_CAN_COPY_WITHIN);
static_assert(static_cast<std::uint64_t>(Capability::kFill) == BERTH_CAN_FILL);
static_assert(static_cast<std::uint64_t>(Capability::kMemoryInfo) == BERTH_CAN_MEMORY_INFO);
static_assert(static_cast<std::uint64_t>(Capability::kStaging) == BERTH_CAN_STAGING);
static_assert(static_cast<std::uint64_t>(Capability::kQueue) == BERTH_CAN_QUEUE);
static_assert(static_cast<std::uint64_t>(Capability::kAsync) == BERTH_CAN_ASYNC);
static_assert(static_cast<std::uint64_t>(Capability::kPeer) == BERTH_CAN_PEER);
static_assert(static_cast<std::uint64_t>(Capability::kQueuePeer) == BERTH_CAN_QUEUE_PEER);
static_assert(static_cast<std::uint64_t>(Capability::kMap) == BERTH_CAN_MAP);
constexpr std::uint64_t kKnownCapabilities = BERTH_CAN_MAP * 2 - 1;

}  // namespace

Result<DeviceProperties> read_properties(const berth_table& table, berth_device* device, const std::string& who) {
  berth_device_properties raw{};
  raw.struct_size = sizeof raw;
  BERTH_FAIL_IF_ERROR(call_plugin(who, "properties",
                                  [&](berth_error* error) { return table.device->properties(device, &raw, error); }));
  BERTH_FAIL_IF_ERROR(check_device(raw, who));
  BERTH_FAIL_IF_ERROR(check_capabilities(table, raw.capabilities, who));
  DeviceProperties out;
  out.capabilities = raw.capabilities & kKnownCapabilities;
  out.max_allocation_count = raw.max_allocations;
  out.preferred_copy_alignment = raw.copy_alignment;
  out.bind_alignment = raw.bind_alignment;
  out.max_bind_size = raw.max_bind_size;
  out.map_granularity = raw.map_granularity;
  BERTH_FAIL_IF_ERROR(read_kinds(table, device, who, raw.kind_count, raw.heap_count, out.kinds));
  BERTH_FAIL_IF_ERROR(read_heaps(table, device, who, raw.heap_count, out.heaps));
  return out;
}

}  // namespace berth::loader::detail
