// The ELF note .note.berth: decoding it, and judging from it whether this process can use the plugin.
#pragma once

#include <cstddef>
#include <span>

#include "berth/core/result.h"
#include "berth/loader/plugin_file.h"

namespace berth::loader::detail {

// The body of a note of ours. kPluginFault (rule META-02) when its layout is unknown or a text has no end.
[[nodiscard]] Result<PluginNote> decode_note(std::span<const std::byte> body);

// What this process is, as far as notes speak of it.
struct HostTraits {
  unsigned cpu_level = 1;  // 1 to 4 for x86-64, x86-64-v2, ...; 0 on other processors
  std::string sanitizer;   // "address", "thread", "memory"; empty: none
};

// The traits of this process.
[[nodiscard]] HostTraits host_traits();

// OK, or why a plugin with this note cannot run here: another ABI (kUnsupported), a newer processor (kUnsupported),
// a sanitizer that this process was not built with (kUnsupported).
[[nodiscard]] Status judge_note(const PluginNote& note, const HostTraits& host);

}  // namespace berth::loader::detail
