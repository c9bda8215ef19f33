// BackendWithCompilerDemo: adds two tensors. The arguments are read into scratch memory, added there and written back,
// so it does not matter where they are or whether they overlap.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "berth/core/result.h"
#include "berth/module/delegate.h"

namespace berth::reference::detail {

inline constexpr const char* kDemoDelegate = "BackendWithCompilerDemo";

// A DelegateFactory. The compile specs ("max_value", "target_device") say nothing that an addition needs.
[[nodiscard]] Result<std::unique_ptr<module::Delegate>> make_demo_delegate(std::span<const std::byte> blob,
                                                                           std::span<const program::CompileSpec> specs,
                                                                           module::InitContext& context);

}  // namespace berth::reference::detail
