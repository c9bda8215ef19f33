// Whether two dim orders mean the same bytes.
#pragma once

#include <cstdint>
#include <span>

namespace berth::module::detail {

// Equal once dimensions of size 1 are left out; both orders are permutations of the same rank.
[[nodiscard]] bool same_order(std::span<const std::int32_t> sizes, std::span<const std::uint8_t> first,
                              std::span<const std::uint8_t> second) noexcept;

}  // namespace berth::module::detail
