// What a tensor says about itself.
#include <gtest/gtest.h>

#include "device_program.h"

namespace berth::program {
namespace {

std::string message_of(const test::TensorSpec& spec) {
  test::ProgramBuilder builder;
  test::MethodBuilder& forward = builder.method("forward");
  forward.buffer(64);
  forward.tensor(spec);
  return open_message(builder);
}

TEST(TensorChecksTest, AcceptsEveryElementTypeAtOffsetsOfItsSize) {
  for (const std::int8_t type : {0, 1, 2, 3, 4, 5, 6, 7, 11, 12, 13, 14, 15, 16, 17, 22, 23, 24, 25, 26, 27, 28, 29}) {
    EXPECT_EQ(message_of({.scalar_type = type, .sizes = {2}, .memory_id = 1, .offset = 8}), "OK") << int{type};
  }
}

TEST(TensorChecksTest, RefusesUnknownElementType) {
  for (const std::int8_t type : {8, 9, 10, 18, 21, 30, 31, 127, -1, -128}) {
    EXPECT_EQ(
        message_of({.scalar_type = type, .sizes = {2}}),
        "test.pte, method 'forward', value 0: the tensor's element type is unknown: expected a scalar type of the "
        "ExecuTorch schema, found " +
            std::to_string(type) + "; export the program again");
  }
}

TEST(TensorChecksTest, RefusesStorageOffset) {
  EXPECT_EQ(message_of({.sizes = {2}, .storage_offset = 4}),
            "test.pte, method 'forward', value 0: the tensor starts inside its storage: expected storage offset 0, "
            "found 4; export the program again");
}

TEST(TensorChecksTest, RefusesUnknownDynamism) {
  EXPECT_EQ(message_of({.sizes = {2}, .dynamism = 3}),
            "test.pte, method 'forward', value 0: the tensor's shape dynamism is unknown: expected 0 (static), 1 "
            "(bound) or 2 (unbound), found 3; export the program again");
}

TEST(TensorChecksTest, RefusesMoreThanSixteenDimensions) {
  EXPECT_EQ(message_of({.sizes = std::vector<std::int32_t>(16, 1)}), "OK");
  EXPECT_EQ(message_of({.sizes = std::vector<std::int32_t>(17, 1)}),
            "test.pte, method 'forward', value 0: the tensor has too many dimensions: expected at most 16, found 17; "
            "export the program again");
}

TEST(TensorChecksTest, RefusesNegativeSize) {
  EXPECT_EQ(message_of({.sizes = {2, -3}}),
            "test.pte, method 'forward', value 0: the tensor has a negative size: expected sizes of at least 0, found "
            "sizes [2, -3]; export the program again");
}

TEST(TensorChecksTest, RefusesDimOrderOfAnotherLength) {
  EXPECT_EQ(message_of({.sizes = {2, 3}, .dim_order = {{0, 1, 2}}}),
            "test.pte, method 'forward', value 0: sizes and dim order of the tensor differ in length: expected 2 "
            "dimensions in the dim order, found 3; export the program again");
}

TEST(TensorChecksTest, RefusesDimOrderThatIsNoPermutation) {
  EXPECT_EQ(message_of({.sizes = {2, 3, 4}, .dim_order = {{0, 0, 0}}}),
            "test.pte, method 'forward', value 0: the dim order of the tensor is no permutation of its dimensions: "
            "expected each of the 3 dimensions once, found dim order [0, 0, 0]; export the program again");
  EXPECT_EQ(message_of({.sizes = {2, 3}, .dim_order = {{0, 255}}}),
            "test.pte, method 'forward', value 0: the dim order of the tensor is no permutation of its dimensions: "
            "expected each of the 2 dimensions once, found dim order [0, 255]; export the program again");
}

TEST(TensorChecksTest, RefusesBytesThatCannotBeCounted) {
  const std::vector<std::int32_t> huge(3, INT32_MAX);
  EXPECT_EQ(message_of({.sizes = huge}),
            "test.pte, method 'forward', value 0: the tensor has more bytes than can be counted: expected less than "
            "2^63 bytes, found sizes [2147483647, 2147483647, 2147483647] of float32; export the program again");
  EXPECT_EQ(message_of({.sizes = huge, .memory_id = 1, .dynamism = 1}),
            "test.pte, method 'forward', value 0: the tensor has more bytes than can be counted: expected less than "
            "2^63 bytes, found sizes [2147483647, 2147483647, 2147483647] of float32; export the program again");
}

TEST(TensorChecksTest, AcceptsUncountableBoundsOfUnplannedDynamicTensors) {
  EXPECT_EQ(message_of({.sizes = std::vector<std::int32_t>(3, INT32_MAX), .dynamism = 1}), "OK");
}

TEST(TensorChecksTest, AcceptsEmptyTensorWhoseOtherSizesAreHuge) {
  EXPECT_EQ(message_of({.sizes = {INT32_MAX, INT32_MAX, INT32_MAX, 0}, .memory_id = 1, .offset = 64}), "OK");
}

TEST(TensorChecksTest, RefusesMemoryIdsThatTheMethodDoesNotHave) {
  EXPECT_EQ(message_of({.sizes = {2}, .memory_id = 0}),
            "test.pte, method 'forward', value 0: the tensor names a planned buffer that the method does not have: "
            "expected a memory id from 1 to 1, found memory id 0; export the program again");
  EXPECT_EQ(message_of({.sizes = {2}, .memory_id = 2}),
            "test.pte, method 'forward', value 0: the tensor names a planned buffer that the method does not have: "
            "expected a memory id from 1 to 1, found memory id 2; export the program again");
}

TEST(TensorChecksTest, RefusesRangePastTheEndOfItsBuffer) {
  EXPECT_EQ(message_of({.sizes = {4}, .memory_id = 1, .offset = 48}), "OK");
  EXPECT_EQ(message_of({.sizes = {4}, .memory_id = 1, .offset = 52}),
            "test.pte, method 'forward', value 0: the tensor is not inside planned buffer 1: expected a range inside "
            "its 64 bytes, found 16 bytes at offset 52; export the program again");
  EXPECT_EQ(message_of({.sizes = {4}, .memory_id = 1, .offset = UINT64_MAX - 7}),
            "test.pte, method 'forward', value 0: the tensor is not inside planned buffer 1: expected a range inside "
            "its 64 bytes, found 16 bytes at offset 18446744073709551608; export the program again");
  EXPECT_EQ(message_of({.sizes = {1 << 20}, .memory_id = 1}),
            "test.pte, method 'forward', value 0: the tensor is not inside planned buffer 1: expected a range inside "
            "its 64 bytes, found 4194304 bytes at offset 0; export the program again");
}

TEST(TensorChecksTest, RefusesOffsetThatIsNotAlignedToTheElements) {
  EXPECT_EQ(message_of({.scalar_type = 4, .sizes = {2}, .memory_id = 1, .offset = 4}),
            "test.pte, method 'forward', value 0: the tensor's offset in planned buffer 1 is not aligned to its "
            "elements: expected a multiple of 8, found offset 4; export the program again");
}

TEST(TensorChecksTest, RefusesExternalTensorWithoutAName) {
  EXPECT_EQ(message_of({.sizes = {2}, .external = true}),
            "test.pte, method 'forward', value 0: the tensor's bytes are in a data file, but it has no name: expected "
            "a fully qualified name; export the program again");
}

TEST(TensorChecksTest, RefusesUnknownDataLocation) {
  test::ProgramBuilder builder;
  builder.method("forward").tensor({.sizes = {2}, .name = "w"});
  EXPECT_EQ(open_message(builder,
                         [](wire::ProgramT& program) {
                           program.execution_plan[0]->values[0]->val.AsTensor()->extra_tensor_info->location =
                               static_cast<wire::TensorDataLocation>(2);
                         }),
            "test.pte, method 'forward', value 0: the tensor's data location is unknown: expected 0 (segment) or 1 "
            "(external), found 2; export the program again");
}

TEST(TensorChecksTest, RefusesTensorWithoutSizesOrDimOrder) {
  test::ProgramBuilder builder;
  builder.method("forward").tensor({.sizes = {2}});
  for (const bool sizes : {true, false}) {
    std::vector<std::byte> file = builder.build();
    const auto* tensor = wire::GetProgram(file.data())->execution_plan()->Get(0)->values()->Get(0)->val_as_Tensor();
    remove_field(file, tensor, sizes ? wire::Tensor::VT_SIZES : wire::Tensor::VT_DIM_ORDER);
    EXPECT_EQ(open_message(file), std::string("test.pte, method 'forward', value 0: the tensor has no ") +
                                      (sizes ? "sizes" : "dim order") +
                                      ": expected sizes and dim order; export the program again");
  }
}

}  // namespace
}  // namespace berth::program
