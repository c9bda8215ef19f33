#include "guard.h"

#include "rules.h"
#include "text.h"

namespace berth::detail {

ErrorInfo plugin_fault(const char* rule, std::string what, std::string expected, std::string found) {
  return {.code = Code::kPluginFault,
          .origin = Origin::kDevice,
          .what = std::move(what),
          .expected = std::move(expected),
          .found = std::move(found),
          .next_step = "report this to the plugin's author",
          .rule = rule};
}

ErrorInfo block_fault(BlockFault fault, const AllocationRequest& request, const MemoryKind& kind,
                      const MemoryBlock& block) {
  switch (fault) {
    case BlockFault::kNone:
      break;
    case BlockFault::kNoHandle:
      return plugin_fault(rules::kHandleNonZero, "the plugin answered success without a memory handle",
                          "a handle other than 0", "0");
    case BlockFault::kOtherKind:
      return plugin_fault(rules::kKindKept, "the plugin gave memory of another kind",
                          "kind " + std::to_string(request.kind), "kind " + std::to_string(block.kind));
    case BlockFault::kTooSmall:
      return plugin_fault(rules::kSizeEnough, "the plugin gave less memory than asked",
                          "at least " + bytes_text(request.bytes), bytes_text(block.size));
    case BlockFault::kAddressPresence:
      return plugin_fault(rules::kAddressPresence, "the plugin's block contradicts its kind",
                          kind.has_address ? "an address" : "no address",
                          block.has_address ? "address " + hex_text(block.address) : "none");
    case BlockFault::kRange:
      return plugin_fault(rules::kRangeFits, "the plugin's block leaves the 64-bit address space",
                          "address plus size within 64 bits",
                          hex_text(block.address) + " plus " + bytes_text(block.size));
    case BlockFault::kMisaligned:
      return plugin_fault(rules::kAlignmentMet, "the plugin's address is misaligned",
                          "a multiple of " + std::to_string(std::max(request.alignment, kind.min_alignment)),
                          hex_text(block.address));
  }
  return {.what = "a block without fault was refused"};
}

ErrorInfo no_memory_for_account() {
  return {.code = Code::kOutOfHostMemory, .what = "the host has no memory to keep account of the block"};
}

namespace {

std::string range_text(const MemoryBlock& block) {
  return "[" + hex_text(block.address) + ", " + hex_text(block.address) + " + " + std::to_string(block.size) + ")";
}

}  // namespace

ErrorInfo handle_fault(const Claim& claim, const std::string& other_owner) {
  return plugin_fault(rules::kHandleUnique, "the plugin gave a handle twice", "a handle that no live block has",
                      hex_text(claim.block.handle) + ", which a live block of '" + other_owner + "' has");
}

ErrorInfo overlap_fault(const Claim& claim, const Claim& other, const std::string& other_owner) {
  return plugin_fault(
      rules::kNoOverlap, "the plugin gave memory that is in use", "addresses that no live block has",
      range_text(claim.block) + ", which shares bytes with " + range_text(other.block) + " of '" + other_owner + "'");
}

std::optional<ErrorInfo> info_fault(const MemoryInfo& info) {
  if (!info.total.has_value()) return std::nullopt;
  if (info.free.has_value() && *info.free > *info.total) {
    return plugin_fault(rules::kFreeWithinTotal, "the plugin's memory figures are impossible",
                        "at most " + bytes_text(*info.total) + " free (the total)", bytes_text(*info.free) + " free");
  }
  if (info.used_by_this_instance.has_value() && *info.used_by_this_instance > *info.total) {
    return plugin_fault(rules::kUsedWithinTotal, "the plugin's memory figures are impossible",
                        "at most " + bytes_text(*info.total) + " used (the total)",
                        bytes_text(*info.used_by_this_instance) + " used");
  }
  return std::nullopt;
}

}  // namespace berth::detail
