// HostDriver: the process's own memory as a device. Address and host pointer are the same number; the handle is what
// malloc gave, which lies a little before the address where that had to be aligned.
#pragma once

#include "berth/core/device_driver.h"

namespace berth::detail {

class HostDriver final : public DeviceDriver {
 public:
  HostDriver();

  [[nodiscard]] const DeviceProperties& properties() const noexcept override { return properties_; }
  Status allocate(const AllocationRequest& request, MemoryBlock& out) noexcept override;
  Status free(const MemoryBlock& block) noexcept override;
  Status copy_to_device(const MemoryBlock& target, std::uint64_t offset, const void* source,
                        std::uint64_t bytes) noexcept override;
  Status copy_to_host(void* target, const MemoryBlock& source, std::uint64_t offset,
                      std::uint64_t bytes) noexcept override;
  Status copy_within(const MemoryBlock& target, std::uint64_t target_offset, const MemoryBlock& source,
                     std::uint64_t source_offset, std::uint64_t bytes) noexcept override;
  Status fill(const MemoryBlock& target, std::uint64_t offset, std::uint64_t bytes,
              std::uint8_t value) noexcept override;
  Status memory_info(std::uint32_t heap, MemoryInfo& out) noexcept override;
  Status allocate_staging(std::uint64_t bytes, void*& out_data) noexcept override;
  Status free_staging(void* data) noexcept override;
  Status map(const MemoryBlock& block, std::uint64_t offset, std::uint64_t bytes, bool read, bool write,
             void*& out_data) noexcept override;
  Status unmap(void* data) noexcept override;
  Status native(NativeHandle& out) noexcept override;
  Status native(const MemoryBlock& block, NativeHandle& out) noexcept override;

 private:
  DeviceProperties properties_;
};

}  // namespace berth::detail
