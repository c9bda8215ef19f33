#include "berth/program/method_meta.h"

#include <gtest/gtest.h>

#include "berth/program/program.h"
#include "device_program.h"

namespace berth::program {
namespace {

Result<MethodMeta> meta_of(const test::ProgramBuilder& builder, std::string_view method) {
  auto program = Program::from_bytes(builder.build(), "test.pte");
  if (!program) return fail(program.error());
  return MethodMeta::create(*program, method);
}

template <typename T>
std::string message_of(const Result<T>& result) {
  return result.has_value() ? "OK" : result.error().message();
}

TEST(MethodMetaTest, AnswersWithoutLoading) {
  const DeviceProgram program;
  const auto meta = meta_of(program.builder, "forward");
  ASSERT_TRUE(meta.has_value()) << meta.error().message();
  EXPECT_EQ(meta->name(), "forward");
  ASSERT_EQ(meta->num_inputs(), 1U);
  ASSERT_EQ(meta->num_outputs(), 1U);
  EXPECT_EQ(meta->input_type(0).value(), ValueType::kTensor);
  EXPECT_EQ(meta->output_type(0).value(), ValueType::kTensor);
  EXPECT_EQ(meta->input_tensor(0).value()->bytes, 16U);
  EXPECT_EQ(meta->output_tensor(0).value()->offset, 16U);
  ASSERT_EQ(meta->num_planned_buffers(), 2U);
  EXPECT_EQ(meta->planned_buffer_bytes(0).value(), 32U);
  EXPECT_EQ(meta->planned_buffer_device(0).value(), (ProgramDevice{0, 0}));
  EXPECT_EQ(meta->planned_buffer_device(1).value(), (ProgramDevice{1, 0}));
  ASSERT_EQ(meta->num_operators(), 2U);
  EXPECT_EQ(meta->operator_name(1).value(), "et_copy::_d2h_copy.out");
  ASSERT_EQ(meta->num_delegates(), 1U);
  EXPECT_EQ(meta->delegate_id(0).value(), "Demo");
}

TEST(MethodMetaTest, KeepsTheProgramAlive) {
  const DeviceProgram program;
  const MethodMeta meta = meta_of(program.builder, "forward").value();
  EXPECT_EQ(meta.plan().tensors.size(), 4U);
  EXPECT_EQ(meta.program()->name(), "test.pte");
}

TEST(MethodMetaTest, ListsTheMethodsWhenThereIsNoneOfTheName) {
  test::ProgramBuilder builder;
  builder.method("encode");
  const auto one = meta_of(builder, "forward");
  EXPECT_EQ(message_of(one),
            "test.pte: the program has no such method: expected 'encode', found 'forward'; name a method of the "
            "program");
  EXPECT_EQ(one.error().code(), Code::kInvalidArgument);
  EXPECT_EQ(one.error().origin(), Origin::kUsage);
  builder.method("decode");
  EXPECT_EQ(message_of(meta_of(builder, "forward")),
            "test.pte: the program has no such method: expected one of 'encode', 'decode', found 'forward'; name a "
            "method of the program");
}

TEST(MethodMetaTest, RefusesIndicesThatAreTooLarge) {
  const DeviceProgram program;
  const MethodMeta meta = meta_of(program.builder, "forward").value();
  const auto message = [](const std::string& what, int count, int index) {
    return "test.pte, method 'forward': the method has no such " + what + ": expected an index below " +
           std::to_string(count) + ", found " + std::to_string(index) + "; ask for one that the method has";
  };
  EXPECT_EQ(message_of(meta.input_type(1)), message("input", 1, 1));
  EXPECT_EQ(message_of(meta.input_tensor(1)), message("input", 1, 1));
  EXPECT_EQ(message_of(meta.output_type(2)), message("output", 1, 2));
  EXPECT_EQ(message_of(meta.output_tensor(2)), message("output", 1, 2));
  EXPECT_EQ(message_of(meta.planned_buffer_bytes(2)), message("planned buffer", 2, 2));
  EXPECT_EQ(message_of(meta.planned_buffer_device(2)), message("planned buffer", 2, 2));
  EXPECT_EQ(message_of(meta.operator_name(2)), message("operator", 2, 2));
  EXPECT_EQ(message_of(meta.delegate_id(1)), message("delegate", 1, 1));
}

TEST(MethodMetaTest, SaysThatThereAreNoneAtAll) {
  test::ProgramBuilder builder;
  builder.method("empty");
  EXPECT_EQ(message_of(meta_of(builder, "empty")->input_type(0)),
            "test.pte, method 'empty': the method has no such input: expected no index: there are none, found 0; "
            "ask for one that the method has");
}

TEST(MethodMetaTest, RefusesTensorsOfValuesThatAreNone) {
  test::ProgramBuilder builder;
  test::MethodBuilder& forward = builder.method("forward");
  const int number = forward.integer(5);
  const int text = forward.text("hello");
  forward.inputs({number}).outputs({text});
  const MethodMeta meta = meta_of(builder, "forward").value();
  EXPECT_EQ(meta.input_type(0).value(), ValueType::kInt);
  EXPECT_EQ(meta.output_type(0).value(), ValueType::kString);
  EXPECT_EQ(message_of(meta.input_tensor(0)),
            "test.pte, method 'forward': input 0 is no tensor; ask for its type first");
  EXPECT_EQ(message_of(meta.output_tensor(0)),
            "test.pte, method 'forward': output 0 is no tensor; ask for its type first");
}

}  // namespace
}  // namespace berth::program
