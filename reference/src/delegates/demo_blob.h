// The blob of BackendWithCompilerDemo: "1version:0#op:demo::aten.add.Tensor, numel:4,
// dtype:torch.float32<debug_handle>1#".
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "berth/core/result.h"
#include "berth/program/scalar_type.h"

namespace berth::reference::detail {

// One addition of two tensors of `numel` elements.
struct DemoBlob {
  std::int64_t numel = 0;
  program::ScalarType type = program::ScalarType::kFloat;
};

// kInvalidProgram (origin kInput) when the blob is malformed, or asks for what cannot be known or done: several
// operations (the blob does not say how they are wired), another operation than an addition, an unknown type.
[[nodiscard]] Result<DemoBlob> read_demo_blob(std::span<const std::byte> blob);

}  // namespace berth::reference::detail
