// DeviceDriver: the layer under Device, one object for each open device. The loader implements it over a plugin's
// function table, HostDriver over the process's own memory, tests over whatever they need.
//
// Nothing here checks the driver or the caller: Device does (guard, budget, ledger). Device guarantees to a driver what
// ABI.md section 5 lists: blocks live and belong to this device, ranges in bounds, no overlap in copy_within or maps,
// no free while mapped, zero-byte operations never arrive, one thread at a time for each queue.
//
// Thread rules: every function may be called from any thread at once, except those of one DriverQueue. No function
// throws. Sizes and offsets are bytes.
#pragma once

#include <cstdint>
#include <memory>

#include "berth/core/api.h"
#include "berth/core/device_properties.h"
#include "berth/core/memory_block.h"
#include "berth/core/native_handle.h"
#include "berth/core/status.h"

namespace berth {

class DriverQueue;

// Completion of what was submitted to a queue before it was recorded. May outlive its queue, never its device.
class BERTH_API DriverEvent {
 public:
  virtual ~DriverEvent() = default;
  // Blocks until done; kTimeout after `timeout_ns` (0 polls, UINT64_MAX is for ever); kEarlierWork if queued work
  // failed.
  virtual Status wait(std::uint64_t timeout_ns) noexcept = 0;
  // `out_done` false while work is pending; a failure of the queued work is the returned Status.
  virtual Status query(bool& out_done) noexcept = 0;
};

// An ordered stream of work. Host operands are read and written in queue order and must live until a later event is
// done.
class BERTH_API DriverQueue {
 public:
  virtual ~DriverQueue() = default;  // waits for its work
  virtual Status copy_to_device(const MemoryBlock& target, std::uint64_t offset, const void* source,
                                std::uint64_t bytes) noexcept = 0;
  virtual Status copy_to_host(void* target, const MemoryBlock& source, std::uint64_t offset,
                              std::uint64_t bytes) noexcept = 0;
  virtual Status copy_within(const MemoryBlock& target, std::uint64_t target_offset, const MemoryBlock& source,
                             std::uint64_t source_offset, std::uint64_t bytes) noexcept = 0;
  virtual Status fill(const MemoryBlock& target, std::uint64_t offset, std::uint64_t bytes,
                      std::uint8_t value) noexcept = 0;
  virtual Status record(std::unique_ptr<DriverEvent>& out) noexcept = 0;
  // Whether wait(event) works without the host's help.
  virtual bool can_wait(const DriverEvent& event) noexcept = 0;
  virtual Status wait(const DriverEvent& event) noexcept = 0;
  virtual Status synchronize() noexcept = 0;
  virtual Status native(NativeHandle& out) noexcept = 0;
};

class BERTH_API DeviceDriver {
 public:
  virtual ~DeviceDriver() = default;  // closes the device; nothing of it is live any more

  // Constant while the driver lives.
  [[nodiscard]] virtual const DeviceProperties& properties() const noexcept = 0;

  virtual Status allocate(const AllocationRequest& request, MemoryBlock& out) noexcept = 0;
  virtual Status free(const MemoryBlock& block) noexcept = 0;  // always consumes the handle
  virtual Status copy_to_device(const MemoryBlock& target, std::uint64_t offset, const void* source,
                                std::uint64_t bytes) noexcept = 0;
  virtual Status copy_to_host(void* target, const MemoryBlock& source, std::uint64_t offset,
                              std::uint64_t bytes) noexcept = 0;

  // Optional, by properties().capabilities. The defaults answer kUnsupported.
  virtual Status copy_within(const MemoryBlock& target, std::uint64_t target_offset, const MemoryBlock& source,
                             std::uint64_t source_offset, std::uint64_t bytes) noexcept;
  virtual Status fill(const MemoryBlock& target, std::uint64_t offset, std::uint64_t bytes,
                      std::uint8_t value) noexcept;
  virtual Status memory_info(std::uint32_t heap, MemoryInfo& out) noexcept;
  virtual Status allocate_staging(std::uint64_t bytes, void*& out_data) noexcept;
  virtual Status free_staging(void* data) noexcept;
  virtual Status create_queue(std::unique_ptr<DriverQueue>& out) noexcept;
  virtual Status allocate_on(DriverQueue& queue, const AllocationRequest& request, MemoryBlock& out) noexcept;
  virtual Status free_on(DriverQueue& queue, const MemoryBlock& block) noexcept;
  // Whether copy_peer to `target_device` moves bytes without the host. Devices of other drivers: false.
  virtual Status can_access_peer(DeviceDriver& target_device, bool& out) noexcept;
  virtual Status copy_peer(DeviceDriver& target_device, const MemoryBlock& target, std::uint64_t target_offset,
                           const MemoryBlock& source, std::uint64_t source_offset, std::uint64_t bytes) noexcept;
  virtual Status map(const MemoryBlock& block, std::uint64_t offset, std::uint64_t bytes, bool read, bool write,
                     void*& out_data) noexcept;
  virtual Status unmap(void* data) noexcept;
  virtual Status native(NativeHandle& out) noexcept;                            // of the device
  virtual Status native(const MemoryBlock& block, NativeHandle& out) noexcept;  // of one block
};

}  // namespace berth
