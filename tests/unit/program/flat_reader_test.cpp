// Malformed flatbuffers that no flipped bit makes: what is shared or unaligned on purpose.
#include <gtest/gtest.h>

#include <cstring>

#include "device_program.h"

namespace berth::program {
namespace {

// A program whose `calls` kernel calls all share one list of `args` arguments.
std::vector<std::byte> write_shared_arguments(int calls, int args) {
  flatbuffers::FlatBufferBuilder builder;
  const std::vector<std::int32_t> indices(static_cast<std::size_t>(args), 0);
  const auto shared = builder.CreateVector(indices);
  std::vector<flatbuffers::Offset<wire::Instruction>> instructions;
  for (int i = 0; i < calls; ++i) {
    instructions.push_back(wire::CreateInstruction(builder, wire::InstructionArguments::KernelCall,
                                                   wire::CreateKernelCall(builder, 0, shared).Union()));
  }
  const std::vector<flatbuffers::Offset<wire::EValue>> values = {
      wire::CreateEValue(builder, wire::KernelTypes::Null, wire::CreateNull(builder).Union())};
  const std::vector<flatbuffers::Offset<wire::Operator>> operators = {
      wire::CreateOperatorDirect(builder, "mine::op", "out")};
  const std::vector<flatbuffers::Offset<wire::Chain>> chains = {
      wire::CreateChainDirect(builder, nullptr, nullptr, &instructions)};
  const std::vector<flatbuffers::Offset<wire::BackendDelegate>> delegates;
  const std::vector<std::int32_t> none;
  const std::vector<std::int64_t> sizes = {0};
  const std::vector<flatbuffers::Offset<wire::ExecutionPlan>> plans = {wire::CreateExecutionPlanDirect(
      builder, "forward", 0, &values, &none, &none, &chains, &operators, &delegates, &sizes)};
  builder.Finish(wire::CreateProgramDirect(builder, 0, &plans), wire::ProgramIdentifier());
  const auto* data = reinterpret_cast<const std::byte*>(builder.GetBufferPointer());
  return {data, data + builder.GetSize()};
}

TEST(FlatReaderTest, AcceptsListsThatAreSharedALittle) {
  EXPECT_EQ(open_message(write_shared_arguments(100, 3)), "OK");
}

TEST(FlatReaderTest, RefusesListsThatAreSharedWithoutEnd) {
  const std::vector<std::byte> file = write_shared_arguments(1000, 1000);
  EXPECT_EQ(open_message(file),
            "test.pte, method 'forward', chain 0, instruction 12: the flatbuffer is malformed: expected tables, lists "
            "and strings inside its " +
                std::to_string(file.size()) +
                " bytes, found so many shared tables or lists that reading them takes more than its size allows; the "
                "file is damaged or was written by a faulty tool: copy or export it again");
}

TEST(FlatReaderTest, RefusesListsOfEightByteElementsThatAreNotAligned) {
  test::ProgramBuilder builder;
  builder.method("forward").buffer(64);
  std::vector<std::byte> file = builder.build();
  // Moves the field's reference by four bytes, into the middle of the list, where its zeros make a list of none.
  const auto* plan = wire::GetProgram(file.data())->execution_plan()->Get(0);
  const auto* sizes = reinterpret_cast<const std::byte*>(plan->non_const_buffer_sizes());
  const auto* table = reinterpret_cast<const flatbuffers::Table*>(plan);
  const auto* field = reinterpret_cast<const std::byte*>(plan) +
                      table->GetOptionalFieldOffset(wire::ExecutionPlan::VT_NON_CONST_BUFFER_SIZES);
  const auto distance = static_cast<std::uint32_t>(sizes - 4 - field);
  std::byte* list = file.data() + (sizes - 4 - file.data());
  const std::uint32_t one = 1;
  std::memcpy(list, &one, sizeof(one));
  std::memcpy(file.data() + (field - file.data()), &distance, sizeof(distance));
  EXPECT_EQ(open_message(file),
            "test.pte, method 'forward': the flatbuffer is malformed: expected tables, lists and strings inside its " +
                std::to_string(file.size()) +
                " bytes, found a list of eight-byte elements that is not aligned to eight at byte " +
                std::to_string(list + 4 - file.data()) +
                "; the file is damaged or was written by a faulty tool: copy or export it again");
}

TEST(FlatReaderTest, RefusesStringsWithoutAnEnd) {
  const DeviceProgram program;
  std::vector<std::byte> file = program.builder.build();
  const auto* name = wire::GetProgram(file.data())->execution_plan()->Get(0)->name();
  const auto end = reinterpret_cast<const std::byte*>(name->c_str()) + name->size() - file.data();
  file[static_cast<std::size_t>(end)] = std::byte{'x'};
  const std::string message = open_message(file);
  EXPECT_TRUE(
      message.starts_with("test.pte, method 0: the flatbuffer is malformed: expected tables, lists and strings "
                          "inside its "))
      << message;
  EXPECT_TRUE(message.ends_with("found a string without a terminating zero byte at byte " +
                                std::to_string(end - name->size()) +
                                "; the file is damaged or was written by a faulty tool: copy or export it again"))
      << message;
}

}  // namespace
}  // namespace berth::program
