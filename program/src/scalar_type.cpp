#include "berth/program/scalar_type.h"

#include <array>
#include <cstddef>

namespace berth::program {

namespace {

struct Entry {
  std::uint8_t bytes = 0;
  const char* name = "unknown";
};

// Indexed by the number of the type.
constexpr std::array<Entry, 30> kTypes = [] {
  std::array<Entry, 30> types{};
  types[0] = {1, "uint8"};
  types[1] = {1, "int8"};
  types[2] = {2, "int16"};
  types[3] = {4, "int32"};
  types[4] = {8, "int64"};
  types[5] = {2, "float16"};
  types[6] = {4, "float32"};
  types[7] = {8, "float64"};
  types[11] = {1, "bool"};
  types[12] = {1, "qint8"};
  types[13] = {1, "quint8"};
  types[14] = {4, "qint32"};
  types[15] = {2, "bfloat16"};
  types[16] = {1, "quint4x2"};
  types[17] = {1, "quint2x4"};
  types[22] = {2, "bits16"};
  types[23] = {1, "float8_e5m2"};
  types[24] = {1, "float8_e4m3fn"};
  types[25] = {1, "float8_e5m2fnuz"};
  types[26] = {1, "float8_e4m3fnuz"};
  types[27] = {2, "uint16"};
  types[28] = {4, "uint32"};
  types[29] = {8, "uint64"};
  return types;
}();

Entry entry(ScalarType type) {
  const auto index = static_cast<std::uint8_t>(type);
  return index < kTypes.size() ? kTypes[index] : Entry{};
}

}  // namespace

std::uint32_t element_size(ScalarType type) noexcept { return entry(type).bytes; }

const char* scalar_type_name(ScalarType type) noexcept { return entry(type).name; }

std::optional<ScalarType> scalar_type_from_name(std::string_view name) noexcept {
  for (std::size_t i = 0; i < kTypes.size(); ++i) {
    if (kTypes[i].bytes != 0 && name == kTypes[i].name) return static_cast<ScalarType>(i);
  }
  return std::nullopt;
}

}  // namespace berth::program
