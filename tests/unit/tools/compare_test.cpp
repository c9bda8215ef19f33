#include "run/compare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace berth::cli {
namespace {

using program::ScalarType;

template <typename T>
Array array_of_values(ScalarType type, std::vector<std::int32_t> sizes, const std::vector<T>& values) {
  Array array{{type, std::move(sizes)}, std::vector<std::byte>(values.size() * sizeof(T))};
  std::memcpy(array.bytes.data(), values.data(), array.bytes.size());
  return array;
}

Array floats(const std::vector<float>& values) {
  return array_of_values(ScalarType::kFloat, {static_cast<std::int32_t>(values.size())}, values);
}

Comparison compared(const Array& found, const Array& expected) {
  const auto comparison = compare("output 0", {found, found.type.describe()}, {"x.npy", expected}, Tolerance{});
  EXPECT_TRUE(comparison.has_value()) << comparison.error().message();
  return comparison.value_or(Comparison{});
}

std::string refusal(const OutputValue& found, const ValueSpec& expected) {
  const auto comparison = compare("output 0", found, expected, Tolerance{});
  if (comparison.has_value()) return "compared";
  EXPECT_EQ(comparison.error().origin(), Origin::kUsage);
  return comparison.error().message();
}

TEST(CompareTest, AcceptsFloatsWithinTheTolerance) {
  EXPECT_TRUE(compared(floats({1.0F, 1000.0F, 0.0F}), floats({1.0001F, 1000.09F, 1e-5F})).matches);
  EXPECT_FALSE(compared(floats({1.0F}), floats({1.0003F})).matches);
  EXPECT_FALSE(compared(floats({0.0F}), floats({3e-5F})).matches);
}

TEST(CompareTest, TreatsNanAndInfinityAsValues) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(compared(floats({nan, infinity, -infinity}), floats({nan, infinity, -infinity})).matches);
  EXPECT_FALSE(compared(floats({nan}), floats({1})).matches);
  EXPECT_FALSE(compared(floats({1}), floats({nan})).matches);
  EXPECT_FALSE(compared(floats({1}), floats({infinity})).matches);
  EXPECT_FALSE(compared(floats({infinity}), floats({-infinity})).matches);
  EXPECT_EQ(compared(floats({nan}), floats({1})).largest_difference, HUGE_VAL);
}

TEST(CompareTest, SaysWhereValuesFirstDifferAndByHowMuch) {
  const Array found = array_of_values<float>(ScalarType::kFloat, {2, 3}, {0, 1, 2, 3, 7, 5.5});
  const Array expected = array_of_values<float>(ScalarType::kFloat, {2, 3}, {0, 1, 2, 3, 4, 5});
  const Comparison comparison = compared(found, expected);
  EXPECT_FALSE(comparison.matches);
  EXPECT_EQ(comparison.compared, 6U);
  EXPECT_EQ(comparison.differing, 2U);
  EXPECT_EQ(comparison.largest_difference, 3.0);
  ASSERT_TRUE(comparison.first.has_value());
  EXPECT_EQ(comparison.first->index, (std::vector<std::int64_t>{1, 1}));
  EXPECT_EQ(comparison.first->expected, Element(4.0));
  EXPECT_EQ(comparison.first->found, Element(7.0));
}

TEST(CompareTest, ComparesWholeNumbersExactly) {
  const std::int64_t big = (std::int64_t{1} << 62) + 1;
  const Array found = array_of_values<std::int64_t>(ScalarType::kLong, {1}, {big});
  EXPECT_TRUE(compared(found, found).matches);
  EXPECT_FALSE(compared(found, array_of_values<std::int64_t>(ScalarType::kLong, {1}, {big - 1})).matches);
}

TEST(CompareTest, AnswersNoForAnotherShape) {
  const Comparison comparison = compared(floats({1, 2}), floats({1, 2, 3}));
  EXPECT_FALSE(comparison.matches);
  EXPECT_EQ(comparison.shape_mismatch, "expected float32[3], found float32[2]");
}

TEST(CompareTest, RefusesAnotherDtypeOrKind) {
  const Array found = floats({1});
  const OutputValue tensor{found, found.type.describe()};
  EXPECT_EQ(refusal(tensor, {"x.npy", array_of_values<double>(ScalarType::kDouble, {1}, {1})}),
            "output 0 against x.npy: wrong dtype: expected float64, found float32");
  EXPECT_EQ(refusal(tensor, {"int:1", std::int64_t{1}}),
            "output 0: wrong kind of value: expected int 1, found float32[1]");
  const OutputValue number{Element(std::int64_t{128}), "int"};
  EXPECT_EQ(refusal(number, {"double:1", 1.0}), "output 0: wrong kind of value: expected double 1, found int 128");
  EXPECT_EQ(refusal(number, {"x.npy", found}), "output 0: wrong kind of value: expected float32[1], found int 128");
  EXPECT_EQ(refusal({std::monostate{}, "none"}, {"int:1", std::int64_t{1}}),
            "output 0: wrong kind of value: expected int 1, found none");
}

TEST(CompareTest, ComparesScalars) {
  const auto matches = [](OutputValue found, ValueSpec expected) {
    const auto comparison = compare("output 0", found, expected, Tolerance{});
    return comparison.has_value() && comparison->matches;
  };
  EXPECT_TRUE(matches({Element(std::int64_t{3}), "int"}, {"int:3", std::int64_t{3}}));
  EXPECT_FALSE(matches({Element(std::int64_t{3}), "int"}, {"int:4", std::int64_t{4}}));
  EXPECT_TRUE(matches({Element(0.50001), "double"}, {"double:0.5", 0.5}));
  EXPECT_TRUE(matches({Element(true), "bool"}, {"bool:true", true}));
  EXPECT_TRUE(matches({Element(std::string("x")), "string"}, {"string:x", std::string("x")}));
  EXPECT_FALSE(matches({Element(std::string("x")), "string"}, {"string:y", std::string("y")}));
  EXPECT_TRUE(matches({std::monostate{}, "none"}, {"none", std::monostate{}}));
}

}  // namespace
}  // namespace berth::cli
