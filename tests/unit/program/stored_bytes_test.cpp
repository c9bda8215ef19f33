// Where constants, states, blobs and named data are stored.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "berth/program/program.h"
#include "device_program.h"

namespace berth::program {
namespace {

using test::bytes_of;
using test::MethodBuilder;
using test::ProgramBuilder;
using Layout = ProgramBuilder::Layout;

std::vector<float> floats(std::span<const std::byte> bytes) {
  std::vector<float> numbers(bytes.size() / sizeof(float));
  if (!bytes.empty()) std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

std::string text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

class LayoutTest : public ::testing::TestWithParam<Layout> {};
INSTANTIATE_TEST_SUITE_P(BothLayouts, LayoutTest, ::testing::Values(Layout::kSegments, Layout::kInline),
                         [](const auto& layout) { return layout.param == Layout::kSegments ? "Segments" : "Inline"; });

TEST_P(LayoutTest, FindsConstantsAndBlobs) {
  ProgramBuilder builder(GetParam());
  MethodBuilder& forward = builder.method("forward");
  const std::uint32_t first = builder.constant(bytes_of<float>({1}));
  const std::uint32_t second = builder.constant(bytes_of<float>({2, 3}));
  forward.tensor({.sizes = {1}, .data_index = first});
  forward.tensor({.sizes = {2}, .data_index = second});
  forward.tensor({.sizes = {0}, .data_index = second});
  forward.delegate("One", "first blob");
  forward.delegate("Two", "second", {{"key", "value"}, {"empty", ""}});

  const auto program = Program::from_bytes(builder.build(), "test.pte");
  ASSERT_TRUE(program.has_value()) << program.error().message();
  const MethodPlan& plan = (*program)->methods()[0];
  EXPECT_EQ(plan.tensors[0].storage, Storage::kConstant);
  EXPECT_EQ(floats(plan.tensors[0].data), (std::vector<float>{1}));
  EXPECT_EQ(floats(plan.tensors[1].data), (std::vector<float>{2, 3}));
  EXPECT_TRUE(plan.tensors[2].data.empty());
  ASSERT_EQ(plan.delegates.size(), 2U);
  EXPECT_EQ(plan.delegates[0].id, "One");
  EXPECT_EQ(text(plan.delegates[0].blob), "first blob");
  EXPECT_EQ(text(plan.delegates[1].blob), "second");
  ASSERT_EQ(plan.delegates[1].compile_specs.size(), 2U);
  EXPECT_EQ(plan.delegates[1].compile_specs[0].key, "key");
  EXPECT_EQ(text(plan.delegates[1].compile_specs[0].value), "value");
  EXPECT_TRUE(plan.delegates[1].compile_specs[1].value.empty());
}

TEST(StoredBytesTest, FindsInitialStates) {
  ProgramBuilder builder;
  MethodBuilder& forward = builder.method("forward");
  const int buffer = forward.buffer(16);
  const std::uint32_t state = builder.state(bytes_of<float>({5, 6}));
  forward.tensor({.sizes = {2}, .memory_id = buffer, .offset = 8, .data_index = state, .name = "counter"});
  const auto program = Program::from_bytes(builder.build(), "test.pte");
  ASSERT_TRUE(program.has_value()) << program.error().message();
  const TensorPlan& tensor = (*program)->methods()[0].tensors[0];
  EXPECT_EQ(tensor.storage, Storage::kPlannedState);
  EXPECT_EQ(tensor.name, "counter");
  EXPECT_EQ(tensor.offset, 8U);
  EXPECT_EQ(floats(tensor.data), (std::vector<float>{5, 6}));
}

TEST(StoredBytesTest, LooksForExternalTensorsByNameWhateverTheirIndex) {
  ProgramBuilder builder;
  MethodBuilder& forward = builder.method("forward");
  forward.tensor({.sizes = {2}, .data_index = 77, .name = "linear.weight", .external = true});
  const auto program = Program::from_bytes(builder.build(), "test.pte");
  ASSERT_TRUE(program.has_value()) << program.error().message();
  const TensorPlan& tensor = (*program)->methods()[0].tensors[0];
  EXPECT_EQ(tensor.storage, Storage::kExternal);
  EXPECT_EQ(tensor.name, "linear.weight");
  EXPECT_TRUE(tensor.data.empty());
}

TEST(StoredBytesTest, FindsNamedDataByItsWholeKey) {
  ProgramBuilder builder;
  builder.method("forward");
  builder.named_data("weights", bytes_of<float>({1, 2}));
  builder.named_data("weights.more", bytes_of<float>({3}));
  const auto program = Program::from_bytes(builder.build(), "test.pte");
  ASSERT_TRUE(program.has_value()) << program.error().message();
  EXPECT_THAT((*program)->named_data_keys(), ::testing::ElementsAre("weights", "weights.more"));
  EXPECT_EQ(floats((*program)->named_data("weights").value()), (std::vector<float>{1, 2}));
  EXPECT_EQ(floats((*program)->named_data("weights.more").value()), (std::vector<float>{3}));
  EXPECT_FALSE((*program)->named_data("weight").has_value());
}

TEST_P(LayoutTest, RefusesConstantsThatAreNotThere) {
  ProgramBuilder builder(GetParam());
  builder.constant(bytes_of<float>({1}));
  builder.method("forward").tensor({.sizes = {1}, .data_index = 2});
  EXPECT_EQ(open_message(builder),
            "test.pte, method 'forward', value 0: the tensor names a constant that the program does not hold: expected "
            "an index below 2, found index 2; export the program again");
}

TEST(StoredBytesTest, RefusesConstantsOfTooFewBytes) {
  ProgramBuilder segments;
  segments.constant(bytes_of<float>({1, 2}));
  segments.method("forward").tensor({.sizes = {3}, .data_index = 1});
  EXPECT_EQ(open_message(segments),
            "test.pte, method 'forward', value 0: the program holds too few bytes of a constant for its tensor: "
            "expected a range inside the segment's 8 bytes, found 12 bytes at offset 0; export the program again");
  ProgramBuilder in_line(Layout::kInline);
  in_line.constant(bytes_of<float>({1, 2}));
  in_line.method("forward").tensor({.sizes = {3}, .data_index = 1});
  EXPECT_EQ(open_message(in_line),
            "test.pte, method 'forward', value 0: the program holds too few bytes of a constant for its tensor: "
            "expected 12 bytes, found 8 bytes; export the program again");
}

TEST(StoredBytesTest, RefusesConstantOffsetsThatWrap) {
  ProgramBuilder builder;
  builder.constant(bytes_of<float>({1, 2}));
  builder.method("forward").tensor({.sizes = {2}, .data_index = 1});
  EXPECT_EQ(open_message(builder, [](wire::ProgramT& p) { p.constant_segment->offsets[1] = UINT64_MAX - 3; }),
            "test.pte, method 'forward', value 0: the program holds too few bytes of a constant for its tensor: "
            "expected a range inside the segment's 8 bytes, found 8 bytes at offset 18446744073709551612; export the "
            "program again");
}

TEST(StoredBytesTest, RefusesStatesThatAreNotThere) {
  ProgramBuilder builder;
  MethodBuilder& forward = builder.method("forward");
  const int buffer = forward.buffer(16);
  builder.state(bytes_of<float>({5, 6}));
  forward.tensor({.sizes = {2}, .memory_id = buffer, .data_index = 1, .state_list = 3});
  EXPECT_EQ(open_message(builder),
            "test.pte, method 'forward', value 0: the tensor names a mutable data segment that the program does not "
            "list: expected an index below 1, found index 3; export the program again");
  forward.wire().values[0]->val.AsTensor()->extra_tensor_info->mutable_data_segments_idx = 0;
  forward.wire().values[0]->val.AsTensor()->data_buffer_idx = 9;
  EXPECT_EQ(open_message(builder),
            "test.pte, method 'forward', value 0: the tensor names an initial state that the program does not hold: "
            "expected an index below 2, found index 9; export the program again");
}

TEST(StoredBytesTest, RefusesConstantsStoredTwice) {
  ProgramBuilder builder;
  builder.method("forward");
  builder.constant(bytes_of<float>({1}));
  EXPECT_EQ(
      open_message(builder, [](wire::ProgramT& p) { p.constant_buffer.push_back(std::make_unique<wire::BufferT>()); }),
      "test.pte: constants are stored twice, in a segment and in the flatbuffer: expected constant_segment or "
      "constant_buffer, found both; export the program again");
}

TEST(StoredBytesTest, RefusesSegmentsOutsideTheFile) {
  ProgramBuilder builder;
  builder.method("forward");
  builder.constant(bytes_of<float>({1, 2}));
  EXPECT_EQ(open_message(builder, [](wire::ProgramT& p) { p.segments[0]->size = 9; }),
            "test.pte, segment 0: the segment is not inside the file: expected a range inside the 8 bytes of segment "
            "data, found 9 bytes at offset 0; the file is incomplete or damaged: copy or export it again");
  EXPECT_EQ(open_message(builder, [](wire::ProgramT& p) { p.segments[0]->offset = UINT64_MAX; }),
            "test.pte, segment 0: the segment is not inside the file: expected a range inside the 8 bytes of segment "
            "data, found 8 bytes at offset 18446744073709551615; the file is incomplete or damaged: copy or export it "
            "again");
}

TEST(StoredBytesTest, RefusesSegmentsThatAreNotListed) {
  ProgramBuilder builder;
  builder.method("forward").delegate("Demo", "blob");
  builder.constant(bytes_of<float>({1}));
  builder.named_data("key", bytes_of<float>({1}));
  EXPECT_EQ(open_message(builder, [](wire::ProgramT& p) { p.constant_segment->segment_index = 3; }),
            "test.pte, constant segment: it names a segment that the program does not list: expected a segment below "
            "3, found segment 3; export the program again");
  EXPECT_EQ(open_message(builder, [](wire::ProgramT& p) { p.named_data[0]->segment_index = 99; }),
            "test.pte, named data 0: it names a segment that the program does not list: expected a segment below 3, "
            "found segment 99; export the program again");
  EXPECT_EQ(
      open_message(builder, [](wire::ProgramT& p) { p.execution_plan[0]->delegates[0]->processed->index = 7; }),
      "test.pte, method 'forward', delegate 0: the delegate's data is in a segment that the program does not list: "
      "expected an index below 3, found index 7; export the program again");
}

TEST(StoredBytesTest, AcceptsPlaceholderSegmentsWithoutBytes) {
  ProgramBuilder builder;
  builder.method("forward");
  EXPECT_EQ(open_message(builder, [](wire::ProgramT& p) { p.segments.clear(); }), "OK");
}

TEST(StoredBytesTest, RefusesDelegatesWithoutNameDataOrSpecs) {
  ProgramBuilder builder;
  MethodBuilder& forward = builder.method("forward");
  forward.delegate("Demo", "blob", {{"key", "value"}});
  EXPECT_EQ(open_message(builder, [](wire::ProgramT& p) { p.execution_plan[0]->delegates[0]->id.clear(); }),
            "test.pte, method 'forward', delegate 0: the delegate has no name; export the program again");
  EXPECT_EQ(open_message(builder, [](wire::ProgramT& p) { p.execution_plan[0]->delegates[0]->processed.reset(); }),
            "test.pte, method 'forward', delegate 0: the delegate does not say where its data is: expected a reference "
            "to a segment or to inline data, found none; export the program again");
  std::vector<std::byte> file = builder.build();
  remove_field(file, wire::GetProgram(file.data())->execution_plan()->Get(0)->delegates()->Get(0),
               wire::BackendDelegate::VT_COMPILE_SPECS);
  EXPECT_EQ(open_message(file),
            "test.pte, method 'forward', delegate 0: the delegate has no list of compile specs: expected a list, which "
            "may be empty; export the program again");
}

}  // namespace
}  // namespace berth::program
