// NativeHandle: the object of the underlying API (a CUdeviceptr, a cl_mem, ...) behind a device, a buffer or a queue,
// for delegates that compute on planned memory. What each word means is listed in abi/include/berth/plugin.h,
// `berth.native`.
#pragma once

#include <cstdint>
#include <string>

namespace berth {

// Borrowed: valid while the object that gave it lives.
struct NativeHandle {
  std::string api;  // "cuda", "opencl", "vulkan", "host", or a vendor's own name
  std::uint64_t value[8] = {};
};

}  // namespace berth
