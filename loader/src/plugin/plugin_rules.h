// The obligations of a plugin that the loader checks. An id follows the message of a PluginFault in brackets;
// conformance/RULES.md lists all rules. Those that the core checks on every call are in core/src/rules.h.
#pragma once

namespace berth::loader::detail::rules {

// The file carries the note .note.berth.
inline constexpr const char* kNotePresent = "META-01";
// The note has a known layout and terminated texts.
inline constexpr const char* kNoteWellFormed = "META-02";
// ABI range, name and device type are equal in the note and in the answer of query.
inline constexpr const char* kNoteAgrees = "META-03";
// The file exports the function berth_plugin_query.
inline constexpr const char* kQueryExported = "META-04";

// query fills all fields of 1.0 and says so.
inline constexpr const char* kInfoFilled = "QUERY-01";
// query chooses a version inside the ranges of both sides.
inline constexpr const char* kVersionChosen = "QUERY-02";
// name, device type, version and vendor are terminated, name and device type not empty.
inline constexpr const char* kInfoTexts = "QUERY-03";
// The table is there and holds the four required groups.
inline constexpr const char* kRequiredGroups = "QUERY-04";
// Each group that is there is there whole.
inline constexpr const char* kWholeGroups = "QUERY-05";
// async needs queue; queue_peer needs queue and peer.
inline constexpr const char* kGroupNeeds = "QUERY-06";

// The value returned and berth_error.code are equal.
inline constexpr const char* kErrorCode = "ERROR-01";
// The message is terminated.
inline constexpr const char* kErrorMessage = "ERROR-02";
// The code is one of a known class.
inline constexpr const char* kErrorClass = "ERROR-03";
// No exception leaves a plugin.
inline constexpr const char* kNoException = "ERROR-04";
// On success the outputs are written.
inline constexpr const char* kOutputGiven = "ERROR-05";

// count is not zero on success, and describe works for each ordinal below it.
inline constexpr const char* kCount = "DEVICE-01";
// Texts of a description are terminated; enums are in range.
inline constexpr const char* kDescription = "DEVICE-02";
// Properties, kinds and heaps are possible: counts, powers of two, indices.
inline constexpr const char* kProperties = "PROP-01";
// A capability bit is set only if its group is in the table.
inline constexpr const char* kCapabilities = "PROP-02";
// Unknown flags of berth_memory are clear.
inline constexpr const char* kMemoryFlags = "ALLOC-09";

}  // namespace berth::loader::detail::rules
