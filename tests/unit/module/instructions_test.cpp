// Running: the five kinds of instructions, bindings that are restored, endless loops, and what failures say.
#include <gtest/gtest.h>

#include "module_fixture.h"

namespace berth::module {
namespace {

class InstructionTest : public ModuleTest {
 protected:
  std::vector<Value> run(Module& module, std::vector<Value> inputs) {
    auto outputs = module.execute("forward", inputs);
    EXPECT_TRUE(outputs.has_value()) << outputs.error().message();
    return outputs.has_value() ? *std::move(outputs) : std::vector<Value>();
  }
  std::string failure(const ProgramBuilder& builder, std::vector<Value> inputs, Code code = Code::kInvalidProgram) {
    const auto module = load(builder);
    const auto outputs = module->execute("forward", inputs);
    EXPECT_FALSE(outputs.has_value());
    if (outputs.has_value()) return "OK";
    EXPECT_EQ(outputs.error().code(), code) << outputs.error().message();
    return outputs.error().message();
  }
};

TEST_F(InstructionTest, RunsKernelsOnTheHost) {
  ProgramBuilder builder;
  build_host_add(builder);
  const auto module = load(builder);
  const auto outputs = run(*module, {floats({2, 2}, {1, 2, 3, 4}), floats({2, 2}, {10, 20, 30, 40})});
  EXPECT_EQ(floats_of(outputs.at(0)), (std::vector<float>{11, 22, 33, 44}));
  EXPECT_EQ(module->copies().total().count, 0u);
}

TEST_F(InstructionTest, RunsDelegatesOnDevices) {
  ProgramBuilder builder;
  build_device_add(builder);
  const auto module = load(builder);
  const auto outputs = run(*module, {floats({2, 2}, {1, 2, 3, 4}), floats({2, 2}, {10, 20, 30, 40})});
  EXPECT_EQ(floats_of(outputs.at(0)), (std::vector<float>{11, 22, 33, 44}));
  const CopyReport& copies = module->copies();
  EXPECT_EQ(copies.of(CopyDirection::kHostToDevice, CopyCause::kProgram), (CopyCount{2, 32}));
  EXPECT_EQ(copies.of(CopyDirection::kDeviceToHost, CopyCause::kProgram), (CopyCount{1, 16}));
  EXPECT_EQ(copies.of(CopyDirection::kDeviceToHost, CopyCause::kDelegate), (CopyCount{2, 32}));
  EXPECT_EQ(copies.of(CopyDirection::kHostToDevice, CopyCause::kDelegate), (CopyCount{1, 16}));
  EXPECT_EQ(copies.total(), (CopyCount{6, 96}));
  module->reset_copies();
  EXPECT_EQ(module->copies().total().count, 0u);
}

TEST_F(InstructionTest, RunsChainsOneAfterTheOther) {
  ProgramBuilder builder;
  build_host_add(builder);
  builder.method("second");
  MethodBuilder& forward = builder.method("third");
  const int memory = forward.buffer(32);
  const int a = forward.tensor({.sizes = {2}, .memory_id = memory});
  const int y = forward.tensor({.sizes = {2}, .memory_id = memory, .offset = 16});
  forward.inputs({a}).outputs({y}).call("test::add.out", {a, a, y, y}).next_chain().call("test::add.out", {y, a, y, y});
  const auto module = load(builder);
  const auto outputs = module->execute("third", std::vector{floats({2}, {1, 2})});
  ASSERT_TRUE(outputs.has_value()) << outputs.error().message();
  EXPECT_EQ(floats_of(outputs->at(0)), (std::vector<float>{3, 6}));
}

// if (condition) y = a + a; else y = move(a)
void build_branch(ProgramBuilder& builder, bool tensor_condition, std::vector<std::int32_t> sizes = {1}) {
  MethodBuilder& forward = builder.method("forward");
  const int memory = forward.buffer(64);
  const int condition = tensor_condition ? forward.tensor({.scalar_type = 11, .sizes = sizes, .memory_id = memory})
                                         : forward.boolean(false);
  const int a = forward.tensor({.sizes = {2}, .memory_id = memory, .offset = 16});
  const int sum = forward.tensor({.sizes = {2}, .memory_id = memory, .offset = 32});
  const int y = forward.tensor({.sizes = {2}, .memory_id = memory, .offset = 48});
  const int always = forward.boolean(false);
  forward.inputs(tensor_condition ? std::vector<std::int32_t>{condition, a} : std::vector<std::int32_t>{a})
      .outputs({y})
      .jump_false(condition, 4)
      .call("test::add.out", {a, a, sum, sum})
      .move(sum, y)
      .jump_false(always, 5)
      .move(a, y);
}

TEST_F(InstructionTest, JumpsOnBoolValues) {
  ProgramBuilder builder;
  build_branch(builder, false);
  const auto module = load(builder);
  EXPECT_EQ(floats_of(run(*module, {floats({2}, {1, 2})}).at(0)), (std::vector<float>{1, 2}));
}

TEST_F(InstructionTest, JumpsOnAllElementsOfABoolTensor) {
  ProgramBuilder builder;
  build_branch(builder, true, {3});
  const auto module = load(builder);
  const auto condition = [](bool a, bool b, bool c) { return Value::of_tensor(*Tensor::of<bool>({3}, {a, b, c})); };
  EXPECT_EQ(floats_of(run(*module, {condition(true, true, true), floats({2}, {1, 2})}).at(0)),
            (std::vector<float>{2, 4}));
  EXPECT_EQ(floats_of(run(*module, {condition(true, false, true), floats({2}, {1, 2})}).at(0)),
            (std::vector<float>{1, 2}));
  EXPECT_EQ(floats_of(run(*module, {condition(true, true, true), floats({2}, {1, 2})}).at(0)),
            (std::vector<float>{2, 4}));
}

TEST_F(InstructionTest, ReadsConditionsThroughTheDevice) {
  ProgramBuilder builder;
  MethodBuilder& forward = builder.method("forward");
  const int host = forward.buffer(48);
  const int device = forward.buffer(16, kCuda, 0);
  const int condition = forward.tensor({.scalar_type = 11, .sizes = {2}, .memory_id = device, .device_type = kCuda});
  const int a = forward.tensor({.sizes = {2}, .memory_id = host});
  const int y = forward.tensor({.sizes = {2}, .memory_id = host, .offset = 16});
  forward.inputs({condition, a}).outputs({y}).jump_false(condition, 2).call("test::add.out", {a, a, y, y});
  const auto module = load(builder);
  const Value yes = Value::of_tensor(*Tensor::of<bool>({2}, {true, true}));
  const Value no = Value::of_tensor(*Tensor::of<bool>({2}, {true, false}));
  EXPECT_EQ(floats_of(run(*module, {yes, floats({2}, {1, 2})}).at(0)), (std::vector<float>{2, 4}));
  EXPECT_EQ(floats_of(run(*module, {no, floats({2}, {5, 6})}).at(0)), (std::vector<float>{2, 4}));
  EXPECT_EQ(module->copies().of(CopyDirection::kDeviceToHost, CopyCause::kProgram), (CopyCount{2, 4}));
}

TEST_F(InstructionTest, RefusesConditionsThatAreNoBools) {
  ProgramBuilder builder;
  MethodBuilder& forward = builder.method("forward");
  const int number = forward.integer(1);
  const int condition = forward.boolean(true);
  forward.move(number, condition).jump_false(condition, 2);
  EXPECT_EQ(failure(builder, {}),
            "test.pte, method 'forward': instruction 1 (jump on value 1): wrong condition: expected a bool or a tensor "
            "of bools, found int 1");
}

TEST_F(InstructionTest, RefusesConditionsWithoutStorage) {
  ProgramBuilder builder;
  MethodBuilder& forward = builder.method("forward");
  const int condition = forward.tensor({.scalar_type = 11, .sizes = {1}});
  forward.jump_false(condition, 1);
  EXPECT_EQ(failure(builder, {}),
            "test.pte, method 'forward': instruction 0 (jump on value 0): wrong condition: expected a tensor with "
            "storage, found bool[1] on the host without storage");
}

TEST_F(InstructionTest, BoundsEndlessLoops) {
  ProgramBuilder builder;
  MethodBuilder& forward = builder.method("forward");
  const int never = forward.boolean(false);
  forward.jump_false(never, 0);
  ModuleOptions options = this->options();
  options.max_instructions = 1000;
  const auto module = load(builder, options);
  EXPECT_EQ(module->execute("forward", {}).error().message(),
            "test.pte, method 'forward': instruction 0 (jump on value 0): an endless loop: expected at most 1000 "
            "instructions in one run");
  EXPECT_EQ(module->execute("forward", {}).error().code(), Code::kInvalidProgram);
}

TEST_F(InstructionTest, MovesRebindAndAreRestoredAtTheNextRun) {
  ProgramBuilder builder;
  MethodBuilder& forward = builder.method("forward");
  const int memory = forward.buffer(64);
  const int a = forward.tensor({.sizes = {2}, .memory_id = memory});
  const int own = forward.tensor({.sizes = {2}, .memory_id = memory, .offset = 16});
  const int y = forward.tensor({.sizes = {2}, .memory_id = memory, .offset = 32});
  // Before the move, `own` must be its own memory again: it holds what the last run left there.
  forward.inputs({a})
      .outputs({y})
      .call("test::add.out", {own, a, y, y})
      .call("test::add.out", {a, a, own, own})
      .move(a, own);
  const auto module = load(builder);
  EXPECT_EQ(floats_of(run(*module, {floats({2}, {1, 2})}).at(0)), (std::vector<float>{1, 2}));
  EXPECT_EQ(floats_of(run(*module, {floats({2}, {1, 2})}).at(0)), (std::vector<float>{3, 6}));
}

TEST_F(InstructionTest, FreedTensorsDoNotReachKernelsAndComeBackAtTheNextRun) {
  ProgramBuilder builder;
  MethodBuilder& forward = builder.method("forward");
  const int memory = forward.buffer(48);
  const int a = forward.tensor({.sizes = {2}, .memory_id = memory});
  const int b = forward.tensor({.sizes = {2}, .memory_id = memory, .offset = 16});
  const int y = forward.tensor({.sizes = {2}, .memory_id = memory, .offset = 32});
  const int free = forward.boolean(true);
  forward.inputs({a}).outputs({y}).jump_false(free, 2).free_value(b).call("test::add.out", {a, b, y, y});
  const std::string expected =
      "test.pte, method 'forward': instruction 2 (test::add.out on values 0, 1, 2, 2): value 1 cannot be used by a "
      "host kernel: expected a tensor with bytes on the host, found float32[2] on the host without storage";
  const auto module = load(builder);
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(module->execute("forward", std::vector{floats({2}, {1, 2})}).error().message(), expected);
  }
}

TEST_F(InstructionTest, FreesLastAndRunsAgain) {
  ProgramBuilder builder;
  MethodBuilder& forward = builder.method("forward");
  const int memory = forward.buffer(48);
  const int a = forward.tensor({.sizes = {2}, .memory_id = memory});
  const int b = forward.tensor({.sizes = {2}, .memory_id = memory, .offset = 16});
  const int y = forward.tensor({.sizes = {2}, .memory_id = memory, .offset = 32});
  forward.inputs({a}).outputs({y}).call("test::add.out", {a, b, y, y}).free_value(b);
  const auto module = load(builder);
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(floats_of(run(*module, {floats({2}, {1, 2})}).at(0)), (std::vector<float>{1, 2}));
  }
}

TEST_F(InstructionTest, ReadsIntListsWhenTheyAreUsed) {
  ProgramBuilder builder;
  MethodBuilder& forward = builder.method("forward");
  const int memory = forward.buffer(96);
  const int a = forward.tensor({.sizes = {4, 2}, .memory_id = memory, .dynamism = 1});
  const int y = forward.tensor({.sizes = {2}, .memory_id = memory, .offset = 32});
  const int rows = forward.integer(0);
  const int seven = forward.integer(7);
  const int list = forward.int_list({rows, seven});
  forward.inputs({a}).outputs({y}).call("test::rows", {a, rows}).call("test::list.out", {list, y, y});
  const auto module = load(builder);
  EXPECT_EQ(floats_of(run(*module, {floats({3, 2}, {1, 2, 3, 4, 5, 6})}).at(0)), (std::vector<float>{3, 7}));
  EXPECT_EQ(floats_of(run(*module, {floats({1, 2}, {1, 2})}).at(0)), (std::vector<float>{1, 7}));
}

TEST_F(InstructionTest, ReboundViewsAreRestored) {
  ProgramBuilder builder;
  MethodBuilder& forward = builder.method("forward");
  const int memory = forward.buffer(64);
  const int a = forward.tensor({.sizes = {2}, .memory_id = memory});
  const int seen = forward.tensor({.sizes = {2}, .memory_id = memory, .offset = 16});
  const int y = forward.tensor({.sizes = {2}, .memory_id = memory, .offset = 32});
  forward.inputs({a}).outputs({y}).call("test::add.out", {seen, a, y, y}).call("test::view.out", {a, seen});
  const auto module = load(builder);
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(floats_of(run(*module, {floats({2}, {1, 2})}).at(0)), (std::vector<float>{1, 2}));
  }
}

TEST_F(InstructionTest, ReboundViewsGetTheirSizesBackWithTheirStorage) {
  ProgramBuilder builder;
  MethodBuilder& forward = builder.method("forward");
  const int memory = forward.buffer(64);
  const int a = forward.tensor({.sizes = {4}, .memory_id = memory, .dynamism = 1});
  const int seen = forward.tensor({.sizes = {2}, .memory_id = memory, .offset = 16, .dynamism = 1});
  const int y = forward.tensor({.sizes = {4}, .memory_id = memory, .offset = 32, .dynamism = 1});
  // Before the view, `seen` has room for two elements only, also after a run that left it with four.
  forward.inputs({a}).outputs({y}).call("test::add.out", {seen, seen, y, y}).call("test::view.out", {a, seen});
  const auto module = load(builder);
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(floats_of(run(*module, {floats({4}, {1, 2, 3, 4})}).at(0)), (std::vector<float>{0, 0}));
  }
}

TEST_F(InstructionTest, TurnsAThrownExceptionIntoAStatus) {
  ProgramBuilder builder;
  MethodBuilder& forward = builder.method("forward");
  const int memory = forward.buffer(16);
  const int a = forward.tensor({.sizes = {2}, .memory_id = memory});
  forward.inputs({a}).outputs({a}).call("test::throw.out", {a, a});
  EXPECT_EQ(failure(builder, {floats({2}, {1, 2})}, Code::kInternal),
            "test.pte, method 'forward': a kernel or delegate threw: a kernel's own trouble");
}

TEST_F(InstructionTest, NamesTheInstructionAndItsValuesWhenACopyFails) {
  ProgramBuilder builder;
  build_device_add(builder);
  const auto module = load(builder);
  ASSERT_TRUE(module->load_method("forward").ok());
  cuda0_->before = [](FakeCall call) {
    return call == FakeCall::kToDevice ? test::fake_failure("the wire broke", Code::kDeviceLost) : Status();
  };
  const std::vector<Value> inputs = {floats({2, 2}, {1, 2, 3, 4}), floats({2, 2}, {1, 1, 1, 1})};
  const auto outputs = module->execute("forward", inputs);
  ASSERT_FALSE(outputs.has_value());
  EXPECT_EQ(outputs.error().code(), Code::kDeviceLost);
  EXPECT_EQ(outputs.error().message().rfind(
                "test.pte, method 'forward': instruction 0 (et_copy::_h2d_copy.out on values 0, 3, 3): copy of 16 "
                "bytes, host to device, from value 0 to value 3: ",
                0),
            0u)
      << outputs.error().message();
  cuda0_->before = nullptr;
  EXPECT_TRUE(module->execute("forward", inputs).has_value());
}

TEST_F(InstructionTest, GivesKernelsScratchMemory) {
  ProgramBuilder builder;
  MethodBuilder& forward = builder.method("forward");
  const int memory = forward.buffer(32);
  const int a = forward.tensor({.sizes = {2}, .memory_id = memory});
  const int y = forward.tensor({.sizes = {2}, .memory_id = memory, .offset = 16});
  forward.inputs({a}).outputs({y}).call("test::scratch.out", {a, y, y});
  const auto module = load(builder);
  EXPECT_EQ(floats_of(run(*module, {floats({2}, {3, 4})}).at(0)), (std::vector<float>{3, 4}));
}

}  // namespace
}  // namespace berth::module
