#include <gmock/gmock.h>

#include "delegate_fixture.h"
#include "kernel_fixture.h"

namespace berth::reference {
namespace {

using testing::ElementsAre;

constexpr const char* kDemo = "BackendWithCompilerDemo";
constexpr const char* kAddFour = "1version:0#op:demo::aten.add.Tensor, numel:4, dtype:torch.float32<debug_handle>1#";

class DemoDelegateTest : public DelegateTest {
 protected:
  [[nodiscard]] Value on_device(const Value& host) const {
    return Value::of_tensor(host.to_tensor()->clone_to(device_).value());
  }
  static test::TensorSpec device_tensor(std::vector<std::int32_t> sizes = {2, 2}, std::int8_t type = 6) {
    return {.scalar_type = type, .sizes = std::move(sizes), .device_type = kCuda};
  }
  std::unique_ptr<Module> load_call(const char* blob, std::vector<test::TensorSpec> arguments) {
    ProgramBuilder builder;
    build_call(builder, kDemo, blob, std::move(arguments));
    return load(builder);
  }

  Value a_ = tensor<float>({2, 2}, {1, 2, 3, 4});
  Value b_ = tensor<float>({2, 2}, {10, 20, 30, 40});
};

TEST_F(DemoDelegateTest, AddsOnADeviceThroughCountedCopies) {
  const auto program = load_call(kAddFour, {device_tensor(), device_tensor(), device_tensor()});
  const std::vector<Value> inputs = {on_device(a_), on_device(b_)};
  const auto outputs = program->execute("forward", inputs);
  ASSERT_TRUE(outputs.has_value()) << outputs.error().message();
  const Value sum = Value::of_tensor((*outputs)[0].to_tensor()->clone_to_host().value());
  EXPECT_THAT(elements<float>(sum), ElementsAre(11, 22, 33, 44));
  module::CopyReport expected;
  expected.add(CopyDirection::kDeviceToHost, CopyCause::kDelegate, 16);
  expected.add(CopyDirection::kDeviceToHost, CopyCause::kDelegate, 16);
  expected.add(CopyDirection::kHostToDevice, CopyCause::kDelegate, 16);
  EXPECT_EQ(program->copies(), expected);
}

TEST_F(DemoDelegateTest, AddsAValueThatIsPassedOnceToItself) {
  const auto program = load_call(kAddFour, {device_tensor(), device_tensor()});
  const std::vector<Value> inputs = {on_device(a_)};
  const auto outputs = program->execute("forward", inputs);
  ASSERT_TRUE(outputs.has_value()) << outputs.error().message();
  const Value sum = Value::of_tensor((*outputs)[0].to_tensor()->clone_to_host().value());
  EXPECT_THAT(elements<float>(sum), ElementsAre(2, 4, 6, 8));
}

TEST_F(DemoDelegateTest, AddsIntegersOnTheHost) {
  const test::TensorSpec pair = {.scalar_type = 4, .sizes = {2}};
  const auto program =
      load_call("1version:0#op:demo::aten.add.Tensor, numel:2, dtype:torch.int64<debug_handle>1#", {pair, pair, pair});
  const std::vector<Value> inputs = {tensor<std::int64_t>({2}, {1, 2}), tensor<std::int64_t>({2}, {5, 5})};
  const auto outputs = program->execute("forward", inputs);
  ASSERT_TRUE(outputs.has_value()) << outputs.error().message();
  EXPECT_THAT(elements<std::int64_t>((*outputs)[0]), ElementsAre(6, 7));
  EXPECT_EQ(program->copies(), module::CopyReport());
}

TEST_F(DemoDelegateTest, RefusesArgumentsThatDoNotFitTheBlob) {
  const auto refused = [&](std::vector<test::TensorSpec> arguments, const std::vector<Value>& inputs) {
    return run_message(*load_call(kAddFour, std::move(arguments)), inputs);
  };
  const Value a = on_device(a_);
  EXPECT_EQ(refused({device_tensor()}, {}), "wrong number of arguments: expected 2 or 3, found 1");
  EXPECT_EQ(refused({device_tensor(), device_tensor(), device_tensor(), device_tensor()}, {a, a, a}),
            "wrong number of arguments: expected 2 or 3, found 4");
  const Value three = on_device(tensor<float>({3}, {1, 2, 3}));
  EXPECT_EQ(refused({device_tensor({3}), device_tensor()}, {three}),
            "argument 0: expected a tensor of 4 elements of float32, found float32[3] on cuda:0");
  EXPECT_EQ(refused({device_tensor(), device_tensor({4})}, {a}),
            "argument 1: expected the sizes and dim order of float32[2, 2] on cuda:0, found float32[4] on cuda:0");
  EXPECT_EQ(refused({device_tensor(), device_tensor({2, 2}, 3)}, {a}),
            "argument 1: expected a tensor of 4 elements of float32, found int32[2, 2] on cuda:0");
}

TEST_F(DemoDelegateTest, PassesTheDevicesFailureOn) {
  const auto program = load_call(kAddFour, {device_tensor(), device_tensor()});
  const std::vector<Value> inputs = {on_device(a_)};
  control_->before = [](test::FakeCall call) {
    return call == test::FakeCall::kToHost ? test::fake_failure("the cable is out", Code::kDeviceLost) : Status();
  };
  const auto outputs = program->execute("forward", inputs);
  ASSERT_FALSE(outputs.has_value());
  EXPECT_EQ(outputs.error().code(), Code::kDeviceLost);
  EXPECT_THAT(outputs.error().message(), testing::HasSubstr("the cable is out"));
}

struct BadBlob {
  const char* blob;
  const char* message;
};

TEST_F(DemoDelegateTest, RefusesMalformedBlobs) {
  const BadBlob cases[] = {
      {"", "the blob is malformed: expected a number, found the end of the blob"},
      {"version:0#", "the blob is malformed: expected a number, found 'version:0#'"},
      {"-1version:0#", "the blob is malformed: expected a number, found '-1version:0#'"},
      {"1version:0", "the blob is malformed: expected '#', found the end of the blob"},
      {"1version:0#op:other", "the blob is malformed: expected 'op:demo::', found 'op:other'"},
      {"1version:0#op:demo::aten.add.Tensor",
       "the blob is malformed: expected ', numel:' further on, found 'aten.add.Tensor'"},
      {"1version:0#op:demo::aten.add.Tensor, numel:99999999999999999999, dtype:torch.float32<debug_handle>1#",
       "the blob is malformed: expected a number, found '99999999999999999999, dtype:torch.float3...'"},
      {"1version:0#op:demo::aten.add.Tensor, numel:s0, dtype:torch.float32<debug_handle>1#",
       "the blob is malformed: expected a number, found 's0, dtype:torch.float32<debug_handle>1#'"},
      {"1version:0#op:demo::aten.add.Tensor, numel:4, dtype:torch.float32<debug_handle>1#\n",
       "the blob is malformed: expected the end of the blob, found '?'"}};
  for (const BadBlob& bad : cases) EXPECT_EQ(blob_message(kDemo, bad.blob), bad.message) << bad.blob;
}

TEST_F(DemoDelegateTest, RefusesBlobsItCannotCompute) {
  const BadBlob cases[] = {
      {"2version:0#", "the blob does not say how operations are wired: expected 1 operation, found 2 operations"},
      {"1version:1#", "the blob has an unknown version: expected 0, found 1"},
      {"1version:0#op:demo::aten.sin.default, numel:4, dtype:torch.float32<debug_handle>1#",
       "the blob asks for an unknown operation: expected 'aten.add.Tensor', found 'aten.sin.default'"},
      {"1version:0#op:demo::aten.add.Tensor, numel:4, dtype:float32<debug_handle>1#",
       "the blob names an unknown type: expected 'torch.float32' and the like, found 'float32'"},
      {"1version:0#op:demo::aten.add.Tensor, numel:4, dtype:torch.float16<debug_handle>1#",
       "the blob asks for a type that cannot be added: expected float32, float64, int64, int32, int16, int8, uint8 or "
       "bool, found float16"}};
  for (const BadBlob& bad : cases) EXPECT_EQ(blob_message(kDemo, bad.blob), bad.message) << bad.blob;
  EXPECT_EQ(blob_message(kDemo, kAddFour), "OK");
}

TEST_F(DemoDelegateTest, EveryTruncationIsRefused) {
  const std::string_view whole = kAddFour;
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_NE(blob_message(kDemo, whole.substr(0, length)), "OK") << length;
  }
}

}  // namespace
}  // namespace berth::reference
