// Inputs: what is refused and how, what is copied, what is used in place.
#include <gtest/gtest.h>

#include "module_fixture.h"

namespace berth::module {
namespace {

class InputTest : public ModuleTest {
 protected:
  std::string failure(Module& module, std::vector<Value> inputs) {
    const auto outputs = module.execute("forward", inputs);
    EXPECT_FALSE(outputs.has_value());
    if (outputs.has_value()) return "OK";
    EXPECT_EQ(outputs.error().code(), Code::kInvalidArgument);
    EXPECT_EQ(outputs.error().origin(), Origin::kUsage);
    return outputs.error().message();
  }
};

TEST_F(InputTest, RefusesWrongCountTypeAndLayout) {
  ProgramBuilder builder;
  build_host_add(builder);
  const auto module = load(builder);
  const Value good = floats({2, 2}, {1, 2, 3, 4});
  EXPECT_EQ(failure(*module, {good}), "test.pte, method 'forward': wrong number of inputs: expected 2, found 1");
  EXPECT_EQ(failure(*module, {good, Value::of_int(3)}),
            "test.pte, method 'forward': input 1: wrong type: expected tensor, found int 3");
  EXPECT_EQ(failure(*module, {Value::of_tensor(*Tensor::of<std::int32_t>({2, 2}, {1, 2, 3, 4})), good}),
            "test.pte, method 'forward': input 0: wrong element type: expected float32[2, 2], found int32[2, 2]");
  EXPECT_EQ(failure(*module, {floats({4}, {1, 2, 3, 4}), good}),
            "test.pte, method 'forward': input 0: wrong rank: expected float32[2, 2], found float32[4]");
  EXPECT_EQ(failure(*module, {floats({1, 4}, {1, 2, 3, 4}), good}),
            "test.pte, method 'forward': input 0: wrong sizes: expected float32[2, 2], found float32[1, 4]");
  const std::vector<std::int32_t> sizes = {2, 2};
  const std::vector<std::uint8_t> order = {1, 0};
  EXPECT_EQ(failure(*module, {Value::of_tensor(*Tensor::empty(ScalarType::kFloat, sizes, nullptr, order)), good}),
            "test.pte, method 'forward': input 0: wrong dim order: expected [0, 1], found [1, 0]; permute the array "
            "before it is given");
  Tensor nowhere = *good.to_tensor();
  nowhere.unbind();
  EXPECT_EQ(
      failure(*module, {good, Value::of_tensor(nowhere)}),
      "test.pte, method 'forward': input 1: no storage: expected a tensor with bytes, found float32[2, 2] without "
      "storage");
}

TEST_F(InputTest, AcceptsDimOrdersThatMeanTheSame) {
  ProgramBuilder builder;
  MethodBuilder& forward = builder.method("forward");
  const int memory = forward.buffer(32);
  const int a = forward.tensor({.sizes = {1, 4}, .memory_id = memory});
  const int y = forward.tensor({.sizes = {1, 4}, .memory_id = memory, .offset = 16});
  forward.inputs({a}).outputs({y}).call("test::add.out", {a, a, y, y});
  const std::vector<std::int32_t> sizes = {1, 4};
  const std::vector<std::uint8_t> order = {1, 0};
  const std::vector<float> elements = {1, 2, 3, 4};
  const Value given = Value::of_tensor(
      *Tensor::from_data(ScalarType::kFloat, sizes, std::as_bytes(std::span<const float>(elements)), order));
  const auto module = load(builder);
  const auto outputs = module->execute("forward", std::vector{given});
  ASSERT_TRUE(outputs.has_value()) << outputs.error().message();
  EXPECT_EQ(floats_of(outputs->at(0)), (std::vector<float>{2, 4, 6, 8}));
}

TEST_F(InputTest, TakesOnlyTheNumbersThatTheProgramWasMadeFor) {
  ProgramBuilder builder;
  MethodBuilder& forward = builder.method("forward");
  const int number = forward.integer(3), real = forward.real(0.5), truth = forward.boolean(true);
  const int text = forward.text("mode"), nothing = forward.none();
  forward.inputs({number, real, truth, text, nothing}).outputs({number, real, truth, text, nothing});
  const auto module = load(builder);
  const auto values = [](std::int64_t i, double d, bool b, std::string_view s) {
    return std::vector{Value::of_int(i), Value::of_double(d), Value::of_bool(b), Value::of_string(s), Value::none()};
  };
  const auto outputs = module->execute("forward", values(3, 0.50005, true, "mode"));
  ASSERT_TRUE(outputs.has_value()) << outputs.error().message();
  EXPECT_EQ(outputs->at(3).to_string(), "mode");
  EXPECT_EQ(failure(*module, values(4, 0.5, true, "mode")),
            "test.pte, method 'forward': input 0: not the value that the program was made for: expected int 3, found "
            "int 4; export the program again for another value");
  EXPECT_EQ(failure(*module, values(3, 0.6, true, "mode")),
            "test.pte, method 'forward': input 1: not the value that the program was made for: expected double "
            "0.500000, found double 0.600000; export the program again for another value");
  EXPECT_EQ(failure(*module, values(3, 0.5, false, "mode")),
            "test.pte, method 'forward': input 2: not the value that the program was made for: expected bool true, "
            "found bool false; export the program again for another value");
  EXPECT_EQ(failure(*module, values(3, 0.5, true, "model")),
            "test.pte, method 'forward': input 3: not the value that the program was made for: expected string 'mode', "
            "found string 'model'; export the program again for another value");
}

TEST_F(InputTest, SharesUnplannedHostInputs) {
  ProgramBuilder builder;
  MethodBuilder& forward = builder.method("forward");
  const int a = forward.tensor({.sizes = {2}});
  forward.inputs({a}).outputs({a});
  const auto module = load(builder);
  const Value given = floats({2}, {1, 2});
  const auto outputs = module->execute("forward", std::vector{given});
  ASSERT_TRUE(outputs.has_value()) << outputs.error().message();
  EXPECT_EQ(outputs->at(0).to_tensor()->bytes().data(), given.to_tensor()->bytes().data());
}

TEST_F(InputTest, UsesUnplannedDeviceInputsInPlace) {
  const auto module = load_file("skip_h2d");
  const Value a = Value::of_tensor(*corpus_array("skip_h2d.forward.input0").clone_to(device0_));
  const Value b = Value::of_tensor(*corpus_array("skip_h2d.forward.input1").clone_to(device0_));
  const std::uint64_t before = cuda0_->calls(FakeCall::kToDevice);
  const auto outputs = module->execute("forward", std::vector{a, b});
  ASSERT_TRUE(outputs.has_value()) << outputs.error().message();
  EXPECT_EQ(floats_of(outputs->at(0)), floats_of(Value::of_tensor(corpus_array("skip_h2d.forward.output0"))));
  EXPECT_EQ(cuda0_->calls(FakeCall::kToDevice), before + 1);  // the delegate's result
  EXPECT_EQ(module->copies().of(CopyDirection::kHostToDevice, CopyCause::kStaging).count, 0u);
}

TEST_F(InputTest, RefusesUnplannedDeviceInputsOnOtherDevices) {
  const auto module = load_file("skip_h2d");
  const Value a = Value::of_tensor(corpus_array("skip_h2d.forward.input0"));
  std::string message = failure(*module, {a, a});
  EXPECT_NE(message.find("method 'forward': input 0: wrong device: expected cuda:0, found the host; copy the tensor "
                         "there first (Tensor::clone_to)"),
            std::string::npos)
      << message;
  const Value far = Value::of_tensor(*a.to_tensor()->clone_to(device1_));
  message = failure(*module, {far, far});
  EXPECT_NE(message.find("input 0: wrong device: expected cuda:0, found cuda:1"), std::string::npos) << message;
}

TEST_F(InputTest, RefusesDeviceTensorsForUnplannedHostInputs) {
  ProgramBuilder builder;
  MethodBuilder& forward = builder.method("forward");
  const int a = forward.tensor({.sizes = {2}});
  forward.inputs({a}).outputs({a});
  const auto module = load(builder);
  EXPECT_EQ(failure(*module, {Value::of_tensor(*floats({2}, {1, 2}).to_tensor()->clone_to(device0_))}),
            "test.pte, method 'forward': input 0: wrong device: expected the host, found cuda:0; copy the tensor there "
            "first (Tensor::clone_to)");
}

TEST_F(InputTest, FillsPlannedDeviceInputsThroughTheDevice) {
  const auto module = load_file("skip_both_planned");
  const auto outputs =
      module->execute("forward", std::vector{Value::of_tensor(corpus_array("skip_both_planned.forward.input0")),
                                             Value::of_tensor(corpus_array("skip_both_planned.forward.input1"))});
  ASSERT_TRUE(outputs.has_value()) << outputs.error().message();
  EXPECT_TRUE(outputs->at(0).to_tensor()->on_device());
  EXPECT_EQ(floats_of(outputs->at(0)), floats_of(Value::of_tensor(corpus_array("skip_both_planned.forward.output0"))));
  EXPECT_EQ(module->copies().of(CopyDirection::kHostToDevice, CopyCause::kStaging), (CopyCount{2, 32}));
}

TEST_F(InputTest, CopiesDeviceTensorsIntoPlannedInputs) {
  const auto module = load_file("skip_both_planned");
  const Value a = Value::of_tensor(*corpus_array("skip_both_planned.forward.input0").clone_to(device0_));
  const Value b = Value::of_tensor(*corpus_array("skip_both_planned.forward.input1").clone_to(device0_));
  ASSERT_TRUE(module->execute("forward", std::vector{a, b}).has_value());
  EXPECT_EQ(module->copies().of(CopyDirection::kDeviceToDevice, CopyCause::kStaging), (CopyCount{2, 32}));
  const Value far = Value::of_tensor(*a.to_tensor()->clone_to(device1_));
  const std::string message = failure(*module, {far, b});
  EXPECT_NE(message.find("input 0: wrong device: expected cuda:0 or the host, found cuda:1"), std::string::npos)
      << message;
}

TEST_F(InputTest, ReadsDeviceTensorsIntoPlannedHostInputs) {
  ProgramBuilder builder;
  build_host_add(builder);
  const auto module = load(builder);
  const Value far = Value::of_tensor(*floats({2, 2}, {1, 2, 3, 4}).to_tensor()->clone_to(device1_));
  const auto outputs = module->execute("forward", std::vector{far, far});
  ASSERT_TRUE(outputs.has_value()) << outputs.error().message();
  EXPECT_EQ(floats_of(outputs->at(0)), (std::vector<float>{2, 4, 6, 8}));
  EXPECT_EQ(module->copies().of(CopyDirection::kDeviceToHost, CopyCause::kStaging), (CopyCount{2, 32}));
}

TEST_F(InputTest, NamesValueDirectionAndBytesWhenStagingFails) {
  const auto module = load_file("skip_both_planned");
  ASSERT_TRUE(module->load_method("forward").ok());
  cuda0_->before = [](FakeCall call) {
    return call == FakeCall::kToDevice ? test::fake_failure("the wire broke") : Status();
  };
  const Value a = Value::of_tensor(corpus_array("skip_both_planned.forward.input0"));
  const auto outputs = module->execute("forward", std::vector{a, a});
  ASSERT_FALSE(outputs.has_value());
  EXPECT_NE(outputs.error().message().find("input 0: copy of 16 bytes, host to device, to value 0: "),
            std::string::npos)
      << outputs.error().message();
  EXPECT_EQ(module->copies().total().count, 0u);
}

TEST_F(InputTest, TakesDynamicSizesWithinTheirBound) {
  ProgramBuilder builder;
  MethodBuilder& forward = builder.method("forward");
  const int memory = forward.buffer(128);
  const int a = forward.tensor({.sizes = {4, 2}, .memory_id = memory, .dynamism = 1});
  const int y = forward.tensor({.sizes = {4, 2}, .memory_id = memory, .offset = 32, .dynamism = 1});
  forward.inputs({a}).outputs({y}).call("test::add.out", {a, a, y, y});
  const auto module = load(builder);
  for (const std::int32_t rows : {4, 1, 3, 0, 2}) {
    const auto outputs = module->execute(
        "forward", std::vector{floats({rows, 2}, std::vector<float>(static_cast<std::size_t>(rows) * 2, 1))});
    ASSERT_TRUE(outputs.has_value()) << outputs.error().message();
    EXPECT_EQ(outputs->at(0).to_tensor()->size(0), rows);
    EXPECT_EQ(floats_of(outputs->at(0)), std::vector<float>(static_cast<std::size_t>(rows) * 2, 2));
  }
  EXPECT_EQ(failure(*module, {floats({5, 2}, std::vector<float>(10))}),
            "test.pte, method 'forward': input 0: wrong sizes: expected float32[4, 2] or smaller, found float32[5, 2]");
}

TEST_F(InputTest, KeepsNoCallersTensorAfterTheRun) {
  ProgramBuilder builder;
  MethodBuilder& forward = builder.method("forward");
  const int a = forward.tensor({.sizes = {2}});
  const int memory = forward.buffer(16);
  const int y = forward.tensor({.sizes = {2}, .memory_id = memory});
  forward.inputs({a}).outputs({y}).call("test::add.out", {a, a, y, y});
  const auto module = load(builder);
  const Value given = floats({2}, {1, 2});
  ASSERT_TRUE(module->execute("forward", std::vector{given}).has_value());
  EXPECT_EQ(given.to_tensor()->storage().owner.use_count(), 1);
}

}  // namespace
}  // namespace berth::module
