#include "options.h"

#include <algorithm>
#include <berth/plugin_helper.hpp>
#include <iterator>

#include "option_reader.h"
#include "text.h"

namespace berth::mock {
namespace {

// What is read before the kinds and heaps can be put together: they depend on several keys in any order.
struct Draft {
  InstanceOptions done;
  Kind base;
  std::uint64_t capacity = std::uint64_t{1} << 30;
  std::optional<OptionReader> kinds;
  std::optional<OptionReader> heaps;
  bool strict = false;
  bool opaque = false;
};

template <typename Target>
struct Key {
  const char* name;
  void (*apply)(Target&, const OptionReader&);
};

void remove_groups(InstanceOptions& options, std::string_view list) {
  for (const std::string_view group : split(list, ',')) {
    const std::uint64_t capability = capability_named(group);
    if (capability != 0)
      options.capabilities &= ~capability;
    else if (group == "native")
      options.native = false;
    else
      refuse("option 'without'", group, "an optional group or native");
  }
  // What a capability needs goes with it.
  if ((options.capabilities & BERTH_CAN_QUEUE) == 0) options.capabilities &= ~(BERTH_CAN_ASYNC | BERTH_CAN_QUEUE_PEER);
  if ((options.capabilities & BERTH_CAN_PEER) == 0) options.capabilities &= ~BERTH_CAN_QUEUE_PEER;
}

void remove_figures(InstanceOptions& options, std::string_view list) {
  for (const std::string_view figure : split(list, ',')) {
    if (figure == "free")
      options.known_figures &= ~BERTH_INFO_FREE;
    else if (figure == "total")
      options.known_figures &= ~BERTH_INFO_TOTAL;
    else if (figure == "used")
      options.known_figures &= ~BERTH_INFO_USED;
    else
      refuse("option 'unknown'", figure, "free, total or used");
  }
}

Peers parse_peers(std::string_view text) {
  Peers peers;
  if (trim(text) == "all") return peers;
  peers.all = false;
  if (trim(text) == "none") return peers;
  for (const std::string_view pair : split(text, ',')) {
    const std::size_t dash = pair.find('-');
    if (dash == std::string_view::npos) refuse("option 'peers'", pair, "all, none or pairs such as 0-1");
    peers.pairs.emplace_back(parse_number(pair.substr(0, dash), "option 'peers'"),
                             parse_number(pair.substr(dash + 1), "option 'peers'"));
  }
  return peers;
}

constexpr Key<Draft> kInstanceKeys[] = {
    {"devices", [](Draft& d, const OptionReader& o) { d.done.devices = static_cast<std::uint32_t>(o.integer(0, 64)); }},
    {"capacity", [](Draft& d, const OptionReader& o) { d.capacity = o.size(); }},
    {"heaps", [](Draft& d, const OptionReader& o) { d.heaps = o; }},
    {"kinds", [](Draft& d, const OptionReader& o) { d.kinds = o; }},
    {"alignment", [](Draft& d, const OptionReader& o) { d.base.min_alignment = o.power_of_two(); }},
    {"max_alignment", [](Draft& d, const OptionReader& o) { d.base.max_alignment = o.power_of_two(); }},
    {"size_multiple", [](Draft& d, const OptionReader& o) { d.base.size_multiple = o.size(); }},
    {"max_allocation", [](Draft& d, const OptionReader& o) { d.base.max_allocation = o.size(); }},
    {"max_allocations", [](Draft& d, const OptionReader& o) { d.done.max_allocations = o.integer(1, INT64_MAX); }},
    {"pinned_capacity", [](Draft& d, const OptionReader& o) { d.done.pinned_capacity = o.size(); }},
    {"bind_alignment", [](Draft& d, const OptionReader& o) { d.done.bind_alignment = o.power_of_two(); }},
    {"max_bind_size", [](Draft& d, const OptionReader& o) { d.done.max_bind_size = o.size(); }},
    {"copy_alignment", [](Draft& d, const OptionReader& o) { d.done.copy_alignment = o.power_of_two(); }},
    {"map_granularity", [](Draft& d, const OptionReader& o) { d.done.map_granularity = o.power_of_two(); }},
    {"strict", [](Draft& d, const OptionReader& o) { d.strict = o.boolean(); }},
    {"opaque", [](Draft& d, const OptionReader& o) { d.opaque = o.boolean(); }},
    {"software", [](Draft& d, const OptionReader& o) { d.done.software = o.boolean(); }},
    {"integrated", [](Draft& d, const OptionReader& o) { d.done.integrated = o.boolean(); }},
    {"cross_wait", [](Draft& d, const OptionReader& o) { d.done.cross_wait = o.boolean(); }},
    {"name", [](Draft& d, const OptionReader& o) { d.done.device_name = o.string(); }},
    {"uuid_base", [](Draft& d, const OptionReader& o) { d.done.uuid_base = parse_uuid(o.string()); }},
    {"pci_base", [](Draft& d, const OptionReader& o) { d.done.pci_base = parse_pci(o.string()); }},
    {"without", [](Draft& d, const OptionReader& o) { remove_groups(d.done, o.string()); }},
    {"unknown", [](Draft& d, const OptionReader& o) { remove_figures(d.done, o.string()); }},
    {"peers", [](Draft& d, const OptionReader& o) { d.done.peers = parse_peers(o.string()); }},
    {"latency", [](Draft& d, const OptionReader& o) { d.done.latency = Latency::parse(o.string()); }},
    {"faults", [](Draft& d, const OptionReader& o) { d.done.faults = FaultSchedule::parse(o.string()); }},
};

constexpr Key<DeviceOptions> kDeviceKeys[] = {
    {"capacity", [](DeviceOptions& d, const OptionReader& o) { d.capacity = o.size(); }},
    {"max_allocations", [](DeviceOptions& d, const OptionReader& o) { d.max_allocations = o.integer(1, INT64_MAX); }},
    {"pinned_capacity", [](DeviceOptions& d, const OptionReader& o) { d.pinned_capacity = o.size(); }},
};

// Runs step and gives its failure the index of the option, if there is one.
template <typename Step>
void at(const std::optional<OptionReader>& option, Step step) {
  try {
    step();
  } catch (const plugin::Failure& failure) {
    if (!option || failure.option_index() >= 0) throw;
    throw failure.at_option(option->index());
  }
}

template <typename Target, std::size_t N>
void read(Target& target, const Key<Target> (&keys)[N], const berth_option* options, std::uint64_t count) {
  std::string known;
  for (const Key<Target>& key : keys) known += (known.empty() ? "" : ", ") + std::string(key.name);
  for (std::uint64_t i = 0; i < count; ++i) {
    const OptionReader option(options, i);
    const auto key =
        std::find_if(std::begin(keys), std::end(keys), [&](const auto& k) { return option.key() == k.name; });
    if (key == std::end(keys)) option.unknown(known.c_str());
    at(option, [&] { key->apply(target, option); });
  }
}

}  // namespace

bool Peers::allow(std::uint32_t a, std::uint32_t b) const {
  if (all || a == b) return true;
  return std::any_of(pairs.begin(), pairs.end(), [&](const auto& pair) {
    return (pair.first == a && pair.second == b) || (pair.first == b && pair.second == a);
  });
}

InstanceOptions read_instance_options(const berth_option* options, std::uint64_t count) {
  Draft draft;
  draft.base.flags = kPlainKind;
  read(draft, kInstanceKeys, options, count);
  if (draft.strict && draft.opaque)
    throw plugin::Failure(BERTH_INVALID_ARGUMENT, "options 'strict' and 'opaque': expected one of them at most");
  at(draft.heaps,
     [&] { draft.done.heaps = parse_heaps(draft.heaps ? draft.heaps->string() : std::string_view(), draft.capacity); });
  at(draft.kinds, [&] {
    draft.done.kinds = parse_kinds(draft.kinds ? draft.kinds->string() : std::string_view(), draft.base);
    check_kinds(draft.done.kinds, draft.done.heaps.size());
  });
  for (Kind& kind : draft.done.kinds) {
    if (draft.strict || draft.opaque) kind.flags &= ~BERTH_KIND_FLAT_ADDRESS;
    if (draft.opaque) kind.flags &= ~BERTH_KIND_HAS_ADDRESS;
  }
  return std::move(draft.done);
}

DeviceOptions read_device_options(const berth_option* options, std::uint64_t count) {
  DeviceOptions device;
  read(device, kDeviceKeys, options, count);
  return device;
}

}  // namespace berth::mock
