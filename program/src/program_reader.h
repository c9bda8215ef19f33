// Reads a whole program: container, stored bytes, methods, placement, chains, plan check.
#pragma once

#include <span>

#include "berth/core/status.h"
#include "contents.h"

namespace berth::program::detail {

// Fills `contents` (methods, named data, legacy) from `head`, its flatbuffer part, and `whole`, the whole file. Both
// must outlive it; contents.name and contents.arena are ready. kInvalidProgram or kOutOfHostMemory.
[[nodiscard]] Status read_program(std::span<const std::byte> head, std::span<const std::byte> whole,
                                  Program::Contents& contents);

}  // namespace berth::program::detail
