// Memory for Arenas. Blocks of small methods are kept when they are given back, at most eight of 4 KiB per process:
// malloc takes its slow path for this size, which is a tenth of what loading a small method costs.
#pragma once

#include <cstddef>

namespace berth::module::detail {

// At least `bytes`, aligned for any object; null when there is no memory. Any thread.
[[nodiscard]] std::byte* take_arena_block(std::size_t bytes) noexcept;
// `bytes` as it was taken with. Null is fine.
void give_arena_block(std::byte* block, std::size_t bytes) noexcept;

}  // namespace berth::module::detail
