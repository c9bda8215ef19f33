// An open device: what every call on it passes through, and its children.
#pragma once

#include <berth/plugin_helper.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "event.h"
#include "instance.h"

namespace berth::mock {

// A live map: where it came from and, for memory that is not coherent, the copy that the host works on.
struct Map {
  std::byte* device = nullptr;
  std::uint64_t bytes = 0;
  bool write = false;
  bool bounced = false;
};

// Any function may be called from any thread.
class Device {
 public:
  Device(Instance& instance, Ordinal& ordinal, const DeviceOptions& options);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  static Device& from(berth_device* device) { return *reinterpret_cast<Device*>(device); }
  berth_device* handle() { return reinterpret_cast<berth_device*>(this); }

  Instance& instance() { return instance_; }
  Ordinal& ordinal() { return ordinal_; }

  // The gate of every call on the device, its queues and events: answers for a lost device, a missing capability, a
  // planned fault, or BERTH_OK. `bytes` is the size of the request, for rules that ask for one. *effect is
  // what else the schedule wants; without it, NOTHING and LIE mean nothing to the function.
  // For functions that survive a lost device the code may be a planned fault, never DEVICE_LOST.
  berth_code enter(Function function, std::uint64_t bytes, berth_error* error, Effect* effect = nullptr) {
    if (!lost() && (watched_ & bit(function)) == 0) [[likely]]
      return BERTH_OK;
    return attend(function, bytes, error, effect);
  }

  // The same for calls that ask for bytes: zero of them are no business of the driver's, nor of the schedule.
  berth_code enter_sized(Function function, std::uint64_t bytes, berth_error* error, Effect* effect = nullptr) {
    return bytes != 0 ? enter(function, bytes, error, effect) : check_usable(function, error);
  }

  bool lost() const { return ordinal_.generation() != generation_; }

  // FAILED_PRECONDITION if there are live children.
  berth_code check_no_children(berth_error* error);

  void properties(berth_device_properties& out) const;
  const std::vector<Kind>& kinds() const { return kinds_; }
  const std::vector<std::uint64_t>& heaps() const { return heaps_; }

  berth_code allocate(Function function, const berth_allocate_args* args, berth_memory* out, berth_error* error);
  berth_code free(const berth_memory& memory, berth_error* error);

  // Ends a memory in two steps: null and an error written, or a slot to be passed to finish_free later.
  Slot* begin_free(const berth_memory& memory, berth_error* error);
  void finish_free(Slot* slot);

  berth_code host_allocate(const berth_host_allocate_args& args, void** out, berth_error* error);
  berth_code host_free(void* pointer, berth_error* error);

  berth_code map(const berth_map_args& args, void** out, berth_error* error);
  berth_code unmap(void* pointer, berth_error* error);

  // Queues are counted as children.
  void count_queues(int change);

  // Events belong to the device: what is alive at close ends there.
  Event* add_event(std::shared_ptr<EventState> state);
  void remove_event(Event* event);

 private:
  berth_code check_usable(Function function, berth_error* error) const;
  berth_code attend(Function function, std::uint64_t bytes, berth_error* error, Effect* effect);
  berth_code check_allocation(const berth_allocate_args& args, std::uint64_t* out_size, std::uint64_t* out_alignment,
                              berth_error* error) const;
  Slot* slot_of(const berth_memory& memory, berth_error* error);

  Instance& instance_;
  Ordinal& ordinal_;
  const std::uint64_t generation_;
  const std::uint64_t watched_;
  std::vector<Kind> kinds_;
  std::vector<std::uint64_t> heaps_;
  std::uint64_t max_allocations_;
  std::uint64_t pinned_capacity_;
  std::uint64_t blocks_ = 0;  // guarded by the ordinal's lock

  std::mutex mutex_;  // guards what follows
  int queues_ = 0;
  std::uint64_t pinned_bytes_ = 0;
  std::unordered_map<void*, std::uint64_t> pinned_;
  std::map<void*, Map> maps_;
  std::unordered_map<Event*, std::unique_ptr<Event>> events_;
};

// Where the bytes of a memory lie; null for size 0.
inline std::byte* bytes_of(const berth_memory& memory) { return reinterpret_cast<Slot*>(memory.handle)->data; }

}  // namespace berth::mock
