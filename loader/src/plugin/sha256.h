// SHA-256 of bytes in memory.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace berth::loader::detail {

// 64 lower-case hex digits; empty if the library cannot compute it (a FIPS policy without it).
[[nodiscard]] std::string sha256_hex(std::span<const std::byte> bytes);

}  // namespace berth::loader::detail
