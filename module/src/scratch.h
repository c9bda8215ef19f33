// Scratch: host memory of one method that kernels and delegates use again at every call. Blocks are kept, so that the
// same sequence of calls allocates nothing the second time.
#pragma once

#include <memory>
#include <vector>

#include "berth/core/device.h"
#include "berth/core/device_buffer.h"
#include "berth/module/kernel.h"

namespace berth::module::detail {

class Scratch final : public ScratchMemory {
 public:
  // Memory comes from `host`, so that its limit bounds it.
  explicit Scratch(std::shared_ptr<Device> host) noexcept : host_(std::move(host)) {}
  [[nodiscard]] Result<std::span<std::byte>> take(std::uint64_t bytes) override;
  // What was taken may be given out again.
  void reset() noexcept {
    block_ = 0;
    used_ = 0;
  }

 private:
  std::shared_ptr<Device> host_;
  std::vector<DeviceBuffer> blocks_;
  std::size_t block_ = 0;   // the one that is being used
  std::uint64_t used_ = 0;  // bytes of it
};

}  // namespace berth::module::detail
