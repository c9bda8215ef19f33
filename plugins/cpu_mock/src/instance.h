// One instance of the plugin: its options and the devices that they define.
#pragma once

#include <berth/plugin_helper.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "options.h"
#include "ordinal.h"

namespace berth::mock {

// Any function may be called from any thread.
class Instance {
 public:
  Instance(InstanceOptions options, const berth_host& host, void* host_data);

  static Instance& from(berth_instance* instance) { return *reinterpret_cast<Instance*>(instance); }
  berth_instance* handle() { return reinterpret_cast<berth_instance*>(this); }

  const InstanceOptions& options() const { return options_; }

  // The functions that have a fault rule or a latency: all others need not call attend.
  std::uint64_t watched() const { return watched_; }

  // Spends the function's time and asks the schedule.
  Fault attend(Function function, std::uint32_t ordinal, std::uint64_t bytes);

  // For functions on the instance: attend, with a failure written to error.
  berth_code enter(Function function, std::uint32_t ordinal, berth_error* error);

  // Null and an INVALID_ARGUMENT written if there is no such device.
  Ordinal* ordinal(std::uint32_t index, berth_error* error);

  void describe(std::uint32_t index, berth_device_description& out) const;

  void count_open(int change) { open_devices_.fetch_add(change, std::memory_order_acq_rel); }
  int open_devices() const { return open_devices_.load(std::memory_order_acquire); }

  void log(std::int32_t level, const std::string& text) const { host_.log(host_data_, level, text.c_str()); }

 private:
  InstanceOptions options_;
  const berth_host& host_;
  void* host_data_;
  std::uint64_t watched_;
  std::vector<std::unique_ptr<Ordinal>> ordinals_;
  std::atomic<int> open_devices_{0};
};

// Writes a fault that fails and answers its code.
berth_code write_fault(const Fault& fault, berth_error* error);

}  // namespace berth::mock
