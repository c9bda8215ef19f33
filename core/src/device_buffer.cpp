#include "berth/core/device_buffer.h"

#include <utility>

#include "device_state.h"
#include "native.h"
#include "text.h"
#include "transfer.h"

namespace berth {

Result<DeviceBuffer> DeviceBuffer::allocate(const std::shared_ptr<Device>& device, const AllocationRequest& request,
                                            Owner owner) {
  if (device == nullptr) {
    return fail({.code = Code::kInvalidArgument,
                 .origin = Origin::kUsage,
                 .where = "DeviceBuffer::allocate",
                 .what = "there is no device"});
  }
  Result<DeviceBuffer> result;
  DeviceBuffer& buffer = *result;
  if (Status status =
          device->state()->allocate(device->id(), request, owner, detail::Entry::kBuffer, buffer.block_, buffer.slot_);
      !status.ok()) {
    return fail(std::move(status));
  }
  buffer.bytes_ = request.bytes;
  buffer.device_ = device;
  return result;
}

void DeviceBuffer::free_quietly() noexcept { (void)device_->state()->free(device_->id(), slot_, block_, bytes_); }

Status DeviceBuffer::release() {
  if (device_ == nullptr) return {};
  const std::shared_ptr<Device> device = std::move(device_);
  detail::DeviceState& state = *device->state();
  const std::uint64_t bytes = bytes_;
  const Status status = state.free(device->id(), slot_, block_, bytes);
  forget();
  if (status.ok() || !state.usable()) return status;
  return state.failed(device->id(), status, state.label(device->id()) + ", free of " + detail::bytes_text(bytes));
}

std::byte* DeviceBuffer::host_data() const noexcept {
  if (device_ == nullptr || !device_->is_host() || !block_.has_address) return nullptr;
  return reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(block_.address));
}

Status DeviceBuffer::write(std::uint64_t offset, const void* source, std::uint64_t bytes) {
  BERTH_RETURN_IF_ERROR(detail::check_range(*this, detail::kToDevice, offset, bytes));
  if (bytes == 0) return {};
  BERTH_RETURN_IF_ERROR(detail::check_host_pointer(*this, detail::kToDevice, source, bytes));
  BERTH_RETURN_IF_ERROR(device_->state()->check_usable(device_->id()));
  const Status status = device_->state()->driver().copy_to_device(block_, offset, source, bytes);
  return status.ok() ? status : detail::transfer_failure(*this, detail::kToDevice, bytes, status);
}

Status DeviceBuffer::read(std::uint64_t offset, void* target, std::uint64_t bytes) const {
  BERTH_RETURN_IF_ERROR(detail::check_range(*this, detail::kToHost, offset, bytes));
  if (bytes == 0) return {};
  BERTH_RETURN_IF_ERROR(detail::check_host_pointer(*this, detail::kToHost, target, bytes));
  BERTH_RETURN_IF_ERROR(device_->state()->check_usable(device_->id()));
  const Status status = device_->state()->driver().copy_to_host(target, block_, offset, bytes);
  return status.ok() ? status : detail::transfer_failure(*this, detail::kToHost, bytes, status);
}

Status DeviceBuffer::copy_from(std::uint64_t offset, const DeviceBuffer& source, std::uint64_t source_offset,
                               std::uint64_t bytes) {
  BERTH_RETURN_IF_ERROR(detail::check_range(*this, detail::kToDevice, offset, bytes));
  BERTH_RETURN_IF_ERROR(detail::check_range(source, detail::kFromDevice, source_offset, bytes));
  if (bytes == 0) return {};
  BERTH_RETURN_IF_ERROR(detail::check_apart(*this, offset, source, source_offset, bytes));
  BERTH_RETURN_IF_ERROR(source.device_->state()->check_usable(source.device_->id()));
  BERTH_RETURN_IF_ERROR(device_->state()->check_usable(device_->id()));
  return detail::copy_between(*this, offset, source, source_offset, bytes);
}

Status DeviceBuffer::fill(std::uint64_t offset, std::uint64_t bytes, std::uint8_t value) {
  BERTH_RETURN_IF_ERROR(detail::check_range(*this, detail::kFill, offset, bytes));
  if (bytes == 0) return {};
  BERTH_RETURN_IF_ERROR(device_->state()->check_usable(device_->id()));
  return detail::fill_range(*this, offset, bytes, value);
}

Result<NativeHandle> DeviceBuffer::native() const {
  if (device_ == nullptr || bytes_ == 0) {
    return fail({.code = Code::kFailedPrecondition,
                 .origin = Origin::kUsage,
                 .where = detail::transfer_label(*this, {"native handle", ""}, bytes_),
                 .what = "a buffer without bytes has no native handle"});
  }
  detail::DeviceState& state = *device_->state();
  BERTH_FAIL_IF_ERROR(state.check_usable(device_->id()));
  return detail::native_handle(state, device_->id(), "the buffer",
                               [&](NativeHandle& out) { return state.driver().native(block_, out); });
}

}  // namespace berth
