#include <gmock/gmock.h>

#include "kernel_fixture.h"

namespace berth::reference {
namespace {

using testing::ElementsAre;

class IndexPutTest : public KernelTest {
 protected:
  Status put(const Value& self, std::vector<const Tensor*> indices, const Value& values, bool accumulate, Value& out) {
    return run("aten::index_put.out", {self, Value::of_optional_tensors(indices), values, boolean(accumulate)}, out);
  }

  Value self_ = tensor<float>({3, 2}, {0, 1, 2, 3, 4, 5});
  Value out_ = floats_out({3, 2});
};

TEST_F(IndexPutTest, WritesRows) {
  const Value rows = tensor<std::int64_t>({2}, {2, -3});
  ASSERT_TRUE(put(self_, {rows.to_tensor()}, tensor<float>({2, 2}, {7, 8, 9, 10}), false, out_).ok());
  EXPECT_THAT(elements<float>(out_), ElementsAre(9, 10, 2, 3, 7, 8));
  EXPECT_THAT(elements<float>(self_), ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST_F(IndexPutTest, WritesColumnsBehindAHole) {
  const Value columns = tensor<std::int32_t>({1}, {1});
  ASSERT_TRUE(put(self_, {nullptr, columns.to_tensor()}, tensor<float>({}, {9}), false, out_).ok());
  EXPECT_THAT(elements<float>(out_), ElementsAre(0, 9, 2, 9, 4, 9));
}

TEST_F(IndexPutTest, WritesSingleElements) {
  const Value rows = tensor<std::int64_t>({2}, {0, 2});
  const Value columns = tensor<std::int64_t>({1}, {1});
  ASSERT_TRUE(put(self_, {rows.to_tensor(), columns.to_tensor()}, tensor<float>({2}, {7, 8}), false, out_).ok());
  EXPECT_THAT(elements<float>(out_), ElementsAre(0, 7, 2, 3, 4, 8));
}

TEST_F(IndexPutTest, PutsIndicesOfSeparatedDimensionsFirst) {
  const Value cube = zeros(ScalarType::kLong, {2, 2, 2});
  const Value first = tensor<std::int64_t>({2}, {0, 1});
  const Value last = tensor<std::int64_t>({2}, {1, 0});
  Value out = zeros(ScalarType::kLong, {2, 2, 2});
  // The values are [index, dimension 1].
  ASSERT_TRUE(
      put(cube, {first.to_tensor(), nullptr, last.to_tensor()}, tensor<std::int64_t>({2, 2}, {1, 2, 3, 4}), false, out)
          .ok());
  EXPECT_THAT(elements<std::int64_t>(out), ElementsAre(0, 1, 0, 2, 3, 0, 4, 0));
}

TEST_F(IndexPutTest, AccumulatesRepeatedIndices) {
  const Value rows = tensor<std::int64_t>({3}, {1, 1, 1});
  ASSERT_TRUE(put(self_, {rows.to_tensor()}, tensor<float>({1}, {10}), true, out_).ok());
  EXPECT_THAT(elements<float>(out_), ElementsAre(0, 1, 32, 33, 4, 5));
}

TEST_F(IndexPutTest, WritesInPlace) {
  const Value same = view_of(self_, {3, 2});
  const Value rows = tensor<std::int64_t>({1}, {0});
  ASSERT_TRUE(put(same, {rows.to_tensor()}, tensor<float>({}, {7}), false, self_).ok());
  EXPECT_THAT(elements<float>(self_), ElementsAre(7, 7, 2, 3, 4, 5));
}

TEST_F(IndexPutTest, NoIndicesWriteNothing) {
  const Value rows = zeros(ScalarType::kLong, {0});
  ASSERT_TRUE(put(self_, {rows.to_tensor()}, tensor<float>({}, {7}), false, out_).ok());
  EXPECT_THAT(elements<float>(out_), ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST_F(IndexPutTest, RefusesWhatDoesNotFitAndWritesNothing) {
  const Value value = tensor<float>({}, {7});
  const Value far = tensor<std::int64_t>({2}, {0, 3});
  EXPECT_EQ(put(self_, {far.to_tensor()}, value, false, out_).message(),
            "argument 1 of aten::index_put.out: expected indices from -3 to 2, found 3 for dimension 0");
  EXPECT_THAT(elements<float>(out_), ElementsAre(0, 0, 0, 0, 0, 0));
  const Value mask = tensor<bool>({3}, {true, false, true});
  EXPECT_EQ(put(self_, {mask.to_tensor()}, value, false, out_).message(),
            "argument 1 of aten::index_put.out: expected indices of int64 or int32 that the host can read, found "
            "bool[3] on the host for dimension 0");
  EXPECT_EQ(put(self_, {nullptr}, value, false, out_).message(),
            "argument 1 of aten::index_put.out: expected indices for 1 to 2 dimensions, found 0");
  const Value two = tensor<std::int64_t>({2}, {0, 1});
  const Value three = tensor<std::int64_t>({3}, {0, 1, 0});
  EXPECT_EQ(put(self_, {two.to_tensor(), three.to_tensor()}, value, false, out_).message(),
            "argument 1 of aten::index_put.out: expected indices that broadcast to one shape, found [2] and [3]");
  EXPECT_EQ(put(self_, {two.to_tensor()}, tensor<float>({3}, {1, 2, 3}), false, out_).message(),
            "argument 2 of aten::index_put.out: expected sizes that broadcast to [2, 2], found float32[3] on the host");
}

}  // namespace
}  // namespace berth::reference
