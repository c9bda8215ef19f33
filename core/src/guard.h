// The guard: is the block that a driver answered with possible at all? Checks that need no other block; the ledger does
// those that compare blocks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "berth/core/device_properties.h"
#include "berth/core/memory_block.h"
#include "berth/core/status.h"
#include "ledger.h"

namespace berth::detail {

enum class BlockFault { kNone, kNoHandle, kOtherKind, kTooSmall, kAddressPresence, kRange, kMisaligned };

// The first thing that is wrong with `block` as the answer to `request`, which is valid for `kind` and asks for at
// least one byte.
[[nodiscard]] inline BlockFault check_block(const AllocationRequest& request, const MemoryKind& kind,
                                            const MemoryBlock& block) noexcept {
  if (block.handle == 0) return BlockFault::kNoHandle;
  if (block.kind != request.kind) return BlockFault::kOtherKind;
  if (block.size < request.bytes) return BlockFault::kTooSmall;
  if (block.has_address != kind.has_address) return BlockFault::kAddressPresence;
  if (!block.has_address) return BlockFault::kNone;
  if (block.size - 1 > UINT64_MAX - block.address) return BlockFault::kRange;
  const std::uint64_t alignment = std::max({request.alignment, kind.min_alignment, std::uint64_t{1}});
  return (block.address & (alignment - 1)) == 0 ? BlockFault::kNone : BlockFault::kMisaligned;
}

// `fault` of `block` in words, `where` left empty.
[[nodiscard]] ErrorInfo block_fault(BlockFault fault, const AllocationRequest& request, const MemoryKind& kind,
                                    const MemoryBlock& block);
// `claim` came with the handle of a live block of `other_owner`.
[[nodiscard]] ErrorInfo handle_fault(const Claim& claim, const std::string& other_owner);
// `claim` shares bytes with the live block `other` of `other_owner`.
[[nodiscard]] ErrorInfo overlap_fault(const Claim& claim, const Claim& other, const std::string& other_owner);

// What is wrong with memory figures, if anything.
[[nodiscard]] std::optional<ErrorInfo> info_fault(const MemoryInfo& info);

// The host itself has no memory for its account of a block.
[[nodiscard]] ErrorInfo no_memory_for_account();

// Starts the ErrorInfo of a PluginFault of `rule`.
[[nodiscard]] ErrorInfo plugin_fault(const char* rule, std::string what, std::string expected, std::string found);

}  // namespace berth::detail
