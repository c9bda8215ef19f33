// Segments, constants, initial states, inline delegate blobs and named data of a program.
#pragma once

#include <cstdint>
#include <span>

#include "read_state.h"

namespace berth::program::detail {

// Reads all of the program's tables that say where bytes are, checks that they are inside the file and sets
// state.stored and `named_data`.
[[nodiscard]] bool read_stored_bytes(ReadState& state, const Table& program, std::span<const NamedBytes>& named_data);

// Sets `out` to the `bytes` bytes of constant `index` (> 0). Fails when there are fewer.
[[nodiscard]] bool find_constant(ReadState& state, const Place& place, std::uint32_t index, std::uint64_t bytes,
                                 std::span<const std::byte>& out);

// The same for piece `index` of mutable data segment `list`.
[[nodiscard]] bool find_state(ReadState& state, const Place& place, std::uint64_t list, std::uint32_t index,
                              std::uint64_t bytes, std::span<const std::byte>& out);

}  // namespace berth::program::detail
