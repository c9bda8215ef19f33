// FakeDriver: a device in host memory that keeps the rules of DeviceDriver, counts its calls, and fails or lies as a
// test asks. The FakeControl that a test keeps outlives the driver, so that it can tell what was left at close.
//
//   auto control = std::make_shared<FakeControl>();
//   auto device = make_fake_device(control, "fake:0");
//   control->before = [](FakeCall call) { return call == FakeCall::kFree ? fake_failure("stuck") : Status(); };
//
// Thread rules: the driver may be called from any thread at once; the hooks and switches of a FakeControl are set while
// no other thread uses the device. Needs berth::core.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "berth/core/device.h"
#include "berth/core/device_driver.h"
#include "berth/test/fake_control.h"

namespace berth::test {

class FakeDriver final : public DeviceDriver {
 public:
  explicit FakeDriver(std::shared_ptr<FakeControl> control) : control_(std::move(control)) {
    properties_.capabilities = control_->capabilities;
    properties_.bind_alignment = control_->bind_alignment;
    MemoryKind kind;
    kind.device_local = true;
    kind.host_visible = true;
    kind.has_address = control_->has_addresses;
    kind.min_alignment = 64;
    kind.max_alignment = 4096;
    properties_.kinds.push_back(kind);
    MemoryHeap heap;
    heap.device_local = true;
    if (control_->capacity != UINT64_MAX) heap.total = control_->capacity;
    properties_.heaps.push_back(heap);
  }
  ~FakeDriver() override {
    control_->live_at_close = control_->live_blocks.load();
    control_->closed = true;
  }

  [[nodiscard]] const DeviceProperties& properties() const noexcept override { return properties_; }

  Status allocate(const AllocationRequest& request, MemoryBlock& out) noexcept override {
    if (Status status = enter(FakeCall::kAllocate); !status.ok()) return status;
    const std::lock_guard lock(mutex_);
    if (request.bytes > kMostBytes || request.bytes > control_->capacity - control_->live_bytes) {
      return fake_failure("the fake device is full", Code::kOutOfDeviceMemory, 2);
    }
    Memory memory(new (std::align_val_t(kAlign)) std::byte[request.bytes], Deleter{});
    std::memset(memory.get(), 0xFF, request.bytes);
    out.handle = ++last_handle_;
    out.size = request.bytes;
    out.kind = request.kind;
    out.has_address = control_->has_addresses;
    out.address = control_->has_addresses ? reinterpret_cast<std::uintptr_t>(memory.get()) : 0;
    memory_[out.handle] = {std::move(memory), request.bytes};
    ++control_->live_blocks;
    control_->live_bytes += request.bytes;
    if (control_->alter_block) control_->alter_block(request, out);
    return {};
  }

  Status free(const MemoryBlock& block) noexcept override {
    if (Status status = enter(FakeCall::kFree); !status.ok()) return status;
    const std::lock_guard lock(mutex_);
    const auto found = memory_.find(block.handle);
    if (found == memory_.end()) return fake_failure("the fake device knows no such handle");
    --control_->live_blocks;
    control_->live_bytes -= found->second.bytes;
    memory_.erase(found);
    return {};
  }

  Status copy_to_device(const MemoryBlock& target, std::uint64_t offset, const void* source,
                        std::uint64_t bytes) noexcept override {
    if (Status status = enter(FakeCall::kToDevice); !status.ok()) return status;
    std::memcpy(data(target) + offset, source, bytes);
    return {};
  }
  Status copy_to_host(void* target, const MemoryBlock& source, std::uint64_t offset,
                      std::uint64_t bytes) noexcept override {
    if (Status status = enter(FakeCall::kToHost); !status.ok()) return status;
    std::memcpy(target, data(source) + offset, bytes);
    return {};
  }
  Status copy_within(const MemoryBlock& target, std::uint64_t target_offset, const MemoryBlock& source,
                     std::uint64_t source_offset, std::uint64_t bytes) noexcept override {
    if (Status status = enter(FakeCall::kWithin); !status.ok()) return status;
    std::memcpy(data(target) + target_offset, data(source) + source_offset, bytes);
    return {};
  }
  Status fill(const MemoryBlock& target, std::uint64_t offset, std::uint64_t bytes,
              std::uint8_t value) noexcept override {
    if (Status status = enter(FakeCall::kFill); !status.ok()) return status;
    std::memset(data(target) + offset, value, bytes);
    return {};
  }
  Status memory_info(std::uint32_t, MemoryInfo& out) noexcept override {
    if (Status status = enter(FakeCall::kInfo); !status.ok()) return status;
    out = {};
    if (control_->capacity != UINT64_MAX) {
      out.total = control_->capacity;
      out.free = control_->capacity - control_->live_bytes;
    }
    if (control_->alter_info) control_->alter_info(out);
    return {};
  }
  Status create_queue(std::unique_ptr<DriverQueue>& out) noexcept override;
  Status can_access_peer(DeviceDriver& target_device, bool& out) noexcept override {
    if (Status status = enter(FakeCall::kAskPeer); !status.ok()) return status;
    out = control_->peers && dynamic_cast<FakeDriver*>(&target_device) != nullptr;
    return {};
  }
  Status copy_peer(DeviceDriver& target_device, const MemoryBlock& target, std::uint64_t target_offset,
                   const MemoryBlock& source, std::uint64_t source_offset, std::uint64_t bytes) noexcept override {
    if (Status status = enter(FakeCall::kPeerCopy); !status.ok()) return status;
    if (control_->peer_moves_nothing) return {};
    auto& other = dynamic_cast<FakeDriver&>(target_device);
    std::memcpy(other.data(target) + target_offset, data(source) + source_offset, bytes);
    return {};
  }
  Status native(NativeHandle& out) noexcept override { return answer_native(out, 1); }
  Status native(const MemoryBlock& block, NativeHandle& out) noexcept override {
    return answer_native(out, block.handle);
  }

  // For the fake's queue.
  Status enter(FakeCall call) noexcept {
    ++control_->counts[static_cast<std::size_t>(call)];
    return control_->before ? control_->before(call) : Status();
  }
  std::byte* data(const MemoryBlock& block) {
    const std::lock_guard lock(mutex_);
    return memory_.at(block.handle).data.get();
  }
  [[nodiscard]] const std::shared_ptr<FakeControl>& control() const { return control_; }
  Status answer_native(NativeHandle& out, std::uint64_t value) noexcept {
    if (Status status = enter(FakeCall::kNative); !status.ok()) return status;
    out.api = "fake";
    out.value[0] = value;
    if (control_->alter_native) control_->alter_native(out);
    return {};
  }

 private:
  static constexpr std::size_t kAlign = 4096;
  static constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 28;
  struct Deleter {
    void operator()(std::byte* memory) const noexcept { ::operator delete[](memory, std::align_val_t(kAlign)); }
  };
  using Memory = std::unique_ptr<std::byte, Deleter>;
  struct Entry {
    Memory data;
    std::uint64_t bytes = 0;
  };

  std::shared_ptr<FakeControl> control_;
  DeviceProperties properties_;
  std::mutex mutex_;
  std::map<std::uint64_t, Entry> memory_;
  std::uint64_t last_handle_ = 0;
};

class FakeEvent final : public DriverEvent {
 public:
  FakeEvent(std::shared_ptr<FakeControl> control, Status work) : control_(std::move(control)), work_(std::move(work)) {
    ++control_->events_alive;
  }
  ~FakeEvent() override { --control_->events_alive; }
  Status wait(std::uint64_t timeout_ns) noexcept override {
    ++control_->counts[static_cast<std::size_t>(FakeCall::kWait)];
    if (control_->work_pending && timeout_ns != UINT64_MAX) return fake_failure("the time is over", Code::kTimeout);
    control_->work_pending = false;  // waited for ever, which ends at once here
    return work_;
  }
  Status query(bool& out_done) noexcept override {
    out_done = !control_->work_pending;
    return work_;
  }

 private:
  std::shared_ptr<FakeControl> control_;
  Status work_;
};

// Does its work at once; a failure of queued work shows in later events and in synchronize, as the contract says.
class FakeQueue final : public DriverQueue {
 public:
  explicit FakeQueue(FakeDriver& driver) : driver_(driver) { ++driver_.control()->queues_alive; }
  ~FakeQueue() override { --driver_.control()->queues_alive; }
  Status copy_to_device(const MemoryBlock& target, std::uint64_t offset, const void* source,
                        std::uint64_t bytes) noexcept override {
    return work([&] { return driver_.copy_to_device(target, offset, source, bytes); });
  }
  Status copy_to_host(void* target, const MemoryBlock& source, std::uint64_t offset,
                      std::uint64_t bytes) noexcept override {
    return work([&] { return driver_.copy_to_host(target, source, offset, bytes); });
  }
  Status copy_within(const MemoryBlock& target, std::uint64_t target_offset, const MemoryBlock& source,
                     std::uint64_t source_offset, std::uint64_t bytes) noexcept override {
    return work([&] { return driver_.copy_within(target, target_offset, source, source_offset, bytes); });
  }
  Status fill(const MemoryBlock& target, std::uint64_t offset, std::uint64_t bytes,
              std::uint8_t value) noexcept override {
    return work([&] { return driver_.fill(target, offset, bytes, value); });
  }
  Status record(std::unique_ptr<DriverEvent>& out) noexcept override {
    if (Status status = driver_.enter(FakeCall::kRecord); !status.ok()) return status;
    if (!driver_.control()->give_no_objects) out = std::make_unique<FakeEvent>(driver_.control(), earlier_);
    return {};
  }
  bool can_wait(const DriverEvent&) noexcept override { return driver_.control()->can_wait; }
  Status wait(const DriverEvent&) noexcept override { return driver_.enter(FakeCall::kWait); }
  Status synchronize() noexcept override { return earlier_; }
  Status native(NativeHandle& out) noexcept override { return driver_.answer_native(out, 3); }

 private:
  template <typename Operation>
  Status work(Operation operation) {
    if (Status status = driver_.enter(FakeCall::kQueueWork); !status.ok()) return status;
    if (Status status = operation(); !status.ok()) earlier_ = fake_failure("earlier work failed", Code::kEarlierWork);
    return {};
  }
  FakeDriver& driver_;
  Status earlier_;
};

inline Status FakeDriver::create_queue(std::unique_ptr<DriverQueue>& out) noexcept {
  if (Status status = enter(FakeCall::kQueue); !status.ok()) return status;
  if (!control_->give_no_objects) out = std::make_unique<FakeQueue>(*this);
  return {};
}

// A device over a FakeDriver, served by plugin "fake".
[[nodiscard]] inline std::shared_ptr<Device> make_fake_device(const std::shared_ptr<FakeControl>& control,
                                                              std::string_view id = "fake:0",
                                                              std::optional<std::uint64_t> limit = std::nullopt,
                                                              std::shared_ptr<LogSink> log = nullptr) {
  DeviceOptions options;
  options.id = DeviceId::parse(id).value();
  options.identity.key = "fake/" + std::string(id);
  options.served_by.plugin = "fake";
  options.served_by.entry = std::string(id);
  options.limit = limit;
  options.log = std::move(log);
  return Device::create(std::move(options), std::make_unique<FakeDriver>(control));
}

}  // namespace berth::test
