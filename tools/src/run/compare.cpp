#include "run/compare.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "berth/program/scalar_type.h"
#include "npy/npy_file.h"

namespace berth::cli {
namespace {

Status different_kinds(const std::string& where, std::string what, std::string expected, std::string found) {
  return Status({.code = Code::kInvalidArgument,
                 .origin = Origin::kUsage,
                 .where = where,
                 .what = std::move(what),
                 .expected = std::move(expected),
                 .found = std::move(found)});
}

bool close(double expected, double found, const Tolerance& tolerance) {
  if (std::isnan(expected) || std::isnan(found)) return std::isnan(expected) && std::isnan(found);
  if (expected == found) return true;
  return std::abs(found - expected) <= tolerance.absolute + tolerance.relative * std::abs(expected) &&
         std::isfinite(expected);
}

double distance(const Element& expected, const Element& found) {
  const auto a = element_number(expected);
  const auto b = element_number(found);
  if (expected == found || !a.has_value() || !b.has_value()) return 0;
  if (std::isnan(*a) && std::isnan(*b)) return 0;
  const double difference = std::abs(*a - *b);
  return std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
}

std::vector<std::int64_t> index_of(std::size_t place, const std::vector<std::int32_t>& sizes) {
  std::vector<std::int64_t> index(sizes.size());
  for (std::size_t d = sizes.size(); d-- > 0;) {
    index[d] = static_cast<std::int64_t>(place) % sizes[d];
    place /= static_cast<std::size_t>(sizes[d]);
  }
  return index;
}

// Adds one pair of elements to the answer; `index` is only called for the first difference.
template <typename Index>
void count(Comparison& comparison, const Element& expected, const Element& found, bool same, Index index) {
  ++comparison.compared;
  comparison.largest_difference = std::max(comparison.largest_difference, distance(expected, found));
  if (same) return;
  if (++comparison.differing == 1) comparison.first = Difference{index(), expected, found};
}

void compare_arrays(Comparison& comparison, const Array& expected, const Array& found, const Tolerance& tolerance) {
  const program::ScalarType type = expected.type.scalar_type;
  const std::size_t size = program::element_size(type);
  for (std::size_t offset = 0; offset < expected.bytes.size(); offset += size) {
    const Element a = element_at(type, &expected.bytes[offset]);
    const Element b = element_at(type, &found.bytes[offset]);
    const bool same = is_floating(type) ? close(std::get<double>(a), std::get<double>(b), tolerance) : a == b;
    count(comparison, a, b, same, [&] { return index_of(offset / size, expected.type.sizes); });
  }
}

Result<Comparison> compare_tensor(Comparison comparison, const std::string& where, const Array& found,
                                  const ValueSpec& spec, const Tolerance& tolerance) {
  const auto* file = std::get_if<ArrayFile>(&spec.value);
  const auto* given = std::get_if<Array>(&spec.value);
  if (file == nullptr && given == nullptr) {
    return fail(different_kinds(where, "wrong kind of value", spec.describe(), found.type.describe()));
  }
  ArrayType type;
  if (given != nullptr) {
    type = given->type;
  } else {
    BERTH_ASSIGN(type, read_npy_type(file->path));
  }
  if (type.scalar_type != found.type.scalar_type) {
    return fail(different_kinds(where + " against " + spec.source, "wrong dtype",
                                program::scalar_type_name(type.scalar_type),
                                program::scalar_type_name(found.type.scalar_type)));
  }
  if (type.sizes != found.type.sizes) {
    comparison.shape_mismatch = "expected " + type.describe() + ", found " + found.type.describe();
    return comparison;
  }
  if (given != nullptr) {
    compare_arrays(comparison, *given, found, tolerance);
  } else {
    BERTH_ASSIGN(const Array array, read_npy(file->path));
    compare_arrays(comparison, array, found, tolerance);
  }
  comparison.matches = comparison.differing == 0;
  return comparison;
}

// The scalar that a spec names; none for arrays and "none".
std::optional<Element> scalar_of(const ValueSpec& spec) {
  return std::visit(
      [](const auto& value) -> std::optional<Element> {
        if constexpr (std::is_constructible_v<Element, decltype(value)>) return Element(value);
        return std::nullopt;
      },
      spec.value);
}

Result<Comparison> compare_scalar(Comparison comparison, const std::string& where, const OutputValue& output,
                                  const ValueSpec& spec, const Tolerance& tolerance) {
  const auto* found = std::get_if<Element>(&output.value);
  const std::optional<Element> expected = scalar_of(spec);
  const bool both_none =
      found == nullptr && std::holds_alternative<std::monostate>(spec.value) && output.type == "none";
  if (both_none) {
    comparison.matches = true;
    return comparison;
  }
  if (found == nullptr || !expected.has_value() || expected->index() != found->index()) {
    const std::string value = found == nullptr ? "" : " " + element_text(*found);
    return fail(different_kinds(where, "wrong kind of value", spec.describe(), output.type + value));
  }
  const auto* a = std::get_if<double>(&*expected);
  const bool same = a != nullptr ? close(*a, std::get<double>(*found), tolerance) : *expected == *found;
  count(comparison, *expected, *found, same, [] { return std::vector<std::int64_t>(); });
  comparison.matches = same;
  return comparison;
}

}  // namespace

Result<Comparison> compare(const std::string& where, const OutputValue& output, const ValueSpec& expected,
                           const Tolerance& tolerance) {
  Comparison comparison;
  comparison.source = expected.source;
  const auto* array = std::get_if<Array>(&output.value);
  if (array != nullptr) return compare_tensor(std::move(comparison), where, *array, expected, tolerance);
  return compare_scalar(std::move(comparison), where, output, expected, tolerance);
}

}  // namespace berth::cli
