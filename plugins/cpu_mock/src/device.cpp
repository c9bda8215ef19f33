#include "device.h"

#include <algorithm>

namespace berth::mock {

Device::Device(Instance& instance, Ordinal& ordinal, const DeviceOptions& options)
    : instance_(instance),
      ordinal_(ordinal),
      generation_(ordinal.generation()),
      watched_(instance.watched() | missing_functions(instance.options().capabilities)),
      kinds_(instance.options().kinds),
      heaps_(instance.options().heaps),
      max_allocations_(std::min(instance.options().max_allocations, options.max_allocations)),
      pinned_capacity_(std::min(instance.options().pinned_capacity, options.pinned_capacity)) {
  for (std::uint64_t& heap : heaps_) heap = std::min(heap, options.capacity);
  // No block can be larger than its heap, whatever the options say.
  for (Kind& kind : kinds_) kind.max_allocation = std::min(kind.max_allocation, heaps_[kind.heap]);
  instance_.count_open(+1);
}

Device::~Device() { instance_.count_open(-1); }

berth_code Device::check_usable(Function function, berth_error* error) const {
  if (lost() && (kSurvivesLoss & bit(function)) == 0)
    return berth_fail_native(error, BERTH_DEVICE_LOST, BERTH_ERROR_DEVICE_UNUSABLE, 0,
                             "device %" PRIu32 " is lost; close it and open it again", ordinal_.index());
  const std::uint64_t missing = needed_capabilities(function) & ~instance_.options().capabilities;
  if (missing == 0) return BERTH_OK;
  return berth_fail(error, BERTH_UNSUPPORTED, "device %" PRIu32 " lacks the capability %s", ordinal_.index(),
                    capability_name(missing).data());
}

berth_code Device::attend(Function function, std::uint64_t bytes, berth_error* error, Effect* effect) {
  if (const berth_code code = check_usable(function, error); code != BERTH_OK) return code;
  if (lost() || (instance_.watched() & bit(function)) == 0) return BERTH_OK;
  const Fault fault = instance_.attend(function, ordinal_.index(), bytes);
  if (effect != nullptr) *effect = fault.effect;
  if (fault.effect != Effect::kFail) return BERTH_OK;
  if (fault.code == BERTH_DEVICE_LOST) {
    ordinal_.lose();
    if ((kSurvivesLoss & bit(function)) != 0) return BERTH_OK;
  }
  return write_fault(fault, error);
}

berth_code Device::check_no_children(berth_error* error) {
  const std::uint64_t blocks = ordinal_.read(blocks_);
  const std::lock_guard lock(mutex_);
  if (blocks == 0 && queues_ == 0 && pinned_.empty() && maps_.empty()) return BERTH_OK;
  return berth_fail(error, BERTH_FAILED_PRECONDITION,
                    "device %" PRIu32 " can't close: %" PRIu64
                    " memories, %zu staging blocks, %d queues and %zu maps "
                    "are alive",
                    ordinal_.index(), blocks, pinned_.size(), queues_, maps_.size());
}

void Device::properties(berth_device_properties& out) const {
  const InstanceOptions& options = instance_.options();
  out = {};
  out.capabilities = options.capabilities;
  out.kind_count = static_cast<std::uint32_t>(kinds_.size());
  out.heap_count = static_cast<std::uint32_t>(heaps_.size());
  out.max_allocations = max_allocations_;
  out.copy_alignment = options.copy_alignment;
  out.bind_alignment = options.bind_alignment;
  out.max_bind_size = options.max_bind_size;
  out.map_granularity = options.map_granularity;
}

void Device::count_queues(int change) {
  const std::lock_guard lock(mutex_);
  queues_ += change;
}

Event* Device::add_event(std::shared_ptr<EventState> state) {
  auto event = std::make_unique<Event>(Event{this, std::move(state)});
  Event* const key = event.get();
  const std::lock_guard lock(mutex_);
  events_.emplace(key, std::move(event));
  return key;
}

void Device::remove_event(Event* event) {
  const std::lock_guard lock(mutex_);
  events_.erase(event);
}

}  // namespace berth::mock
