// Indices and lists of methods, values, chains and instructions.
#include <gtest/gtest.h>

#include "device_program.h"

namespace berth::program {
namespace {

// The message of the small program of which `edit` has changed the flatbuffer's bytes.
std::string message_without(const std::function<const void*(const wire::ExecutionPlan&)>& table, std::uint16_t slot) {
  const DeviceProgram program;
  std::vector<std::byte> file = program.builder.build();
  remove_field(file, table(*wire::GetProgram(file.data())->execution_plan()->Get(0)), slot);
  return open_message(file);
}

TEST(MethodChecksTest, RefusesProgramWithoutMethods) {
  const test::ProgramBuilder builder;
  EXPECT_EQ(open_message(builder), "test.pte: the program has no methods; export the program again");
}

TEST(MethodChecksTest, RefusesTwoMethodsOfOneName) {
  test::ProgramBuilder builder;
  builder.method("forward");
  builder.method("other");
  builder.method("forward");
  EXPECT_EQ(open_message(builder),
            "test.pte, method 'forward': two methods of the program have this name: expected a name of its own for "
            "each method; export the program again");
  for (int i = 0; i < 20; ++i) builder.method("method" + std::to_string(i));
  EXPECT_EQ(open_message(builder),
            "test.pte, method 'forward': two methods of the program have this name: expected a name of its own for "
            "each method; export the program again");
}

TEST(MethodChecksTest, RefusesMethodWithoutAName) {
  EXPECT_EQ(message_after([](DeviceProgram& p) { p.plan().name.clear(); }),
            "test.pte, method 0: the method has no name; export the program again");
}

TEST(MethodChecksTest, RefusesAbsentLists) {
  const auto plan = [](const wire::ExecutionPlan& p) -> const void* { return &p; };
  EXPECT_EQ(message_without(plan, wire::ExecutionPlan::VT_VALUES),
            "test.pte, method 'forward': the method has no list of values; export the program again");
  EXPECT_EQ(message_without(plan, wire::ExecutionPlan::VT_CHAINS),
            "test.pte, method 'forward': the method has no list of chains; export the program again");
  const std::string tail = ": expected a list, which may be empty; export the program again";
  EXPECT_EQ(message_without(plan, wire::ExecutionPlan::VT_INPUTS),
            "test.pte, method 'forward': the method has no list of inputs" + tail);
  EXPECT_EQ(message_without(plan, wire::ExecutionPlan::VT_OUTPUTS),
            "test.pte, method 'forward': the method has no list of outputs" + tail);
  EXPECT_EQ(message_without(plan, wire::ExecutionPlan::VT_OPERATORS),
            "test.pte, method 'forward': the method has no list of operators" + tail);
  EXPECT_EQ(message_without(plan, wire::ExecutionPlan::VT_DELEGATES),
            "test.pte, method 'forward': the method has no list of delegates" + tail);
  EXPECT_EQ(message_without(plan, wire::ExecutionPlan::VT_NON_CONST_BUFFER_SIZES),
            "test.pte, method 'forward': the method has no list of planned buffer sizes" + tail);
  EXPECT_EQ(message_without(plan, wire::ExecutionPlan::VT_CONTAINER_META_TYPE), "OK");
}

TEST(MethodChecksTest, RefusesAbsentListsOfCalls) {
  EXPECT_EQ(message_without([](const wire::ExecutionPlan& p) -> const void* { return p.chains()->Get(0); },
                            wire::Chain::VT_INSTRUCTIONS),
            "test.pte, method 'forward', chain 0: the chain has no list of instructions; export the program again");
  EXPECT_EQ(message_without(
                [](const wire::ExecutionPlan& p) -> const void* {
                  return p.chains()->Get(0)->instructions()->Get(0)->instr_args_as_KernelCall();
                },
                wire::KernelCall::VT_ARGS),
            "test.pte, method 'forward', chain 0, instruction 0: the call has no list of arguments; export the program "
            "again");
  EXPECT_EQ(message_after([](DeviceProgram& p) { p.instruction(1).instr_args.Reset(); }),
            "test.pte, method 'forward', chain 0, instruction 1: the instruction has no contents: expected a type from "
            "1 to 5 and its table, found type 0; export the program again");
}

TEST(MethodChecksTest, RefusesNegativeBufferSize) {
  EXPECT_EQ(message_after([](DeviceProgram& p) { p.plan().non_const_buffer_sizes[2] = -1; }),
            "test.pte, method 'forward', planned buffer 2: the buffer has a negative size: expected at least 0 bytes, "
            "found -1 bytes; export the program again");
}

TEST(MethodChecksTest, AcceptsMethodWithoutBuffers) {
  test::ProgramBuilder builder;
  builder.method("constant").wire().non_const_buffer_sizes.clear();
  EXPECT_EQ(open_message(builder), "OK");
}

TEST(MethodChecksTest, RefusesInputsAndOutputsThatAreNoValues) {
  EXPECT_EQ(message_after([](DeviceProgram& p) {
              p.forward.inputs({0, 4});
            }),
            "test.pte, method 'forward', input 1: it names a value that the method does not have: expected a value "
            "below 4, found value 4; export the program again");
  EXPECT_EQ(message_after([](DeviceProgram& p) { p.forward.outputs({-1}); }),
            "test.pte, method 'forward', output 0: it names a value that the method does not have: expected a value "
            "below 4, found value -1; export the program again");
}

TEST(MethodChecksTest, RefusesOperatorsAndDelegatesThatAreNotThere) {
  EXPECT_EQ(message_after([](DeviceProgram& p) { p.instruction(0).instr_args.AsKernelCall()->op_index = 2; }),
            "test.pte, method 'forward', chain 0, instruction 0: the kernel call names an operator that the method "
            "does not have: expected an index below 2, found 2; export the program again");
  EXPECT_EQ(message_after([](DeviceProgram& p) { p.instruction(1).instr_args.AsDelegateCall()->delegate_index = -1; }),
            "test.pte, method 'forward', chain 0, instruction 1: the delegate call names a delegate that the method "
            "does not have: expected an index below 1, found -1; export the program again");
}

TEST(MethodChecksTest, RefusesArgumentsThatAreNoValues) {
  EXPECT_EQ(message_after([](DeviceProgram& p) {
              p.instruction(0).instr_args.AsKernelCall()->args = {0, 1, 9};
            }),
            "test.pte, method 'forward', chain 0, instruction 0: argument 2 is a value that the method does not have: "
            "expected a value below 4, found value 9; export the program again");
  EXPECT_EQ(message_after([](DeviceProgram& p) {
              p.instruction(1).instr_args.AsDelegateCall()->args = {1, -7};
            }),
            "test.pte, method 'forward', chain 0, instruction 1: argument 1 is a value that the method does not have: "
            "expected a value below 4, found value -7; export the program again");
}

TEST(MethodChecksTest, RefusesMovesOfValuesThatAreNotThere) {
  EXPECT_EQ(message_after([](DeviceProgram& p) { p.forward.move(4, 0); }),
            "test.pte, method 'forward', chain 0, instruction 3: the move's source is a value that the method does not "
            "have: expected an index below 4, found 4; export the program again");
  EXPECT_EQ(message_after([](DeviceProgram& p) { p.forward.move(0, -1); }),
            "test.pte, method 'forward', chain 0, instruction 3: the move's destination is a value that the method "
            "does not have: expected an index below 4, found -1; export the program again");
}

TEST(MethodChecksTest, RefusesJumpsOutOfTheChain) {
  const auto jump_to = [](int destination) {
    return message_after([=](DeviceProgram& p) { p.forward.jump_false(p.forward.boolean(true), destination); });
  };
  EXPECT_EQ(jump_to(0), "OK");
  EXPECT_EQ(jump_to(3), "OK");  // itself: what that does is a matter of running it
  EXPECT_EQ(jump_to(4), "OK");  // the end
  EXPECT_EQ(jump_to(5),
            "test.pte, method 'forward', chain 0, instruction 3: the jump leads out of the chain: expected an "
            "instruction from 0 to 4, found 5; export the program again");
  EXPECT_EQ(jump_to(-1),
            "test.pte, method 'forward', chain 0, instruction 3: the jump leads out of the chain: expected an "
            "instruction from 0 to 4, found -1; export the program again");
}

TEST(MethodChecksTest, RefusesConditionsThatAreNoTruthValues) {
  EXPECT_EQ(message_after([](DeviceProgram& p) { p.forward.jump_false(17, 0); }),
            "test.pte, method 'forward', chain 0, instruction 3: the jump's condition is a value that the method does "
            "not have: expected an index below 4, found 17; export the program again");
  EXPECT_EQ(message_after([](DeviceProgram& p) { p.forward.jump_false(p.x, 0); }),
            "test.pte, method 'forward', chain 0, instruction 3: the jump's condition is no truth value: expected a "
            "bool or a tensor of bools, found value 0 of another type; export the program again");
  EXPECT_EQ(message_after(
                [](DeviceProgram& p) { p.forward.jump_false(p.forward.tensor({.scalar_type = 11, .sizes = {1}}), 0); }),
            "OK");
}

TEST(MethodChecksTest, RefusesFreeingWhatIsNoTensor) {
  EXPECT_EQ(message_after([](DeviceProgram& p) { p.forward.free_value(-3); }),
            "test.pte, method 'forward', chain 0, instruction 3: the free call names a value that the method does not "
            "have: expected an index below 4, found -3; export the program again");
  EXPECT_EQ(message_after([](DeviceProgram& p) { p.forward.free_value(p.forward.none()); }),
            "test.pte, method 'forward', chain 0, instruction 3: the free call names a value that is no tensor: "
            "expected a tensor, found value 4; export the program again");
  EXPECT_EQ(message_after([](DeviceProgram& p) { p.forward.free_value(p.x); }), "OK");
}

TEST(MethodChecksTest, RefusesListItemsThatCannotBe) {
  EXPECT_EQ(message_after([](DeviceProgram& p) {
              p.forward.int_list({p.forward.integer(1), 9});
            }),
            "test.pte, method 'forward', value 5: item 1 of the list names a value that cannot be in it: expected the "
            "index of a number of the method, found value 9; export the program again");
  EXPECT_EQ(message_after([](DeviceProgram& p) { p.forward.int_list({p.x}); }),
            "test.pte, method 'forward', value 4: item 0 of the list names a value that cannot be in it: expected the "
            "index of a number of the method, found value 0; export the program again");
  EXPECT_EQ(message_after([](DeviceProgram& p) {
              p.forward.tensor_list({p.x, -1});
            }),
            "test.pte, method 'forward', value 4: item 1 of the list names a value that cannot be in it: expected the "
            "index of a tensor of the method, found value -1; export the program again");
  EXPECT_EQ(message_after([](DeviceProgram& p) { p.forward.tensor_list({p.forward.none()}); }),
            "test.pte, method 'forward', value 5: item 0 of the list names a value that cannot be in it: expected the "
            "index of a tensor of the method, found value 4; export the program again");
  EXPECT_EQ(message_after([](DeviceProgram& p) {
              p.forward.optional_tensor_list({-1, p.forward.none(), p.x, -2});
            }),
            "test.pte, method 'forward', value 5: item 3 of the list names a value that cannot be in it: expected the "
            "index of a tensor of the method, found value -2; export the program again");
}

TEST(MethodChecksTest, AcceptsListsWhoseItemsComeLater) {
  EXPECT_EQ(message_after([](DeviceProgram& p) {
              p.forward.int_list({6});
              p.forward.optional_tensor_list({-1, p.x, p.y});
              p.forward.integer(4);
            }),
            "OK");
}

TEST(MethodChecksTest, RefusesValuesOfUnknownType) {
  const DeviceProgram program;
  std::vector<std::byte> file = program.builder.build();
  const auto* value = wire::GetProgram(file.data())->execution_plan()->Get(0)->values()->Get(0);
  remove_field(file, value, wire::EValue::VT_VAL_TYPE);
  EXPECT_EQ(open_message(file),
            "test.pte, method 'forward', value 0: the value's type is unknown: expected a type from 1 to 11, found 0; "
            "export the program again");
}

TEST(MethodChecksTest, RefusesValuesWithoutContents) {
  const DeviceProgram program;
  std::vector<std::byte> file = program.builder.build();
  const auto* value = wire::GetProgram(file.data())->execution_plan()->Get(0)->values()->Get(0);
  remove_field(file, value, wire::EValue::VT_VAL);
  EXPECT_EQ(open_message(file),
            "test.pte, method 'forward', value 0: the value has no contents: expected a table for its type; export the "
            "program again");
}

TEST(MethodChecksTest, RefusesOperatorsWithoutAName) {
  EXPECT_EQ(message_after([](DeviceProgram& p) { p.plan().operators[1]->name.clear(); }),
            "test.pte, method 'forward', operator 1: the operator has no name; export the program again");
}

}  // namespace
}  // namespace berth::program
