#include "berth/core/device.h"

#include "device_state.h"
#include "native.h"

namespace berth {

Device::Device(DeviceId id, ServedBy served_by, std::shared_ptr<detail::DeviceState> state)
    : id_(std::move(id)), served_by_(std::move(served_by)), state_(std::move(state)) {}

Device::~Device() = default;

std::shared_ptr<Device> Device::create(DeviceOptions options, std::unique_ptr<DeviceDriver> driver) {
  return create(std::move(options), std::move(driver), nullptr);
}

std::shared_ptr<Device> Device::create(DeviceOptions options, std::unique_ptr<DeviceDriver> driver,
                                       std::shared_ptr<void> keep_alive) {
  if (driver == nullptr) return nullptr;
  DeviceId id = options.id;
  ServedBy served_by = options.served_by;
  auto state = std::make_shared<detail::DeviceState>(std::move(options), std::move(driver), std::move(keep_alive));
  return std::shared_ptr<Device>(new Device(std::move(id), std::move(served_by), std::move(state)));
}

std::shared_ptr<Device> Device::alias(DeviceId id, std::string reason) const {
  ServedBy served_by = served_by_;
  served_by.reason = std::move(reason);
  return std::shared_ptr<Device>(new Device(std::move(id), std::move(served_by), state_));
}

const DeviceId& Device::id() const noexcept { return id_; }
const PhysicalIdentity& Device::identity() const noexcept { return state_->options().identity; }
const ServedBy& Device::served_by() const noexcept { return served_by_; }
const DeviceProperties& Device::properties() const noexcept { return state_->properties(); }
std::optional<std::uint64_t> Device::limit() const noexcept { return state_->options().limit; }
bool Device::is_host() const noexcept { return state_->options().is_host; }
bool Device::same_hardware(const Device& other) const noexcept { return identity().key == other.identity().key; }
bool Device::lost() const noexcept { return state_->lost(); }
bool Device::same_state(const Device& other) const noexcept { return state_ == other.state_; }

OwnerId Device::intern_owner(std::string_view name) { return state_->intern_owner(name); }
Result<MemoryInfo> Device::memory_info(std::uint32_t heap) const { return state_->memory_info(id_, heap); }
DeviceStatistics Device::statistics() const { return state_->statistics(); }
std::vector<OwnerUsage> Device::usage() const { return state_->usage(); }
std::vector<std::string> Device::notices() const { return state_->notices(); }

Result<NativeHandle> Device::native() const {
  BERTH_FAIL_IF_ERROR(state_->check_usable(id_));
  return detail::native_handle(*state_, id_, "the device",
                               [&](NativeHandle& out) { return state_->driver().native(out); });
}

Result<MemoryBlock> Device::allocate_address(const AllocationRequest& request, Owner owner) {
  if (const auto& kinds = properties().kinds; request.kind < kinds.size() && !kinds[request.kind].has_address) {
    return fail({.code = Code::kUnsupported,
                 .origin = Origin::kDevice,
                 .where = state_->label(id_),
                 .what = "kind " + std::to_string(request.kind) + " of this device has no addresses",
                 .next_step = "use DeviceBuffer, which needs none"});
  }
  MemoryBlock block;
  std::uint32_t slot = 0;
  BERTH_FAIL_IF_ERROR(state_->allocate(id_, request, owner, detail::Entry::kRawAddress, block, slot));
  return block;
}

Status Device::free_address(std::uint64_t address) { return state_->free_address(id_, address); }

}  // namespace berth
