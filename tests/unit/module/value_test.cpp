#include "berth/module/value.h"

#include <gtest/gtest.h>

#include <array>
#include <utility>
#include <vector>

namespace berth::module {
namespace {

TEST(ValueTest, HoldsNumbersBoolsAndStrings) {
  EXPECT_TRUE(Value().is_none());
  EXPECT_EQ(Value::of_int(-3).to_int(), -3);
  EXPECT_EQ(Value::of_double(0.5).to_double(), 0.5);
  EXPECT_TRUE(Value::of_bool(true).to_bool());
  EXPECT_EQ(Value::of_string("two_methods").to_string(), "two_methods");
}

TEST(ValueTest, AnswersZeroWhenTheTypeIsAnother) {
  const Value value = Value::of_int(3);
  EXPECT_EQ(value.to_double(), 0);
  EXPECT_FALSE(value.to_bool());
  EXPECT_EQ(value.to_tensor(), nullptr);
  EXPECT_TRUE(value.to_string().empty());
  EXPECT_TRUE(value.to_ints().empty());
  EXPECT_TRUE(value.to_tensors().empty());
  EXPECT_TRUE(value.to_doubles().empty());
  EXPECT_TRUE(value.to_bools().empty());
}

TEST(ValueTest, GivesEveryNumberAsDouble) {
  EXPECT_EQ(Value::of_int(3).to_number(), 3);
  EXPECT_EQ(Value::of_bool(true).to_number(), 1);
  EXPECT_EQ(Value::of_double(0.25).to_number(), 0.25);
}

TEST(ValueTest, HoldsLists) {
  const std::array<std::int64_t, 3> ints = {1, -2, 3};
  const std::array<double, 2> doubles = {0.5, 1.5};
  const std::array<bool, 2> bools = {true, false};
  const Value list = Value::of_ints(ints);
  ASSERT_EQ(list.to_ints().size(), 3u);
  EXPECT_EQ(list.to_ints()[1], -2);
  EXPECT_EQ(Value::of_doubles(doubles).to_doubles()[1], 1.5);
  EXPECT_EQ(Value::of_bools(bools).to_bools()[0], 1);
  EXPECT_EQ(Value::of_bools(bools).to_bools()[1], 0);
}

TEST(ValueTest, HoldsTensorListsWithHoles) {
  const Tensor tensor = *Tensor::of<float>({1}, {4});
  const std::array<const Tensor*, 3> items = {nullptr, &tensor, nullptr};
  const Value list = Value::of_optional_tensors(items);
  ASSERT_EQ(list.to_tensors().size(), 3u);
  EXPECT_EQ(list.to_tensors()[0], nullptr);
  EXPECT_EQ(list.to_tensors()[1]->data<float>()[0], 4);
  const Value copy = list;
  EXPECT_EQ(copy.to_tensors()[2], nullptr);
  EXPECT_EQ(copy.to_tensors()[1]->data<float>()[0], 4);
}

TEST(ValueTest, CopiesItsContents) {
  Value original = Value::of_string("some text that is too long for a small string");
  const Value copy = original;
  original = Value::of_int(1);
  EXPECT_EQ(copy.to_string(), "some text that is too long for a small string");
}

TEST(ValueTest, IsNoneAfterMove) {
  Value value = Value::of_ints(std::array<std::int64_t, 1>{7});
  const Value moved = std::move(value);
  EXPECT_EQ(moved.to_ints()[0], 7);
  EXPECT_TRUE(value.is_none());  // NOLINT(bugprone-use-after-move): that is what is tested
}

TEST(ValueTest, ReadsListItemsWhenTheyAreUsed) {
  Value item = Value::of_int(1);
  const std::array<Value*, 1> items = {&item};
  const Value list = Value::borrow_items(ValueType::kIntList, items);
  item.set_int(5);
  EXPECT_EQ(list.to_ints()[0], 5);
}

TEST(ValueTest, ReusesItsTensorWhenSet) {
  Value value = Value::of_tensor(*Tensor::of<float>({1}, {1}));
  const Tensor* const before = value.to_tensor();
  value.set_tensor(*Tensor::of<float>({2}, {2, 3}));
  EXPECT_EQ(value.to_tensor(), before);
  EXPECT_EQ(value.to_tensor()->data<float>()[1], 3);
}

TEST(ValueTest, BorrowsWhenAliased) {
  Tensor tensor = *Tensor::of<float>({1}, {1});
  const Value source = Value::borrow_tensor(&tensor);
  Value target = Value::of_string("before");
  target.alias(source);
  EXPECT_EQ(target.to_tensor(), &tensor);
}

TEST(ValueTest, DescribesItselfForMessages) {
  EXPECT_EQ(Value().describe(), "none");
  EXPECT_EQ(Value::of_int(3).describe(), "int 3");
  EXPECT_EQ(Value::of_bool(false).describe(), "bool false");
  EXPECT_EQ(Value::of_string("x").describe(), "string 'x'");
  EXPECT_EQ(Value::of_ints(std::array<std::int64_t, 2>{1, 2}).describe(), "int list of 2");
  EXPECT_EQ(Value::of_tensor(*Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6})).describe(), "float32[2, 3] on the host");
}

}  // namespace
}  // namespace berth::module
