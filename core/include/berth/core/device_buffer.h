// DeviceBuffer: move-only owner of one allocation on one device. It holds a counted reference to its device, which
// holds the plugin, so that any order of destruction is right.
//
// The destructor frees and never fails loudly: a free that the driver refuses is counted and listed as stranded
// (Device::statistics, Device::usage). release() does the same and returns the Status.
//
// Thread rules: distinct buffers are independent; one buffer is like any non-atomic object. Offsets and sizes are
// bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "berth/core/api.h"
#include "berth/core/device.h"
#include "berth/core/memory_block.h"
#include "berth/core/native_handle.h"
#include "berth/core/owner.h"
#include "berth/core/result.h"

namespace berth {

class BERTH_API DeviceBuffer {
 public:
  DeviceBuffer() noexcept = default;  // empty: owns nothing, frees nothing

  // `request.bytes` on `device`, uninitialised. Zero bytes succeed on a full device too. Errors name device, bytes and
  // the plugin's own text:
  //   kInvalidArgument     alignment not a power of two or above the kind's maximum, kind unknown
  //   kLimitExceeded       the registry file's `limit` would be exceeded
  //   kOutOfDeviceMemory, kAllocationTooLarge, kTooManyAllocations, kOutOfHostMemory, kDeviceLost, ... from the driver
  //   kPluginFault         the driver answered success with an impossible block (rule id in the Status)
  //   kFailedPrecondition  in a forked child
  [[nodiscard]] static Result<DeviceBuffer> allocate(const std::shared_ptr<Device>& device,
                                                     const AllocationRequest& request, Owner owner = {});

  DeviceBuffer(DeviceBuffer&& other) noexcept
      : device_(std::move(other.device_)), block_(other.block_), bytes_(other.bytes_), slot_(other.slot_) {
    other.forget();
  }
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    if (this == &other) return *this;
    if (device_ != nullptr) free_quietly();
    device_ = std::move(other.device_);
    block_ = other.block_;
    bytes_ = other.bytes_;
    slot_ = other.slot_;
    other.forget();
    return *this;
  }
  ~DeviceBuffer() {
    if (device_ != nullptr) free_quietly();
  }

  [[nodiscard]] bool empty() const noexcept { return device_ == nullptr; }
  [[nodiscard]] const std::shared_ptr<Device>& device() const noexcept { return device_; }
  // Bytes asked for; block().size may be larger.
  [[nodiscard]] std::uint64_t size() const noexcept { return bytes_; }
  [[nodiscard]] const MemoryBlock& block() const noexcept { return block_; }
  // The bytes themselves, only for buffers of the built-in host device; null for every other device.
  [[nodiscard]] std::byte* host_data() const noexcept;

  // Copies; each returns when the bytes have arrived. kInvalidArgument when the range leaves the buffer (nothing is
  // copied); otherwise the driver's failure, with device, direction and bytes.
  Status write(std::uint64_t offset, const void* source, std::uint64_t bytes);
  Status read(std::uint64_t offset, void* target, std::uint64_t bytes) const;
  // From any buffer on any device: within the device, from peer to peer, or through the host, whatever works. Ranges of
  // one buffer must not overlap (kInvalidArgument).
  Status copy_from(std::uint64_t offset, const DeviceBuffer& source, std::uint64_t source_offset, std::uint64_t bytes);
  // Sets each byte to `value`; emulated where the driver cannot.
  Status fill(std::uint64_t offset, std::uint64_t bytes, std::uint8_t value);

  [[nodiscard]] Result<NativeHandle> native() const;

  // Frees now. The buffer is empty afterwards whatever the answer; a failed free is stranded.
  Status release();

 private:
  void free_quietly() noexcept;
  void forget() noexcept {
    block_ = {};
    bytes_ = 0;
    slot_ = 0;
  }

  std::shared_ptr<Device> device_;
  MemoryBlock block_;
  std::uint64_t bytes_ = 0;
  std::uint32_t slot_ = 0;  // the ledger's entry
};

}  // namespace berth
