#include "berth/program/scalar_type.h"

#include <array>
#include <cstddef>

#include "element_bytes.h"

namespace berth::program {

namespace {

// Indexed by the number of the type.
constexpr std::array<const char*, 30> kNames = {"uint8",
                                                "int8",
                                                "int16",
                                                "int32",
                                                "int64",
                                                "float16",
                                                "float32",
                                                "float64",
                                                "",
                                                "",
                                                "",
                                                "bool",
                                                "qint8",
                                                "quint8",
                                                "qint32",
                                                "bfloat16",
                                                "quint4x2",
                                                "quint2x4",
                                                "",
                                                "",
                                                "",
                                                "",
                                                "bits16",
                                                "float8_e5m2",
                                                "float8_e4m3fn",
                                                "float8_e5m2fnuz",
                                                "float8_e4m3fnuz",
                                                "uint16",
                                                "uint32",
                                                "uint64"};

}  // namespace

std::uint32_t element_size(ScalarType type) noexcept { return detail::element_bytes(type); }

const char* scalar_type_name(ScalarType type) noexcept {
  return detail::element_bytes(type) != 0 ? kNames[static_cast<std::uint8_t>(type)] : "unknown";
}

std::optional<ScalarType> scalar_type_from_name(std::string_view name) noexcept {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (!name.empty() && name == kNames[i]) return static_cast<ScalarType>(i);
  }
  return std::nullopt;
}

}  // namespace berth::program
