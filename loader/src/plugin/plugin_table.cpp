#include "plugin/plugin_table.h"

#include <algorithm>
#include <cstring>

#include "plugin/plugin_call.h"
#include "plugin/plugin_rules.h"

namespace berth::loader::detail {
namespace {

// A group is a struct of function pointers and nothing else.
struct GroupLayout {
  const char* name;
  bool required;
  std::size_t offset;  // of its pointer in berth_table
  std::vector<const char*> functions;
};

#define BERTH_GROUP(name, required, ...)                          \
  GroupLayout {                                                   \
#name, required, offsetof(berth_table, name), { __VA_ARGS__ } \
  }

const std::vector<GroupLayout>& layouts() {
  static const std::vector<GroupLayout> groups = {
      BERTH_GROUP(instance, true, "create", "destroy", "get_extension"),
      BERTH_GROUP(device, true, "count", "describe", "open", "close", "properties", "kind", "heap"),
      BERTH_GROUP(memory, true, "allocate", "free"),
      BERTH_GROUP(copy, true, "to_device", "to_host"),
      BERTH_GROUP(copy_within, false, "copy_within"),
      BERTH_GROUP(fill, false, "fill"),
      BERTH_GROUP(memory_info, false, "memory_info"),
      BERTH_GROUP(staging, false, "host_allocate", "host_free"),
      BERTH_GROUP(queue, false, "create", "destroy", "copy_to_device", "copy_to_host", "copy_within", "fill", "record",
                  "wait", "can_wait", "synchronize", "event_wait", "event_query", "event_destroy"),
      BERTH_GROUP(async, false, "allocate_on", "free_on"),
      BERTH_GROUP(peer, false, "can_access", "copy_between"),
      BERTH_GROUP(queue_peer, false, "copy_between"),
      BERTH_GROUP(map, false, "map", "unmap"),
  };
  return groups;
}

#undef BERTH_GROUP

const void* group_at(const berth_table& table, const GroupLayout& layout) {
  const void* group = nullptr;
  std::memcpy(&group, reinterpret_cast<const char*>(&table) + layout.offset, sizeof group);
  return group;
}

void append(std::string& list, const std::string& item) { list += (list.empty() ? "" : ", ") + item; }

// "memory.free, memory.allocate": the null pointers of a group that is there.
void append_missing(const void* group, const GroupLayout& layout, std::string& list) {
  for (std::size_t i = 0; i < layout.functions.size(); ++i) {
    void (*function)() = nullptr;
    std::memcpy(&function, static_cast<const char*>(group) + i * sizeof function, sizeof function);
    if (function == nullptr) append(list, std::string(layout.name) + "." + layout.functions[i]);
  }
}

Status check_groups(const berth_table& table, const std::string& who) {
  std::string missing;
  std::string broken;
  for (const GroupLayout& layout : layouts()) {
    const void* group = group_at(table, layout);
    if (group != nullptr) {
      append_missing(group, layout, layout.required ? missing : broken);
    } else if (layout.required) {
      for (const char* function : layout.functions) append(missing, std::string(layout.name) + "." + function);
    }
  }
  if (!missing.empty()) {
    return plugin_fault(who, "query", "the plugin lacks required functions", "all of instance, device, memory and copy",
                        "no " + missing, rules::kRequiredGroups);
  }
  if (!broken.empty()) {
    return plugin_fault(who, "query", "the plugin has a part of a group", "all functions of a group, or none",
                        "no " + broken, rules::kWholeGroups);
  }
  return {};
}

Status check_needs(const berth_table& table, const std::string& who) {
  const char* found = nullptr;
  if (table.async != nullptr && table.queue == nullptr) found = "async without queue";
  if (table.queue_peer != nullptr && table.queue == nullptr) found = "queue_peer without queue";
  if (table.queue_peer != nullptr && table.peer == nullptr) found = "queue_peer without peer";
  if (found == nullptr) return {};
  return plugin_fault(who, "query", "the plugin has a group without another that it needs",
                      "queue beside async, queue and peer beside queue_peer", found, rules::kGroupNeeds);
}

}  // namespace

Result<berth_table> check_table(const berth_table* table, const std::string& who) {
  constexpr std::size_t kLeast = offsetof(berth_table, copy_within);  // the required groups come before it
  if (table == nullptr) {
    return fail(plugin_fault(who, "query", "the plugin gave no function table", "a pointer to its table", "null",
                             rules::kRequiredGroups));
  }
  if (table->struct_size < kLeast) {
    return fail(plugin_fault(who, "query", "the function table ends before the required groups",
                             "at least " + std::to_string(kLeast) + " bytes",
                             std::to_string(table->struct_size) + " bytes", rules::kRequiredGroups));
  }
  berth_table known{};
  constexpr std::size_t kPointer = sizeof(void*);
  std::memcpy(&known, table, std::min<std::size_t>(table->struct_size, sizeof known) / kPointer * kPointer);
  known.struct_size = sizeof known;
  BERTH_FAIL_IF_ERROR(check_groups(known, who));
  BERTH_FAIL_IF_ERROR(check_needs(known, who));
  return known;
}

std::vector<PluginGroup> list_groups(const berth_table& table) {
  std::vector<PluginGroup> groups;
  for (const GroupLayout& layout : layouts()) {
    groups.push_back({layout.name, layout.required, group_at(table, layout) != nullptr});
  }
  return groups;
}

}  // namespace berth::loader::detail
