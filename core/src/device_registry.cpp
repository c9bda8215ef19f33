#include "berth/core/device_registry.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <forward_list>
#include <mutex>
#include <utility>

#include "berth/core/fork.h"
#include "berth/core/host_device.h"

namespace berth {

// One device that can be found. Entries are only ever added, so that find() walks the list without a lock. `opened`
// publishes the device to it as a weak reference that never changes: a look-up that comes upon one while retry() lets
// go of the device finds either that device or that there is none any more.
struct DeviceRegistry::Entry {
  DeviceId id;
  Opener opener;
  bool required = true;
  std::atomic<const std::weak_ptr<Device>*> opened{nullptr};
  std::forward_list<std::weak_ptr<Device>> openings;  // under Tables::open_mutex, one for each device there was
  std::shared_ptr<Device> device;                     // under Tables::open_mutex
  bool opening = false;                               // under Tables::open_mutex
  Status failure;                                     // under Tables::open_mutex
  std::atomic<Entry*> next{nullptr};

  // Without a lock; null when the device is not open.
  [[nodiscard]] std::shared_ptr<Device> find() const noexcept {
    const std::weak_ptr<Device>* const found = opened.load(std::memory_order_acquire);
    return found == nullptr ? nullptr : found->lock();
  }
  void publish(std::shared_ptr<Device> opened_device) {
    openings.emplace_front(opened_device);
    device = std::move(opened_device);
    opened.store(&openings.front(), std::memory_order_release);
  }
  void let_go() noexcept {
    opened.store(nullptr, std::memory_order_release);
    device.reset();
  }
};

struct DeviceRegistry::Tables {
  std::vector<std::unique_ptr<Entry>> entries;  // under mutex
  std::atomic<Entry*> first{nullptr};
  std::map<std::uint8_t, std::string> type_names;  // under mutex
  mutable std::mutex mutex;
  // Held while an opener runs. Recursive, because the opener of a device with a fallback finds that other device.
  std::recursive_mutex open_mutex;
  const std::uint32_t generation = fork_generation();

  [[nodiscard]] Entry* look_up(const DeviceId& id) const noexcept {
    Entry* entry = first.load(std::memory_order_acquire);
    while (entry != nullptr && entry->id != id) entry = entry->next.load(std::memory_order_acquire);
    return entry;
  }
  // Under open_mutex. The device closes before this returns if nobody else has it. By value, because the entry's own
  // pointer goes meanwhile.
  void let_go(const std::shared_ptr<Device> lost) const noexcept {  // NOLINT(performance-unnecessary-value-param)
    for (Entry* entry = first.load(std::memory_order_acquire); entry != nullptr;
         entry = entry->next.load(std::memory_order_acquire)) {
      if (entry->device != nullptr && entry->device->same_state(*lost)) entry->let_go();
    }
  }
};

DeviceRegistry::DeviceRegistry(std::shared_ptr<Device> host)
    : host_(host != nullptr ? std::move(host) : make_host_device()), tables_(std::make_unique<Tables>()) {}

DeviceRegistry::~DeviceRegistry() = default;

namespace {

Status usage_error(std::string where, std::string what, std::string expected) {
  return Status({.code = Code::kInvalidArgument,
                 .origin = Origin::kUsage,
                 .where = std::move(where),
                 .what = std::move(what),
                 .expected = std::move(expected)});
}

// Openers are other people's code: whatever they throw becomes a Status.
Result<std::shared_ptr<Device>> call_opener(const DeviceRegistry::Opener& opener, const DeviceId& id) {
  std::string text = "there is none";
  try {
    if (opener) {
      auto device = opener();
      if (!device.has_value() || *device != nullptr) return device;
      text = "it gave neither a device nor a failure";
    }
  } catch (const std::exception& error) {
    text = std::string("it threw: ") + error.what();
  } catch (...) {
    text = "it threw something that is no std::exception";
  }
  return fail({.code = Code::kInternal,
               .origin = Origin::kInternal,
               .where = id.to_string(),
               .what = "the opener of the device failed",
               .found = std::move(text)});
}

}  // namespace

Status DeviceRegistry::add(DeviceId id, Opener opener, bool required) {
  if (id.is_host()) return usage_error("device registry", "cpu:0 is built in and cannot be added", "another id");
  const std::lock_guard lock(tables_->mutex);
  if (tables_->look_up(id) != nullptr) {
    return usage_error("device registry", "there is a device " + id.to_string() + " already", "ids that differ");
  }
  auto entry = std::make_unique<Entry>();
  entry->id = std::move(id);
  entry->opener = std::move(opener);
  entry->required = required;
  Entry* added = entry.get();
  auto& entries = tables_->entries;
  entries.push_back(std::move(entry));
  auto& link = entries.size() == 1 ? tables_->first : entries[entries.size() - 2]->next;
  link.store(added, std::memory_order_release);
  return {};
}

Status DeviceRegistry::name_type(std::uint8_t program_type, std::string name) {
  const std::string where = "device type " + std::to_string(program_type);
  if (program_type < 2) return usage_error(where, "types 0 (cpu) and 1 (cuda) are built in", "a type from 2 to 255");
  if (auto parsed = DeviceId::parse(name); !parsed.has_value() || parsed->type != name) {
    return usage_error(where, "'" + name + "' is no type name",
                       "at most 31 lower-case letters, digits and underscores that start with a letter");
  }
  const std::lock_guard lock(tables_->mutex);
  const auto [position, added] = tables_->type_names.emplace(program_type, name);
  if (!added && position->second != name) {
    return usage_error(where, "the type is named '" + position->second + "' already", "one name for each type");
  }
  return {};
}

std::optional<std::string> DeviceRegistry::type_name(std::uint8_t program_type) const {
  if (program_type == 0) return "cpu";
  if (program_type == 1) return "cuda";
  const std::lock_guard lock(tables_->mutex);
  const auto found = tables_->type_names.find(program_type);
  if (found == tables_->type_names.end()) return std::nullopt;
  return found->second;
}

Status DeviceRegistry::not_found(const DeviceId& id) const {
  std::string known;
  for (const DeviceId& each : ids()) known += (known.empty() ? "" : ", ") + each.to_string();
  return Status({.code = Code::kNotFound,
                 .origin = Origin::kDevice,
                 .where = "device registry",
                 .what = "there is no device " + id.to_string(),
                 .expected = "one of " + known,
                 .next_step = "add a [[device]] entry with id = \"" + id.to_string() + "\" to the registry file"});
}

Result<std::shared_ptr<Device>> DeviceRegistry::find(const DeviceId& id) {
  if (id.is_host()) return host_;
  Entry* entry = tables_->look_up(id);
  if (entry == nullptr) return fail(not_found(id));
  if (auto device = entry->find(); device != nullptr) return device;
  return open(*entry, false);
}

// A thread that forked away may have held the lock; in its child nobody will ever release it.
Result<std::shared_ptr<Device>> DeviceRegistry::open(Entry& entry, bool again) {
  std::unique_lock lock(tables_->open_mutex, std::defer_lock);
  if (tables_->generation == fork_generation()) {
    lock.lock();
  } else if (!lock.try_lock()) {
    return fail({.code = Code::kFailedPrecondition,
                 .origin = Origin::kUsage,
                 .where = entry.id.to_string(),
                 .what = "another thread was opening a device when this process forked",
                 .next_step = "read the registry file again in the child"});
  }
  if (again && entry.device != nullptr && entry.device->lost()) tables_->let_go(entry.device);
  if (entry.device != nullptr) return entry.device;
  if (entry.opening) {
    return fail({.code = Code::kFailedPrecondition,
                 .origin = Origin::kUsage,
                 .where = entry.id.to_string(),
                 .what = "the opening of the device asks for the device itself",
                 .next_step = "break the cycle of fallbacks"});
  }
  if (!entry.failure.ok() && !again) return fail(entry.failure);
  entry.opening = true;
  auto device = call_opener(entry.opener, entry.id);
  entry.opening = false;
  entry.failure = device.status();
  if (!device.has_value()) return device;
  entry.publish(*device);
  return device;
}

std::shared_ptr<Device> DeviceRegistry::find_open(const DeviceId& id) const {
  if (id.is_host()) return host_;
  const Entry* entry = tables_->look_up(id);
  return entry == nullptr ? nullptr : entry->find();
}

Status DeviceRegistry::retry(const DeviceId& id) {
  if (id.is_host()) return {};
  Entry* entry = tables_->look_up(id);
  return entry == nullptr ? not_found(id) : open(*entry, true).status();
}

Status DeviceRegistry::open_all() {
  Status first_failure;
  for (Entry* entry = tables_->first.load(std::memory_order_acquire); entry != nullptr;
       entry = entry->next.load(std::memory_order_acquire)) {
    Status status = open(*entry, false).status();
    if (entry->required && first_failure.ok()) first_failure = std::move(status);
  }
  return first_failure;
}

std::vector<DeviceId> DeviceRegistry::ids() const {
  std::vector<DeviceId> all{DeviceId{}};
  for (const Entry* entry = tables_->first.load(std::memory_order_acquire); entry != nullptr;
       entry = entry->next.load(std::memory_order_acquire)) {
    all.push_back(entry->id);
  }
  return all;
}

std::vector<DeviceRegistry::LeakReport> DeviceRegistry::leaks() const {
  std::vector<LeakReport> reports;
  std::vector<std::shared_ptr<Device>> seen;  // a fallback and the device it leads to are one
  for (const DeviceId& id : ids()) {
    const auto device = find_open(id);
    if (device == nullptr) continue;
    const auto same = [&](const auto& other) { return other->same_state(*device); };
    if (std::any_of(seen.begin(), seen.end(), same)) continue;
    seen.push_back(device);
    auto usage = device->usage();
    if (!usage.empty()) reports.push_back({.id = id, .served_by = device->served_by(), .usage = std::move(usage)});
  }
  return reports;
}

}  // namespace berth
