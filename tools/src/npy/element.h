// One element of a tensor, or a scalar value, as reports show it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "berth/program/scalar_type.h"

namespace berth::cli {

// Text for strings and for elements that have no C++ number ("0x3c").
using Element = std::variant<bool, std::int64_t, std::uint64_t, double, std::string>;

// The element at `bytes`, which points to element_size(type) bytes. Half, bfloat16 and float32 become doubles.
[[nodiscard]] Element element_at(program::ScalarType type, const std::byte* bytes);
// The value of a number; none for others.
[[nodiscard]] std::optional<double> element_number(const Element& element);
// "1.5", "-3", "true".
[[nodiscard]] std::string element_text(const Element& element);

// Compared with a tolerance: half, bfloat16, float32 and float64.
[[nodiscard]] bool is_floating(program::ScalarType type) noexcept;

}  // namespace berth::cli
