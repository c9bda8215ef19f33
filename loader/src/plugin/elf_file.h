// What an ELF file says about itself, read with libelf from bytes in memory.
#pragma once

#include <cstddef>
#include <span>

#include "berth/loader/plugin_file.h"

namespace berth::loader::detail {

// Fills everything in `info` that comes from the file's ELF structure, and `info.usable` with the first thing about the
// structure or the note that keeps it from being a plugin for this process. The failure is for bytes that are no ELF
// file, or a damaged one (kInvalidArgument, at info.path).
[[nodiscard]] Status read_elf(std::span<const std::byte> bytes, PluginFileInfo& info);

}  // namespace berth::loader::detail
