// The element types of tensors, numbered as in .pte files (ExecuTorch schema, ScalarType).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "berth/core/api.h"

namespace berth::program {

enum class ScalarType : std::int8_t {
  kByte = 0,
  kChar = 1,
  kShort = 2,
  kInt = 3,
  kLong = 4,
  kHalf = 5,
  kFloat = 6,
  kDouble = 7,
  kBool = 11,
  kQInt8 = 12,
  kQUInt8 = 13,
  kQInt32 = 14,
  kBFloat16 = 15,
  kQUInt4x2 = 16,
  kQUInt2x4 = 17,
  kBits16 = 22,
  kFloat8E5M2 = 23,
  kFloat8E4M3Fn = 24,
  kFloat8E5M2Fnuz = 25,
  kFloat8E4M3Fnuz = 26,
  kUInt16 = 27,
  kUInt32 = 28,
  kUInt64 = 29,
};

// Bytes of one element; 0 when `type` is none of the above. Any thread, never fails.
[[nodiscard]] BERTH_API std::uint32_t element_size(ScalarType type) noexcept;
// "float32", "int64", "bool", ... (NumPy's names where NumPy has one); "unknown" otherwise.
[[nodiscard]] BERTH_API const char* scalar_type_name(ScalarType type) noexcept;
[[nodiscard]] BERTH_API std::optional<ScalarType> scalar_type_from_name(std::string_view name) noexcept;

}  // namespace berth::program
