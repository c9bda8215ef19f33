// The obligations of a plugin that the host checks on every call. An id opens the test of that name and follows the
// message of a PluginFault in brackets; conformance/RULES.md lists all rules.
#pragma once

namespace berth::detail::rules {

// allocate answers success with a handle other than zero.
inline constexpr const char* kHandleNonZero = "ALLOC-01";
// The handle of a new block is no handle of a live block of the same device.
inline constexpr const char* kHandleUnique = "ALLOC-02";
// The address is a multiple of the alignment asked for and of the kind's minimum.
inline constexpr const char* kAlignmentMet = "ALLOC-03";
// `size` is at least what was asked for.
inline constexpr const char* kSizeEnough = "ALLOC-04";
// The address range of a new block shares no byte with a live block of the same device.
inline constexpr const char* kNoOverlap = "ALLOC-05";
// A block has an address exactly when its kind has addresses.
inline constexpr const char* kAddressPresence = "ALLOC-06";
// Address plus size stays within 64 bits.
inline constexpr const char* kRangeFits = "ALLOC-07";
// The block is of the kind that was asked for.
inline constexpr const char* kKindKept = "ALLOC-08";
// Free memory is not above total memory.
inline constexpr const char* kFreeWithinTotal = "INFO-01";
// Memory used by the instance is not above total memory.
inline constexpr const char* kUsedWithinTotal = "INFO-02";
// A pair of peers that can_access allows moves the bytes that copy_between answers success for.
inline constexpr const char* kPeerMoves = "PEER-01";
// create, record and native answer success with the object asked for.
inline constexpr const char* kQueueGiven = "QUEUE-01";
inline constexpr const char* kEventGiven = "QUEUE-02";
inline constexpr const char* kNativeNamed = "NATIVE-01";

}  // namespace berth::detail::rules
