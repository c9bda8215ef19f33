#include "run/value_spec.h"

#include <gtest/gtest.h>

#include <array>

namespace berth::cli {
namespace {

std::string parsed(const std::string& text) {
  const auto spec = parse_value_spec("--input", text);
  return spec.has_value() ? spec->describe() : spec.error().message();
}

TEST(ValueSpecTest, ReadsEveryKind) {
  EXPECT_EQ(parsed("int:-3"), "int -3");
  EXPECT_EQ(parsed("double:0.5"), "double 0.5");
  EXPECT_EQ(parsed("double:-1e-3"), "double -0.001");
  EXPECT_EQ(parsed("bool:true"), "bool true");
  EXPECT_EQ(parsed("bool:false"), "bool false");
  EXPECT_EQ(parsed("string:a:b"), "string 'a:b'");
  EXPECT_EQ(parsed("string:"), "string ''");
  EXPECT_EQ(parsed("none"), "none");
  EXPECT_EQ(parsed("x.npy"), "the array x.npy");
  EXPECT_EQ(parsed("folder/a:b.npy"), "the array folder/a:b.npy");
}

TEST(ValueSpecTest, RefusesOtherValuesOfAKind) {
  EXPECT_EQ(parsed("int:3x"),
            "--input int:3x: not a value: expected a whole number within 64 bits, as in int:3, found '3x'");
  EXPECT_EQ(parsed("int:"), "--input int:: not a value: expected a whole number within 64 bits, as in int:3, found ''");
  EXPECT_EQ(parsed("int:9223372036854775808"),
            "--input int:9223372036854775808: not a value: expected a whole number within 64 bits, as in int:3, found "
            "'9223372036854775808'");
  EXPECT_EQ(parsed("double:x"), "--input double:x: not a value: expected a number, as in double:0.5, found 'x'");
  EXPECT_EQ(parsed("bool:1"), "--input bool:1: not a value: expected bool:true or bool:false, found '1'");
}

TEST(ValueSpecTest, BringsBundledTensorsIntoCOrder) {
  const std::array<std::int32_t, 2> sizes = {2, 3};
  const std::array<std::uint8_t, 2> order = {1, 0};
  const std::array<std::uint8_t, 6> stored = {0, 3, 1, 4, 2, 5};
  const program::BundledTensor tensor{program::ScalarType::kByte, sizes, order, std::as_bytes(std::span(stored))};
  const auto spec = value_spec_of(tensor, "test case 0");
  ASSERT_TRUE(spec.has_value()) << spec.error().message();
  const Array& array = std::get<Array>(spec->value);
  EXPECT_EQ(array.type.describe(), "uint8[2, 3]");
  for (std::size_t i = 0; i < array.bytes.size(); ++i) EXPECT_EQ(std::to_integer<std::size_t>(array.bytes[i]), i);
}

TEST(ArrayTest, OrdersAreInverseOfEachOther) {
  const std::array<std::int32_t, 4> sizes = {2, 3, 4, 5};
  const std::array<std::uint8_t, 4> channels_last = {0, 2, 3, 1};
  const auto shape = module::Shape::create(program::ScalarType::kByte, sizes, channels_last);
  ASSERT_TRUE(shape.has_value());
  std::vector<std::byte> c_order(120);
  for (std::size_t i = 0; i < c_order.size(); ++i) c_order[i] = static_cast<std::byte>(i);
  const auto tensor_order = to_tensor_order(c_order, *shape, 1);
  // Second element in memory: the next channel of the same place.
  EXPECT_EQ(std::to_integer<int>(tensor_order[1]), 20);
  EXPECT_EQ(to_c_order(tensor_order, *shape, 1), c_order);
}

}  // namespace
}  // namespace berth::cli
