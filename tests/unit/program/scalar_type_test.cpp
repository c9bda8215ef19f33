#include "berth/program/scalar_type.h"

#include <gtest/gtest.h>

#include <string>

namespace berth::program {
namespace {

TEST(ScalarTypeTest, KnowsSizesAndNames) {
  EXPECT_EQ(element_size(ScalarType::kFloat), 4U);
  EXPECT_EQ(element_size(ScalarType::kLong), 8U);
  EXPECT_EQ(element_size(ScalarType::kBool), 1U);
  EXPECT_EQ(element_size(ScalarType::kBFloat16), 2U);
  EXPECT_EQ(element_size(ScalarType::kQInt32), 4U);
  EXPECT_EQ(element_size(ScalarType::kBits16), 2U);
  EXPECT_EQ(element_size(ScalarType::kUInt64), 8U);
  EXPECT_STREQ(scalar_type_name(ScalarType::kFloat), "float32");
  EXPECT_STREQ(scalar_type_name(ScalarType::kUInt16), "uint16");
  EXPECT_STREQ(scalar_type_name(ScalarType::kFloat8E4M3Fnuz), "float8_e4m3fnuz");
}

TEST(ScalarTypeTest, KnowsEveryNameBothWays) {
  int known = 0;
  for (int number = -128; number < 128; ++number) {
    const auto type = static_cast<ScalarType>(number);
    if (element_size(type) == 0) {
      EXPECT_STREQ(scalar_type_name(type), "unknown") << number;
      continue;
    }
    ++known;
    EXPECT_EQ(scalar_type_from_name(scalar_type_name(type)), type) << number;
  }
  EXPECT_EQ(known, 23);
}

TEST(ScalarTypeTest, HasNoTypeForOtherNames) {
  EXPECT_EQ(scalar_type_from_name("float"), std::nullopt);
  EXPECT_EQ(scalar_type_from_name("unknown"), std::nullopt);
  EXPECT_EQ(scalar_type_from_name(""), std::nullopt);
}

}  // namespace
}  // namespace berth::program
