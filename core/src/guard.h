// The guard: is the block that a driver answered with possible at all? Checks that need no other block; the ledger does
// those that compare blocks.
#pragma once

#include <optional>

#include "berth/core/device_properties.h"
#include "berth/core/memory_block.h"
#include "berth/core/status.h"
#include "ledger.h"

namespace berth::detail {

// What is wrong with `block` as the answer to `request` (which is valid for `kind` and asks for at least one byte).
// `where` is left empty.
[[nodiscard]] std::optional<ErrorInfo> block_fault(const AllocationRequest& request, const MemoryKind& kind,
                                                   const MemoryBlock& block);

// `claim` came with the handle of a live block of `other_owner`.
[[nodiscard]] ErrorInfo handle_fault(const Claim& claim, const std::string& other_owner);
// `claim` shares bytes with the live block `other` of `other_owner`.
[[nodiscard]] ErrorInfo overlap_fault(const Claim& claim, const Claim& other, const std::string& other_owner);

// What is wrong with memory figures, if anything.
[[nodiscard]] std::optional<ErrorInfo> info_fault(const MemoryInfo& info);

// Starts the ErrorInfo of a PluginFault of `rule`.
[[nodiscard]] ErrorInfo plugin_fault(const char* rule, std::string what, std::string expected, std::string found);

}  // namespace berth::detail
