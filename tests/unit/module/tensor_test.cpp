#include "berth/module/tensor.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace berth::module {
namespace {

using Sizes = std::vector<std::int32_t>;

TEST(TensorTest, HasNoStorageWhenDefaultConstructed) {
  const Tensor tensor;
  EXPECT_FALSE(tensor.has_storage());
  EXPECT_EQ(tensor.numel(), 0);
  EXPECT_TRUE(tensor.is_host());
  EXPECT_EQ(tensor.describe(), "float32[0] on the host");
}

TEST(TensorTest, CopiesDataWhenMadeFromData) {
  std::array<float, 4> elements = {1, 2, 3, 4};
  const auto tensor = Tensor::of<float>(Sizes{2, 2}, std::span<const float>(elements));
  ASSERT_TRUE(tensor.has_value());
  elements[0] = 9;
  EXPECT_EQ(tensor->data<float>()[0], 1);
  EXPECT_EQ(tensor->data<float>()[3], 4);
  EXPECT_EQ(tensor->nbytes(), 16u);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(tensor->data<float>().data()) % 64, 0u);
}

TEST(TensorTest, SharesStorageWhenCopied) {
  const Tensor tensor = *Tensor::of<std::int64_t>({2}, {5, 6});
  const Tensor copy = tensor;
  copy.mutable_data<std::int64_t>()[0] = 7;
  EXPECT_EQ(tensor.data<std::int64_t>()[0], 7);
}

TEST(TensorTest, UsesTheCallersMemoryWhenBorrowed) {
  std::array<float, 4> elements = {1, 2, 3, 4};
  const auto tensor = Tensor::borrow(ScalarType::kFloat, Sizes{4}, std::as_writable_bytes(std::span(elements)));
  ASSERT_TRUE(tensor.has_value());
  tensor->mutable_data<float>()[1] = 20;
  EXPECT_EQ(elements[1], 20);
}

TEST(TensorTest, RefusesBorrowedMemoryThatIsTooSmallOrMisaligned) {
  alignas(8) std::array<std::byte, 24> memory = {};
  EXPECT_EQ(Tensor::borrow(ScalarType::kDouble, Sizes{4}, memory).error().message(),
            "too few bytes for float64[4]: expected at least 32, found 24");
  EXPECT_EQ(Tensor::borrow(ScalarType::kDouble, Sizes{2}, std::span(memory).subspan(4)).error().message(),
            "misaligned memory for float64[2]: expected a multiple of 8, found an address that is none");
}

TEST(TensorTest, RefusesDataOfAnotherSize) {
  const auto tensor = Tensor::of<float>({2, 2}, {1, 2, 3});
  ASSERT_FALSE(tensor.has_value());
  EXPECT_EQ(tensor.error().message(), "wrong number of bytes for float32[2, 2]: expected 16, found 12");
  EXPECT_EQ(tensor.error().origin(), Origin::kUsage);
}

TEST(TensorTest, IsZeroFilledWhenEmpty) {
  const auto tensor = Tensor::empty(ScalarType::kInt, Sizes{1000});
  ASSERT_TRUE(tensor.has_value());
  for (const std::int32_t element : tensor->data<std::int32_t>()) ASSERT_EQ(element, 0);
}

TEST(TensorTest, HoldsEveryScalarType) {
  for (int number = 0; number < 32; ++number) {
    const auto type = static_cast<ScalarType>(number);
    const std::uint32_t size = program::element_size(type);
    if (size == 0) continue;
    const std::vector<std::byte> bytes(std::size_t{size} * 3, std::byte{0x5A});
    const auto tensor = Tensor::from_data(type, Sizes{3}, bytes);
    ASSERT_TRUE(tensor.has_value()) << number;
    EXPECT_EQ(tensor->element_size(), size);
    EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), tensor->bytes().begin(), tensor->bytes().end()));
  }
}

TEST(TensorTest, HoldsOneElementWhenRankIsZero) {
  const auto tensor = Tensor::of<double>(Sizes{}, std::span<const double>(std::array{2.5}));
  ASSERT_TRUE(tensor.has_value());
  EXPECT_EQ(tensor->rank(), 0u);
  EXPECT_EQ(tensor->data<double>()[0], 2.5);
  EXPECT_EQ(tensor->describe(), "float64[] on the host");
}

TEST(TensorTest, CopiesNothingWhenEmpty) {
  const auto tensor = Tensor::from_data(ScalarType::kFloat, Sizes{0, 4}, {});
  ASSERT_TRUE(tensor.has_value());
  EXPECT_TRUE(tensor->read({}).ok());
  EXPECT_TRUE(tensor->write({}).ok());
  const auto copy = tensor->clone_to_host();
  ASSERT_TRUE(copy.has_value()) << copy.error().message();
  EXPECT_EQ(copy->numel(), 0);
}

TEST(TensorTest, GivesNoElementsOfAnotherType) {
  const auto tensor = Tensor::of<float>({2}, {1, 2});
  EXPECT_TRUE(tensor->data<std::int32_t>().empty());
  EXPECT_TRUE(tensor->mutable_data<double>().empty());
}

TEST(TensorTest, GivesNoWritableBytesWhenConstant) {
  Tensor tensor = *Tensor::of<float>({2}, {1, 2});
  TensorStorage storage = tensor.storage();
  storage.read_only = true;
  tensor.bind(storage);
  EXPECT_TRUE(tensor.mutable_bytes().empty());
  EXPECT_TRUE(tensor.mutable_data<float>().empty());
  EXPECT_EQ(tensor.bytes().size(), 8u);
  EXPECT_EQ(tensor.write(std::vector<std::byte>(8)).message(),
            "float32[2] on the host is a constant and cannot be written");
}

TEST(TensorTest, ChecksByteCountsOfReadAndWrite) {
  const Tensor tensor = *Tensor::of<float>({2}, {1, 2});
  std::array<std::byte, 7> few = {};
  EXPECT_EQ(tensor.read(few).message(), "wrong number of bytes for float32[2] on the host: expected 8, found 7");
  EXPECT_EQ(tensor.write(few).message(), "wrong number of bytes for float32[2] on the host: expected 8, found 7");
}

TEST(TensorTest, ResizesWithinCapacityWhenBounded) {
  std::array<float, 12> elements = {};
  Tensor tensor = *Tensor::borrow(ScalarType::kFloat, Sizes{4, 3}, std::as_writable_bytes(std::span(elements)), {},
                                  Dynamism::kBound);
  EXPECT_TRUE(tensor.resize(Sizes{2, 3}).ok());
  EXPECT_EQ(tensor.nbytes(), 24u);
  EXPECT_TRUE(tensor.resize(Sizes{3, 4}).ok());
  EXPECT_EQ(tensor.resize(Sizes{5, 3}).message(),
            "a tensor has no room for these sizes: expected at most 48 bytes, found float32[5, 3]");
  EXPECT_EQ(tensor.resize(Sizes{12}).message(), "a tensor cannot take these sizes: expected 2 dimensions, found [12]");
  EXPECT_EQ(tensor.resize(Sizes{-1, 3}).message(),
            "a tensor has no room for these sizes: expected at most 48 bytes, found float32[-1, 3]");
  EXPECT_EQ(tensor.sizes()[0], 3);
}

TEST(TensorTest, KeepsItsSizesWhenStatic) {
  Tensor tensor = *Tensor::of<float>({2, 2}, {1, 2, 3, 4});
  EXPECT_TRUE(tensor.resize(Sizes{2, 2}).ok());
  EXPECT_EQ(tensor.resize(Sizes{1, 2}).message(),
            "a tensor cannot take these sizes: expected [2, 2], the tensor is static, found [1, 2]");
}

TEST(TensorTest, ClonesHostToHostWhereUpstreamAborts) {
  const Tensor tensor = *Tensor::of<float>({2, 2}, {1, 2, 3, 4});
  const auto copy = tensor.clone_to_host();
  ASSERT_TRUE(copy.has_value());
  tensor.mutable_data<float>()[0] = 9;
  EXPECT_EQ(copy->data<float>()[0], 1);
}

TEST(TensorTest, RefusesToCloneWithoutStorage) {
  Tensor tensor = *Tensor::of<float>({2}, {1, 2});
  tensor.unbind();
  EXPECT_EQ(tensor.clone_to_host().error().message(), "float32[2] on the host has no storage");
}

TEST(TensorTest, CopiesOnlyBetweenEqualLayouts) {
  const Tensor target = *Tensor::empty(ScalarType::kFloat, Sizes{2, 2});
  EXPECT_EQ(target.copy_from(*Tensor::of<float>({4}, {1, 2, 3, 4})).message(),
            "a copy between different tensors: expected float32[2, 2] in dim order [0, 1], found float32[4] in dim "
            "order [0]");
  EXPECT_EQ(target.copy_from(*Tensor::of<std::int32_t>({2, 2}, {1, 2, 3, 4})).message(),
            "a copy between different tensors: expected float32[2, 2] in dim order [0, 1], found int32[2, 2] in dim "
            "order [0, 1]");
}

TEST(TensorTest, SaysWhereHostMemoryIs) {
  const Tensor tensor = *Tensor::of<float>({2}, {1, 2});
  const TensorMemory memory = tensor.memory();
  EXPECT_EQ(memory.device, nullptr);
  EXPECT_TRUE(memory.has_address);
  EXPECT_EQ(memory.address, reinterpret_cast<std::uintptr_t>(tensor.bytes().data()));
  EXPECT_EQ(memory.bytes, 8u);
}

TEST(TensorTest, AnswersStatusWhenMemoryIsAbsurd) {
  const auto tensor = Tensor::empty(ScalarType::kByte, Sizes{2147483647, 2147483647});
  ASSERT_FALSE(tensor.has_value());
  EXPECT_EQ(tensor.error().code(), Code::kOutOfHostMemory);
}

}  // namespace
}  // namespace berth::module
