// ExecutorBackend: its blob is a whole program with one method. The program runs on the host with the kernels and
// delegates of the outer one; arguments on a device are copied to and from host memory that is kept between runs.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "berth/core/result.h"
#include "berth/module/delegate.h"

namespace berth::reference::detail {

inline constexpr const char* kProgramDelegate = "ExecutorBackend";

// A DelegateFactory: opens, verifies and loads the program. kInvalidProgram when it is malformed, has not exactly one
// method, or is nested deeper than module::kMaxDepth; failures of loading pass through.
[[nodiscard]] Result<std::unique_ptr<module::Delegate>> make_program_delegate(
    std::span<const std::byte> blob, std::span<const program::CompileSpec> specs, module::InitContext& context);

}  // namespace berth::reference::detail
