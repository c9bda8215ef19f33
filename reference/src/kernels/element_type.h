// Element types: lists to choose from, and conversion between elements that is defined for every value.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include "berth/module/shape.h"

namespace berth::reference::detail {

template <typename... Ts>
struct TypeList {};

using FloatTypes = TypeList<float, double>;
using RealTypes = TypeList<float, double, std::int64_t, std::int32_t, std::int16_t, std::int8_t, std::uint8_t>;
using RealOrBoolTypes =
    TypeList<float, double, std::int64_t, std::int32_t, std::int16_t, std::int8_t, std::uint8_t, bool>;
using IndexTypes = TypeList<std::int64_t, std::int32_t>;

// "float32, float64 or int64".
template <typename... Ts>
std::string type_names(TypeList<Ts...> /*types*/) {
  std::string text;
  std::size_t left = sizeof...(Ts);
  const auto append = [&](module::ScalarType type) {
    if (!text.empty()) text += left == 1 ? " or " : ", ";
    text += program::scalar_type_name(type);
    --left;
  };
  (append(module::kScalarTypeOf<Ts>), ...);
  return text;
}

// Calls `body(std::type_identity<T>())` with the T of the list that holds elements of `type`; false when there is none.
template <typename... Ts, typename Body>
bool visit_element_type(TypeList<Ts...> /*types*/, module::ScalarType type, Body&& body) {
  return ((module::kScalarTypeOf<Ts> == type ? (body(std::type_identity<Ts>()), true) : false) || ...);
}

// Conversion as C++ does it, made total: a real outside the range of an integer becomes the nearest end of the range
// and NaN becomes 0; integers wrap; everything but zero is true.
template <typename To, typename From>
To convert_element(From from) noexcept {
  if constexpr (std::is_same_v<To, bool>) {
    return from != From(0);
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    if (std::isnan(from)) return To(0);
    const From whole = std::trunc(from);
    // 2^digits is exact in every floating type; the range of To is [-2^digits or 0, 2^digits).
    const From end = std::ldexp(From(1), std::numeric_limits<To>::digits);
    if (whole >= end) return std::numeric_limits<To>::max();
    if (whole < (std::is_signed_v<To> ? -end : From(0))) return std::numeric_limits<To>::min();
    return static_cast<To>(whole);
  } else {
    return static_cast<To>(from);
  }
}

// data[index]. A BOOL element is any byte, not only the two that a C++ bool may have.
template <typename T>
T read_element(const T* data, std::int64_t index) noexcept {
  if constexpr (std::is_same_v<T, bool>) {
    return reinterpret_cast<const unsigned char*>(data)[index] != 0;
  } else {
    return data[index];
  }
}

// Sums and products that wrap for integers, and are "or" and "and" for bool.
template <typename T>
T add_elements(T a, T b) noexcept {
  if constexpr (std::is_same_v<T, bool>) {
    return a || b;
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  } else {
    return a + b;
  }
}

template <typename T>
T multiply_elements(T a, T b) noexcept {
  if constexpr (std::is_same_v<T, bool>) {
    return a && b;
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
  } else {
    return a * b;
  }
}

}  // namespace berth::reference::detail
