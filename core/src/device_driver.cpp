// What a driver answers for the groups it lacks. Device looks at the capability bits first, so that these are reached
// only when a driver sets a bit and does not implement its group.
#include "berth/core/device_driver.h"

namespace berth {
namespace {

Status lacks(const char* what) {
  return Status(
      {.code = Code::kUnsupported, .origin = Origin::kDevice, .what = std::string("this device has no ") + what});
}

}  // namespace

Status DeviceDriver::copy_within(const MemoryBlock&, std::uint64_t, const MemoryBlock&, std::uint64_t,
                                 std::uint64_t) noexcept {
  return lacks("copy_within");
}
Status DeviceDriver::fill(const MemoryBlock&, std::uint64_t, std::uint64_t, std::uint8_t) noexcept {
  return lacks("fill");
}
Status DeviceDriver::memory_info(std::uint32_t, MemoryInfo&) noexcept { return lacks("memory information"); }
Status DeviceDriver::allocate_staging(std::uint64_t, void*&) noexcept { return lacks("staging memory"); }
Status DeviceDriver::free_staging(void*) noexcept { return lacks("staging memory"); }
Status DeviceDriver::create_queue(std::unique_ptr<DriverQueue>&) noexcept { return lacks("queues"); }
Status DeviceDriver::allocate_on(DriverQueue&, const AllocationRequest&, MemoryBlock&) noexcept {
  return lacks("stream-ordered memory");
}
Status DeviceDriver::free_on(DriverQueue&, const MemoryBlock&) noexcept { return lacks("stream-ordered memory"); }
Status DeviceDriver::can_access_peer(DeviceDriver&, bool& out) noexcept {
  out = false;
  return {};
}
Status DeviceDriver::copy_peer(DeviceDriver&, const MemoryBlock&, std::uint64_t, const MemoryBlock&, std::uint64_t,
                               std::uint64_t) noexcept {
  return lacks("peer copies");
}
Status DeviceDriver::map(const MemoryBlock&, std::uint64_t, std::uint64_t, bool, bool, void*&) noexcept {
  return lacks("maps");
}
Status DeviceDriver::unmap(void*) noexcept { return lacks("maps"); }
Status DeviceDriver::native(NativeHandle&) noexcept { return lacks("native handles"); }
Status DeviceDriver::native(const MemoryBlock&, NativeHandle&) noexcept { return lacks("native handles"); }

}  // namespace berth
