#include "instance.h"

#include <algorithm>
#include <utility>

namespace berth::mock {

Instance::Instance(InstanceOptions options, const berth_host& host, void* host_data)
    : options_(std::move(options)),
      host_(host),
      host_data_(host_data),
      watched_(options_.faults.watched() | options_.latency.watched()) {
  for (std::uint32_t i = 0; i < options_.devices; ++i)
    ordinals_.push_back(std::make_unique<Ordinal>(i, options_.heaps.size()));
}

Fault Instance::attend(Function function, std::uint32_t ordinal, std::uint64_t bytes) {
  options_.latency.spend(function);
  Fault fault = options_.faults.next(function, ordinal, bytes);
  if (fault.effect != Effect::kNone) log(BERTH_LOG_DEBUG, fault.message);
  return fault;
}

berth_code Instance::enter(Function function, std::uint32_t ordinal, berth_error* error) {
  if ((watched_ & bit(function)) == 0) return BERTH_OK;
  const Fault fault = attend(function, ordinal, 0);
  return fault.effect == Effect::kFail ? write_fault(fault, error) : BERTH_OK;
}

Ordinal* Instance::ordinal(std::uint32_t index, berth_error* error) {
  if (index < ordinals_.size()) return ordinals_[index].get();
  berth_fail(error, BERTH_INVALID_ARGUMENT, "there is no device %" PRIu32 "; this instance has %zu", index,
             ordinals_.size());
  return nullptr;
}

void Instance::describe(std::uint32_t index, berth_device_description& out) const {
  out = {};
  // The mock computes nothing, so it is not the kind of software device that a user must allow first.
  out.flags = (options_.software ? BERTH_DEVICE_SOFTWARE : 0) | (options_.integrated ? BERTH_DEVICE_INTEGRATED : 0);
  if ((options_.known_figures & BERTH_INFO_TOTAL) != 0) {
    out.flags |= BERTH_DEVICE_TOTAL_KNOWN;
    for (const std::uint64_t heap : options_.heaps) out.total_bytes += heap;
  }
  const Uuid uuid =
      options_.uuid_base ? uuid_of(*options_.uuid_base, index) : derived_uuid(options_.device_name, index);
  std::copy(uuid.begin(), uuid.end(), out.uuid);
  out.uuid_quality = options_.uuid_base ? BERTH_IDENTITY_EXACT : BERTH_IDENTITY_DERIVED;
  if (options_.pci_base) {
    berth_set_text(out.pci, sizeof(out.pci), pci_of(*options_.pci_base, index).c_str());
    out.pci_quality = BERTH_IDENTITY_EXACT;
  }
  berth_set_text(out.name, sizeof(out.name), options_.device_name.c_str());
  berth_set_text(out.driver, sizeof(out.driver), "none, host memory");
}

berth_code write_fault(const Fault& fault, berth_error* error) {
  std::uint32_t flags = 0;
  if (fault.code == BERTH_DEVICE_LOST) flags |= BERTH_ERROR_DEVICE_UNUSABLE;
  if (fault.code == BERTH_EARLIER_WORK) flags |= BERTH_ERROR_EARLIER_WORK;
  if (BERTH_CLASS_OF(fault.code) == BERTH_CLASS_RESOURCE) flags |= BERTH_ERROR_RETRYABLE;
  return berth_fail_native(error, fault.code, flags, fault.native_code, "%s", fault.message.c_str());
}

}  // namespace berth::mock
