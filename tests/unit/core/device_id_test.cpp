#include "berth/core/device_id.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

std::string problem_with(std::string_view text) { return DeviceId::parse(text).status().message(); }

TEST(DeviceIdTest, ParsesTypeAndIndex) {
  EXPECT_EQ(DeviceId::parse("cuda:0").value(), (DeviceId{"cuda", 0}));
  EXPECT_EQ(DeviceId::parse("cuda").value(), (DeviceId{"cuda", 0}));
  EXPECT_EQ(DeviceId::parse("my_npu2:17").value(), (DeviceId{"my_npu2", 17}));
  EXPECT_EQ(DeviceId::parse("a:2147483647").value().index, 2147483647);
  EXPECT_EQ(DeviceId::parse(std::string(31, 'a')).value().type.size(), 31u);
}

TEST(DeviceIdTest, WritesWhatItParses) {
  EXPECT_EQ((DeviceId{"cuda", 3}).to_string(), "cuda:3");
  EXPECT_EQ(DeviceId{}.to_string(), "cpu:0");
}

TEST(DeviceIdTest, KnowsTheHostDevice) {
  EXPECT_TRUE(DeviceId{}.is_host());
  EXPECT_FALSE((DeviceId{"cpu", 1}).is_host());
  EXPECT_FALSE((DeviceId{"cuda", 0}).is_host());
}

TEST(DeviceIdTest, SaysWhatIsWrongWithAText) {
  const std::string tail = ": expected a type name and an index such as cuda:0";
  EXPECT_EQ(problem_with(""), "device id '': the type name is missing" + tail);
  EXPECT_EQ(problem_with(":0"), "device id ':0': the type name is missing" + tail);
  EXPECT_EQ(problem_with("CUDA:0"), "device id 'CUDA:0': the type name does not start with a lower-case letter" + tail);
  EXPECT_EQ(
      problem_with("cu-da:0"),
      "device id 'cu-da:0': the type name holds something else than lower-case letters, digits and underscores" + tail);
  EXPECT_EQ(problem_with("cuda:"), "device id 'cuda:': the index is missing" + tail);
  EXPECT_EQ(problem_with("cuda:x"), "device id 'cuda:x': the index is not a decimal number" + tail);
  EXPECT_EQ(problem_with("cuda:-1"), "device id 'cuda:-1': the index is not a decimal number" + tail);
  EXPECT_EQ(problem_with("cuda:0:1"), "device id 'cuda:0:1': the index is not a decimal number" + tail);
  EXPECT_EQ(problem_with("cuda:01"), "device id 'cuda:01': the index has a leading zero" + tail);
  EXPECT_EQ(problem_with("cuda:2147483648"), "device id 'cuda:2147483648': the index is above 2147483647" + tail);
  const std::string longest(32, 'a');
  EXPECT_EQ(problem_with(longest), "device id '" + longest + "': the type name is longer than 31 characters" + tail);
  EXPECT_EQ(DeviceId::parse("").status().code(), Code::kInvalidArgument);
  EXPECT_EQ(DeviceId::parse("").status().origin(), Origin::kUsage);
}

TEST(DeviceIdTest, OrdersAndHashesByTypeAndIndex) {
  EXPECT_LT((DeviceId{"cpu", 9}), (DeviceId{"cuda", 0}));
  EXPECT_LT((DeviceId{"cuda", 0}), (DeviceId{"cuda", 1}));
  const std::hash<DeviceId> hash;
  EXPECT_EQ(hash({"cuda", 1}), hash({"cuda", 1}));
  EXPECT_NE(hash({"cuda", 1}), hash({"cuda", 2}));
}

}  // namespace
}  // namespace berth
