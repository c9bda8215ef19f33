// Outputs: planned ones borrow, unplanned ones keep their storage, callers can give storage.
#include <gtest/gtest.h>

#include <array>

#include "module_fixture.h"

namespace berth::module {
namespace {

class OutputTest : public ModuleTest {
 protected:
  // y = a + a; y has no planned memory.
  std::unique_ptr<Module> host_module() {
    ProgramBuilder builder;
    MethodBuilder& forward = builder.method("forward");
    const int a = forward.tensor({.sizes = {2}});
    const int y = forward.tensor({.sizes = {2}});
    forward.inputs({a}).outputs({y}).call("test::add.out", {a, a, y, y});
    return load(builder);
  }
  Value run(Module& module, std::vector<float> elements) {
    const auto size = static_cast<std::int32_t>(elements.size());
    auto outputs = module.execute("forward", std::vector{floats({size}, std::move(elements))});
    EXPECT_TRUE(outputs.has_value()) << outputs.error().message();
    return outputs.has_value() ? outputs->at(0) : Value();
  }
};

TEST_F(OutputTest, AllocatesUnplannedOutputsAtLoad) {
  const auto module = host_module();
  ASSERT_TRUE(module->load_method("forward").ok());
  EXPECT_EQ(registry_->host()->statistics().current_bytes, 8u);
}

TEST_F(OutputTest, UsesFreshStorageWhileAResultIsHeld) {
  const auto module = host_module();
  const Value first = run(*module, {1, 2});
  const Value second = run(*module, {3, 4});
  EXPECT_EQ(floats_of(first), (std::vector<float>{2, 4}));
  EXPECT_EQ(floats_of(second), (std::vector<float>{6, 8}));
}

TEST_F(OutputTest, UsesTheSameStorageWhenNoResultIsHeld) {
  const auto module = host_module();
  const std::byte* const first = run(*module, {1, 2}).to_tensor()->bytes().data();
  const std::uint64_t total = registry_->host()->statistics().total_count;
  EXPECT_EQ(run(*module, {3, 4}).to_tensor()->bytes().data(), first);
  EXPECT_EQ(registry_->host()->statistics().total_count, total);
}

TEST_F(OutputTest, KeepsHeldResultsBeyondTheModule) {
  auto module = host_module();
  const Value held = run(*module, {1, 2});
  EXPECT_EQ(message_of(module->unload_method("forward")), "OK");
  module.reset();
  EXPECT_EQ(floats_of(held), (std::vector<float>{2, 4}));
}

TEST_F(OutputTest, WritesToStorageOfTheCaller) {
  const auto module = host_module();
  std::array<float, 2> mine = {};
  const std::vector<std::int32_t> sizes = {2};
  const Value storage =
      Value::of_tensor(*Tensor::borrow(ScalarType::kFloat, sizes, std::as_writable_bytes(std::span(mine))));
  EXPECT_EQ(message_of(module->set_output("forward", 0, storage)), "OK");
  const Value result = run(*module, {1, 2});
  EXPECT_EQ(mine, (std::array<float, 2>{2, 4}));
  EXPECT_EQ(result.to_tensor()->bytes().data(), storage.to_tensor()->bytes().data());
  run(*module, {5, 6});
  EXPECT_EQ(mine, (std::array<float, 2>{10, 12}));
  EXPECT_EQ(message_of(module->set_output("forward", 0, Value::none())), "OK");
  run(*module, {7, 8});
  EXPECT_EQ(mine, (std::array<float, 2>{10, 12}));
}

TEST_F(OutputTest, RefusesStorageThatDoesNotFit) {
  const auto module = host_module();
  EXPECT_EQ(message_of(module->set_output("forward", 1, Value::none())),
            "test.pte, method 'forward': no such output: expected less than 1, found 1");
  EXPECT_EQ(message_of(module->set_output("forward", 0, Value::of_int(3))),
            "test.pte, method 'forward', output 0: wrong type: expected tensor, found int 3");
  EXPECT_EQ(
      message_of(module->set_output("forward", 0, floats({2, 1}, {1, 2}))),
      "test.pte, method 'forward', output 0: wrong layout: expected float32[2] in dim order [0], found float32[2, "
      "1] in dim order [0, 1]");
  EXPECT_EQ(message_of(module->set_output("forward", 0, floats({1}, {1}))),
            "test.pte, method 'forward', output 0: too little storage: expected at least 8 bytes, found 4");
  EXPECT_EQ(message_of(module->set_output("forward", 0,
                                          Value::of_tensor(*floats({2}, {1, 2}).to_tensor()->clone_to(device0_)))),
            "test.pte, method 'forward', output 0: wrong device: expected the host, found cuda:0");
}

TEST_F(OutputTest, RefusesStorageForPlannedOutputs) {
  ProgramBuilder builder;
  build_host_add(builder);
  const Status status = load(builder)->set_output("forward", 0, floats({2, 2}, {1, 2, 3, 4}));
  EXPECT_EQ(status.code(), Code::kFailedPrecondition);
  EXPECT_EQ(message_of(status),
            "test.pte, method 'forward', output 0: this output has storage of its own: it is planned, a constant, an "
            "input or no tensor");
}

TEST_F(OutputTest, GivesPlannedOutputsInPlace) {
  ProgramBuilder builder;
  build_host_add(builder);
  const auto module = load(builder);
  const std::vector<Value> inputs = {floats({2, 2}, {1, 2, 3, 4}), floats({2, 2}, {1, 1, 1, 1})};
  const auto first = module->execute("forward", inputs);
  const auto second = module->execute("forward", inputs);
  ASSERT_TRUE(first.has_value() && second.has_value());
  EXPECT_EQ(first->at(0).to_tensor()->bytes().data(), second->at(0).to_tensor()->bytes().data());
}

TEST_F(OutputTest, LeavesUnplannedOutputsOnTheirDevice) {
  const auto module = load_file("skip_d2h");
  const std::vector<Value> inputs = {Value::of_tensor(corpus_array("skip_d2h.forward.input0")),
                                     Value::of_tensor(corpus_array("skip_d2h.forward.input1"))};
  const auto outputs = module->execute("forward", inputs);
  ASSERT_TRUE(outputs.has_value()) << outputs.error().message();
  EXPECT_EQ(outputs->at(0).to_tensor()->device(), device0_.get());
  EXPECT_EQ(floats_of(outputs->at(0)), floats_of(Value::of_tensor(corpus_array("skip_d2h.forward.output0"))));
}

TEST_F(OutputTest, TakesStorageOnTheRightDevice) {
  const auto module = load_file("skip_d2h");
  const Tensor expected = corpus_array("skip_d2h.forward.output0");
  const Tensor mine = *Tensor::empty(ScalarType::kFloat, expected.sizes(), device0_);
  EXPECT_EQ(message_of(module->set_output("forward", 0, Value::of_tensor(mine))), "OK");
  const std::vector<Value> inputs = {Value::of_tensor(corpus_array("skip_d2h.forward.input0")),
                                     Value::of_tensor(corpus_array("skip_d2h.forward.input1"))};
  ASSERT_TRUE(module->execute("forward", inputs).has_value());
  EXPECT_EQ(floats_of(Value::of_tensor(mine)), floats_of(Value::of_tensor(expected)));
  const Tensor far = *mine.clone_to(device1_);
  EXPECT_NE(message_of(module->set_output("forward", 0, Value::of_tensor(far)))
                .find("output 0: wrong device: expected cuda:0, found cuda:1"),
            std::string::npos);
}

TEST_F(OutputTest, NamesTheOutputWhenItCannotBeAllocated) {
  cuda0_->before = [](FakeCall call) {
    return call == FakeCall::kAllocate ? test::fake_failure("full", Code::kOutOfDeviceMemory) : Status();
  };
  const auto module = load_file("skip_both");
  const Status status = module->load_method("forward");
  EXPECT_EQ(status.code(), Code::kOutOfDeviceMemory);
  EXPECT_NE(status.message().find("method 'forward': output 0: 16 bytes on cuda:0: "), std::string::npos)
      << status.message();
}

TEST_F(OutputTest, RefusesAWrongNumberOfOutputs) {
  const auto module = host_module();
  std::vector<Value> outputs(2);
  EXPECT_EQ(message_of(module->execute("forward", std::vector{floats({2}, {1, 2})}, outputs)),
            "test.pte, method 'forward': wrong number of outputs: expected 1, found 2");
}

TEST_F(OutputTest, LetsResultsBeInputsOfTheNextRun) {
  const auto module = host_module();
  std::vector<Value> values = {floats({2}, {1, 2})};
  for (int round = 0; round < 4; ++round) ASSERT_EQ(message_of(module->execute("forward", values, values)), "OK");
  EXPECT_EQ(floats_of(values[0]), (std::vector<float>{16, 32}));
}

TEST_F(OutputTest, GivesConstants) {
  const auto module = load_file("two_methods");
  const auto length = module->execute("context_length", {});
  ASSERT_TRUE(length.has_value()) << length.error().message();
  EXPECT_EQ(length->at(0).to_int(), 128);
  const auto name = module->execute("name", {});
  ASSERT_TRUE(name.has_value()) << name.error().message();
  EXPECT_EQ(name->at(0).to_string(), "two_methods");
}

}  // namespace
}  // namespace berth::module
