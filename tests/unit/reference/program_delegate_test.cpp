#include <gmock/gmock.h>

#include "delegate_fixture.h"
#include "kernel_fixture.h"

namespace berth::reference {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kProgram = "ExecutorBackend";

// y = a + b over up to `rows` rows of two floats.
void build_add(ProgramBuilder& builder, std::int32_t rows, std::int8_t dynamism = 0) {
  MethodBuilder& forward = builder.method("forward");
  const std::int64_t bytes = std::int64_t{8} * rows;
  const int memory = forward.buffer(3 * bytes);
  const auto planned = [&](std::uint64_t place) {
    return forward.tensor({.sizes = {rows, 2},
                           .memory_id = memory,
                           .offset = place * static_cast<std::uint64_t>(bytes),
                           .dynamism = dynamism});
  };
  const int a = planned(0), b = planned(1), y = planned(2), one = forward.integer(1);
  forward.inputs({a, b}).outputs({y}).call("aten::add.out", {a, b, one, y, y});
}

// A method that passes its only input to a program one level further in, `levels` times; the innermost adds it to
// itself.
std::string nested(unsigned levels) {
  ProgramBuilder builder;
  if (levels > 0) {
    build_call(builder, kProgram, nested(levels - 1), {{.sizes = {2}}, {.sizes = {2}}});
  } else {
    build_call(builder, "BackendWithCompilerDemo",
               "1version:0#op:demo::aten.add.Tensor, numel:2, dtype:torch.float32<debug_handle>1#",
               {{.sizes = {2}}, {.sizes = {2}}});
  }
  return as_blob(builder);
}

class ProgramDelegateTest : public DelegateTest {
 protected:
  [[nodiscard]] Value on_device(const Value& host) const {
    return Value::of_tensor(host.to_tensor()->clone_to(device_).value());
  }
  static test::TensorSpec rows_on_device(std::int32_t rows, std::int8_t dynamism = 0) {
    return {.sizes = {rows, 2}, .device_type = kCuda, .dynamism = dynamism};
  }
  static std::string add_blob(std::int32_t rows, std::int8_t dynamism = 0) {
    ProgramBuilder inner;
    build_add(inner, rows, dynamism);
    return as_blob(inner);
  }
  // The failure of a call of the program that adds two rows.
  std::string refused(std::vector<test::TensorSpec> arguments, const std::vector<Value>& inputs) {
    ProgramBuilder builder;
    build_call(builder, kProgram, add_blob(2), std::move(arguments));
    return run_message(*load(builder), inputs);
  }

  Value a_ = tensor<float>({2, 2}, {1, 2, 3, 4});
};

TEST_F(ProgramDelegateTest, RunsItsProgramThroughCountedCopies) {
  ProgramBuilder builder;
  build_call(builder, kProgram, add_blob(2), {rows_on_device(2), rows_on_device(2), rows_on_device(2)});
  const auto program = load(builder);
  const std::vector<Value> inputs = {on_device(a_), on_device(a_)};
  for (int run = 0; run < 2; ++run) {
    const auto outputs = program->execute("forward", inputs);
    ASSERT_TRUE(outputs.has_value()) << outputs.error().message();
    const Value sum = Value::of_tensor((*outputs)[0].to_tensor()->clone_to_host().value());
    EXPECT_THAT(elements<float>(sum), ElementsAre(2, 4, 6, 8));
  }
  EXPECT_EQ(program->copies().of(CopyDirection::kDeviceToHost, CopyCause::kDelegate), (module::CopyCount{4, 64}));
  EXPECT_EQ(program->copies().of(CopyDirection::kHostToDevice, CopyCause::kDelegate), (module::CopyCount{2, 32}));
}

TEST_F(ProgramDelegateTest, ResizesItsOutputs) {
  ProgramBuilder builder;
  build_call(builder, kProgram, add_blob(8, 1), {rows_on_device(8, 1), rows_on_device(8, 1), rows_on_device(8, 1)});
  const auto program = load(builder);
  for (const auto& [elements_in, rows] : {std::pair(a_, 2), std::pair(tensor<float>({1, 2}, {5, 6}), 1)}) {
    const std::vector<Value> inputs = {on_device(elements_in), on_device(elements_in)};
    const auto outputs = program->execute("forward", inputs);
    ASSERT_TRUE(outputs.has_value()) << outputs.error().message();
    EXPECT_THAT(sizes_of((*outputs)[0]), ElementsAre(rows, 2));
  }
}

TEST_F(ProgramDelegateTest, CopiesNothingOnTheHost) {
  ProgramBuilder builder;
  build_call(builder, kProgram, add_blob(2), {{.sizes = {2, 2}}, {.sizes = {2, 2}}, {.sizes = {2, 2}}});
  const auto program = load(builder);
  const std::vector<Value> inputs = {a_, a_};
  const auto outputs = program->execute("forward", inputs);
  ASSERT_TRUE(outputs.has_value()) << outputs.error().message();
  EXPECT_THAT(elements<float>((*outputs)[0]), ElementsAre(2, 4, 6, 8));
  EXPECT_EQ(program->copies(), module::CopyReport());
}

TEST_F(ProgramDelegateTest, RefusesArgumentsThatDoNotFitItsProgram) {
  const Value a = on_device(a_);
  EXPECT_EQ(refused({rows_on_device(2), rows_on_device(2)}, {a}), "wrong number of arguments: expected 3, found 2");
  const Value three = on_device(zeros(ScalarType::kFloat, {3, 2}));
  EXPECT_EQ(refused({rows_on_device(3), rows_on_device(2), rows_on_device(2)}, {three, a}),
            "argument 0: a tensor cannot take these sizes: expected [2, 2], the tensor is static, found [3, 2]");
  EXPECT_EQ(refused({rows_on_device(2), rows_on_device(2), rows_on_device(3)}, {a, a}),
            "argument 2: a tensor cannot take these sizes: expected [3, 2], the tensor is static, found [2, 2]");
  const test::TensorSpec whole = {.scalar_type = 3, .sizes = {2, 2}, .device_type = kCuda};
  const Value numbers = on_device(zeros(ScalarType::kInt, {2, 2}));
  EXPECT_EQ(refused({whole, rows_on_device(2), rows_on_device(2)}, {numbers, a}),
            "argument 0: the layouts of the outer and the nested program differ: expected float32[2, 2] on the host, "
            "found int32[2, 2] on cuda:0");
  EXPECT_EQ(refused({rows_on_device(2), rows_on_device(2), whole}, {a, a}),
            "argument 2: the layouts of the outer and the nested program differ: expected int32[2, 2] on cuda:0, found "
            "float32[2, 2] on the host");
}

TEST_F(ProgramDelegateTest, BlamesTheProgramForWrongHostArguments) {
  ProgramBuilder builder;
  build_call(builder, kProgram, add_blob(2), {{.sizes = {3, 2}}, {.sizes = {3, 2}}, {.sizes = {3, 2}}});
  const Value three = zeros(ScalarType::kFloat, {3, 2});
  const std::vector<Value> inputs = {three, three};
  const auto outputs = load(builder)->execute("forward", inputs);
  ASSERT_FALSE(outputs.has_value());
  EXPECT_EQ(outputs.error().code(), Code::kInvalidProgram);
  EXPECT_EQ(outputs.error().origin(), Origin::kInput);
  EXPECT_THAT(outputs.error().message(),
              HasSubstr("input 0: wrong sizes: expected float32[2, 2], found float32[3, 2]"));
}

TEST_F(ProgramDelegateTest, RefusesBlobsThatAreNoProgramWithOneMethod) {
  EXPECT_THAT(blob_message(kProgram, "not a program"), StartsWith("outer.pte: program in method 'forward'"));
  ProgramBuilder two;
  build_add(two, 2);
  two.method("other").buffer(0);
  EXPECT_EQ(blob_message(kProgram, as_blob(two)), "the blob is a program of another shape: expected 1 method, found 2");
  ProgramBuilder unknown;
  MethodBuilder& forward = unknown.method("forward");
  forward.buffer(0);
  const int x = forward.tensor({.sizes = {1}});
  forward.inputs({x}).outputs({x}).call("aten::nobody.out", {x, x, x});
  EXPECT_THAT(blob_message(kProgram, as_blob(unknown)), HasSubstr("aten::nobody.out"));
}

TEST_F(ProgramDelegateTest, RunsProgramsAsDeepAsAllowedAndNoDeeper) {
  const Value pair = tensor<float>({2}, {1, 2});
  ProgramBuilder allowed;
  build_call(allowed, kProgram, nested(module::kMaxDepth - 1), {{.sizes = {2}}, {.sizes = {2}}});
  const auto program = load(allowed);
  const std::vector<Value> inputs = {pair};
  const auto outputs = program->execute("forward", inputs);
  ASSERT_TRUE(outputs.has_value()) << outputs.error().message();
  EXPECT_THAT(elements<float>((*outputs)[0]), ElementsAre(2, 4));

  ProgramBuilder deeper;
  build_call(deeper, kProgram, nested(module::kMaxDepth), {{.sizes = {2}}, {.sizes = {2}}});
  const Status status = load(deeper)->load_method("forward");
  EXPECT_EQ(status.code(), Code::kInvalidProgram);
  EXPECT_THAT(status.message(), HasSubstr("at most 8"));
}

TEST_F(ProgramDelegateTest, GivesEverythingBack) {
  const auto before = registry_->host()->statistics().current_bytes;
  {
    ProgramBuilder builder;
    build_call(builder, kProgram, add_blob(2), {rows_on_device(2), rows_on_device(2), rows_on_device(2)});
    const auto program = load(builder);
    const std::vector<Value> inputs = {on_device(a_), on_device(a_)};
    ASSERT_TRUE(program->execute("forward", inputs).has_value());
  }
  EXPECT_EQ(registry_->host()->statistics().current_bytes, before);
  EXPECT_EQ(control_->live_blocks, 0);
}

}  // namespace
}  // namespace berth::reference
