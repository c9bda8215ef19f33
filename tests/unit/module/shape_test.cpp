#include "berth/module/shape.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace berth::module {
namespace {

std::string refusal(ScalarType type, std::vector<std::int32_t> sizes, std::vector<std::uint8_t> order = {}) {
  const auto shape = Shape::create(type, sizes, order);
  return shape.has_value() ? "OK" : shape.error().message();
}

TEST(ShapeTest, IsContiguousWithoutDimOrder) {
  const auto shape = Shape::create(ScalarType::kFloat, std::vector<std::int32_t>{2, 3, 4});
  ASSERT_TRUE(shape.has_value());
  EXPECT_TRUE(shape->contiguous());
  EXPECT_EQ(shape->numel(), 24);
  EXPECT_EQ(shape->strides()[0], 12);
  EXPECT_EQ(shape->strides()[1], 4);
  EXPECT_EQ(shape->strides()[2], 1);
}

TEST(ShapeTest, FollowsDimOrderInStrides) {
  const auto shape =
      Shape::create(ScalarType::kFloat, std::vector<std::int32_t>{1, 3, 4, 5}, std::vector<std::uint8_t>{0, 2, 3, 1});
  ASSERT_TRUE(shape.has_value());
  EXPECT_FALSE(shape->contiguous());
  EXPECT_EQ(shape->strides()[0], 60);
  EXPECT_EQ(shape->strides()[1], 1);
  EXPECT_EQ(shape->strides()[2], 15);
  EXPECT_EQ(shape->strides()[3], 3);
}

TEST(ShapeTest, HasOneElementWhenRankIsZero) {
  const auto shape = Shape::create(ScalarType::kDouble, {});
  ASSERT_TRUE(shape.has_value());
  EXPECT_EQ(shape->rank, 0);
  EXPECT_EQ(shape->numel(), 1);
  EXPECT_TRUE(shape->size_span().empty());
}

TEST(ShapeTest, HasNoElementWhenASizeIsZero) {
  const auto shape = Shape::create(ScalarType::kDouble, std::vector<std::int32_t>{4, 0, 7});
  ASSERT_TRUE(shape.has_value());
  EXPECT_EQ(shape->numel(), 0);
}

TEST(ShapeTest, TakesSixteenDimensionsAndNoMore) {
  EXPECT_EQ(refusal(ScalarType::kFloat, std::vector<std::int32_t>(16, 1)), "OK");
  EXPECT_EQ(refusal(ScalarType::kFloat, std::vector<std::int32_t>(17, 1)),
            "too many dimensions: expected at most 16, found 17");
}

TEST(ShapeTest, RefusesNegativeSizes) {
  EXPECT_EQ(refusal(ScalarType::kFloat, {2, -1}),
            "impossible sizes: expected no negative size, at most 2^63-1 bytes, found [2, -1]");
}

TEST(ShapeTest, RefusesMoreBytesThanInt64Holds) {
  EXPECT_EQ(refusal(ScalarType::kDouble, {2147483647, 2147483647, 2}),
            "impossible sizes: expected no negative size, at most 2^63-1 bytes, found [2147483647, 2147483647, 2]");
  EXPECT_EQ(refusal(ScalarType::kByte, {2147483647, 2147483647}), "OK");
}

TEST(ShapeTest, RefusesOverflowBehindAZeroSize) {
  EXPECT_EQ(refusal(ScalarType::kLong, {2147483647, 2147483647, 2147483647, 0}),
            "impossible sizes: expected no negative size, at most 2^63-1 bytes, found [2147483647, 2147483647, "
            "2147483647, 0]");
}

TEST(ShapeTest, RefusesDimOrdersThatAreNoPermutation) {
  EXPECT_EQ(refusal(ScalarType::kFloat, {2, 3, 4}, {0, 0, 0}),
            "wrong dim order: expected a permutation of the 3 dimensions, found [0, 0, 0]");
  EXPECT_EQ(refusal(ScalarType::kFloat, {2, 3}, {0, 1, 2}),
            "wrong dim order: expected a permutation of the 2 dimensions, found [0, 1, 2]");
  EXPECT_EQ(refusal(ScalarType::kFloat, {2, 3}, {0, 40}),
            "wrong dim order: expected a permutation of the 2 dimensions, found [0, 40]");
}

TEST(ShapeTest, RefusesUnknownElementTypes) {
  EXPECT_EQ(refusal(static_cast<ScalarType>(99), {2}),
            "unknown element type: expected one of the types of program/scalar_type.h, found 99");
}

TEST(ShapeTest, CountsBytesOfEveryScalarType) {
  const std::vector<std::int32_t> sizes = {3, 2};
  const std::vector<std::pair<ScalarType, std::uint64_t>> types = {
      {ScalarType::kByte, 6},           {ScalarType::kChar, 6},           {ScalarType::kShort, 12},
      {ScalarType::kInt, 24},           {ScalarType::kLong, 48},          {ScalarType::kHalf, 12},
      {ScalarType::kFloat, 24},         {ScalarType::kDouble, 48},        {ScalarType::kBool, 6},
      {ScalarType::kQInt8, 6},          {ScalarType::kQUInt8, 6},         {ScalarType::kQInt32, 24},
      {ScalarType::kBFloat16, 12},      {ScalarType::kQUInt4x2, 6},       {ScalarType::kQUInt2x4, 6},
      {ScalarType::kBits16, 12},        {ScalarType::kFloat8E5M2, 6},     {ScalarType::kFloat8E4M3Fn, 6},
      {ScalarType::kFloat8E5M2Fnuz, 6}, {ScalarType::kFloat8E4M3Fnuz, 6}, {ScalarType::kUInt16, 12},
      {ScalarType::kUInt32, 24},        {ScalarType::kUInt64, 48}};
  for (const auto& [type, bytes] : types) {
    EXPECT_EQ(Shape::byte_count(type, sizes), bytes) << program::scalar_type_name(type);
  }
}

}  // namespace
}  // namespace berth::module
