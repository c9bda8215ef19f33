// PluginDriver: an open device of a plugin behind the core's DeviceDriver. A thin translation: what it is asked goes to
// the table, what comes back becomes a Status. The first use of each kind of function runs under a ProcessStateGuard,
// because drivers set themselves up late.
#pragma once

#define BERTH_HOST
#include <berth/plugin.h>

#include <atomic>
#include <memory>
#include <string>

#include "berth/core/device_driver.h"
#include "berth/core/result.h"
#include "plugin/plugin_instance.h"

namespace berth::loader::detail {

class PluginDriver final : public DeviceDriver {
 public:
  // Takes `device` over, reads its properties and extensions; closes it on failure.
  [[nodiscard]] static Result<std::unique_ptr<DeviceDriver>> adopt(std::shared_ptr<PluginInstance> instance,
                                                                   berth_device* device);
  ~PluginDriver() override;  // closes the device, except where the instance is abandoned
  PluginDriver(const PluginDriver&) = delete;
  PluginDriver& operator=(const PluginDriver&) = delete;

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
  Status create_queue(std::unique_ptr<DriverQueue>& out) noexcept override;
  Status allocate_on(DriverQueue& queue, const AllocationRequest& request, MemoryBlock& out) noexcept override;
  Status free_on(DriverQueue& queue, const MemoryBlock& block) noexcept override;
  Status can_access_peer(DeviceDriver& target_device, bool& out) noexcept override;
  Status copy_peer(DeviceDriver& target_device, const MemoryBlock& target, std::uint64_t target_offset,
                   const MemoryBlock& source, std::uint64_t source_offset, std::uint64_t bytes) noexcept override;
  Status map(const MemoryBlock& block, std::uint64_t offset, std::uint64_t bytes, bool read, bool write,
             void*& out_data) noexcept override;
  Status unmap(void* data) noexcept override;
  Status native(NativeHandle& out) noexcept override;
  Status native(const MemoryBlock& block, NativeHandle& out) noexcept override;

 private:
  enum FirstUse : unsigned { kAllocate = 1, kCopy = 2, kQueue = 4 };

  PluginDriver(std::shared_ptr<PluginInstance> instance, berth_device* device);
  Status read_device();
  Status take_block(const berth_memory& memory, const char* function, MemoryBlock& out) noexcept;
  // Runs `call`, guarded if it is the first of its kind (guard_first.h).
  template <typename Call>
  Status guard_first(FirstUse use, const char* function, Call&& call) noexcept;
  [[nodiscard]] bool has(Capability capability) const noexcept { return properties_.can(capability); }
  [[nodiscard]] const berth_table& table() const noexcept { return *table_; }
  [[nodiscard]] const std::string& who() const noexcept { return instance_->plugin().who(); }

  std::shared_ptr<PluginInstance> instance_;
  const berth_table* table_;  // of the plugin, which lives as long as the instance
  berth_device* device_;
  const berth_native* native_ = nullptr;
  DeviceProperties properties_;
  std::atomic<unsigned> used_{0};  // FirstUse bits that are over
};

// The ABI's and the core's names of a block.
[[nodiscard]] berth_memory to_abi(const MemoryBlock& block) noexcept;
[[nodiscard]] Status read_native(const std::string& who, const berth_native_object& object, NativeHandle& out) noexcept;

}  // namespace berth::loader::detail
