// Queues and events of a plugin behind the core's DriverQueue and DriverEvent.
#pragma once

#define BERTH_HOST
#include <berth/plugin.h>

#include <memory>

#include "berth/core/device_driver.h"
#include "plugin/plugin_instance.h"

namespace berth::loader::detail {

class PluginEvent final : public DriverEvent {
 public:
  PluginEvent(std::shared_ptr<PluginInstance> instance, berth_event* event) noexcept;
  ~PluginEvent() override;
  PluginEvent(const PluginEvent&) = delete;
  PluginEvent& operator=(const PluginEvent&) = delete;
  Status wait(std::uint64_t timeout_ns) noexcept override;
  Status query(bool& out_done) noexcept override;
  [[nodiscard]] berth_event* handle() const noexcept { return event_; }
  [[nodiscard]] const PluginInstance* instance() const noexcept { return instance_.get(); }

 private:
  std::shared_ptr<PluginInstance> instance_;
  berth_event* event_;
};

class PluginQueue final : public DriverQueue {
 public:
  PluginQueue(std::shared_ptr<PluginInstance> instance, berth_queue* queue, const berth_native* native) noexcept;
  ~PluginQueue() override;
  PluginQueue(const PluginQueue&) = delete;
  PluginQueue& operator=(const PluginQueue&) = delete;
  Status copy_to_device(const MemoryBlock& target, std::uint64_t offset, const void* source,
                        std::uint64_t bytes) noexcept override;
  Status copy_to_host(void* target, const MemoryBlock& source, std::uint64_t offset,
                      std::uint64_t bytes) noexcept override;
  Status copy_within(const MemoryBlock& target, std::uint64_t target_offset, const MemoryBlock& source,
                     std::uint64_t source_offset, std::uint64_t bytes) noexcept override;
  Status fill(const MemoryBlock& target, std::uint64_t offset, std::uint64_t bytes,
              std::uint8_t value) noexcept override;
  Status record(std::unique_ptr<DriverEvent>& out) noexcept override;
  bool can_wait(const DriverEvent& event) noexcept override;
  Status wait(const DriverEvent& event) noexcept override;
  Status synchronize() noexcept override;
  Status native(NativeHandle& out) noexcept override;
  [[nodiscard]] berth_queue* handle() const noexcept { return queue_; }

 private:
  [[nodiscard]] const berth_queue_group& group() const noexcept { return *instance_->plugin().table().queue; }
  [[nodiscard]] const std::string& who() const noexcept { return instance_->plugin().who(); }
  std::shared_ptr<PluginInstance> instance_;
  berth_queue* queue_;
  const berth_native* native_;
};

}  // namespace berth::loader::detail
