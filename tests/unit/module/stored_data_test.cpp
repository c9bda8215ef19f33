// Constants, state with initial values, and external data: on the host and on devices.
#include <gtest/gtest.h>

#include <filesystem>

#include "module_fixture.h"

namespace berth::module {
namespace {

using test::bytes_of;

class StoredDataTest : public ModuleTest {
 protected:
  // y = x + stored (on the host) or a delegate's sum of both (on cuda:0, all unplanned but the stored tensor).
  void build(ProgramBuilder& builder, TensorSpec stored, bool on_device) {
    MethodBuilder& forward = builder.method("forward");
    const std::int8_t device = on_device ? kCuda : test::kCpu;
    if (stored.memory_id > 0) forward.buffer(16, device, 0);
    stored.sizes = {2};
    stored.device_type = device;
    const int x = forward.tensor({.sizes = {2}, .device_type = device});
    const int c = forward.tensor(stored);
    const int y = forward.tensor({.sizes = {2}, .device_type = device});
    forward.inputs({x}).outputs({y});
    if (on_device) {
      forward.delegate_call(forward.delegate("BackendWithCompilerDemo", "add", {{"target_device", "cuda:0"}}),
                            {x, c, y});
    } else {
      forward.call("test::add.out", {x, c, y, y});
    }
  }
  std::vector<float> run(Module& module, const std::shared_ptr<Device>& device) {
    const Value x = Value::of_tensor(*floats({2}, {1, 2}).to_tensor()->clone_to(device));
    const auto outputs = module.execute("forward", std::vector{x});
    EXPECT_TRUE(outputs.has_value()) << outputs.error().message();
    return outputs.has_value() ? floats_of(outputs->at(0)) : std::vector<float>();
  }
};

TEST_F(StoredDataTest, ReadsConstantsInPlaceOnTheHost) {
  ProgramBuilder builder;
  const std::uint32_t data = builder.constant(bytes_of(std::vector<float>{10, 20}));
  build(builder, {.data_index = data}, false);
  const auto module = load(builder);
  EXPECT_EQ(run(*module, nullptr), (std::vector<float>{11, 22}));
  EXPECT_EQ(registry_->host()->statistics().total_count, 1u);  // the output
}

TEST_F(StoredDataTest, CopiesConstantsToTheirDeviceOnce) {
  ProgramBuilder builder;
  const std::uint32_t data = builder.constant(bytes_of(std::vector<float>{10, 20}));
  build(builder, {.data_index = data}, true);
  const auto module = load(builder);
  EXPECT_EQ(message_of(module->load_method("forward")), "OK");
  EXPECT_EQ(module->copies().of(CopyDirection::kHostToDevice, CopyCause::kStaging), (CopyCount{1, 8}));
  EXPECT_EQ(run(*module, device0_), (std::vector<float>{11, 22}));
  EXPECT_EQ(run(*module, device0_), (std::vector<float>{11, 22}));
  EXPECT_EQ(module->copies().of(CopyDirection::kHostToDevice, CopyCause::kStaging), (CopyCount{1, 8}));
  EXPECT_EQ(message_of(module->unload_method("forward")), "OK");
  EXPECT_EQ(live_blocks(), 0);
}

TEST_F(StoredDataTest, KeepsKernelsFromWritingConstants) {
  ProgramBuilder builder;
  const std::uint32_t data = builder.constant(bytes_of(std::vector<float>{10, 20}));
  MethodBuilder& forward = builder.method("forward");
  const int c = forward.tensor({.sizes = {2}, .data_index = data});
  forward.outputs({c}).call("test::add.out", {c, c, c, c});
  const auto module = load(builder);
  EXPECT_EQ(module->execute("forward", {}).error().message(),
            "test.pte, method 'forward': instruction 0 (test::add.out on values 0, 0, 0, 0): test::add: sizes differ");
}

TEST_F(StoredDataTest, KeepsDelegatesFromWritingConstants) {
  ProgramBuilder builder;
  const std::uint32_t data = builder.constant(bytes_of(std::vector<float>{10, 20}));
  MethodBuilder& forward = builder.method("forward");
  const int x = forward.tensor({.sizes = {2}, .device_type = kCuda});
  const int c = forward.tensor({.sizes = {2}, .data_index = data, .device_type = kCuda});
  const int delegate = forward.delegate("BackendWithCompilerDemo", "add", {{"target_device", "cuda:0"}});
  forward.inputs({x}).delegate_call(delegate, {x, c});
  const Value given = Value::of_tensor(*floats({2}, {1, 2}).to_tensor()->clone_to(device0_));
  const auto module = load(builder);
  const auto outputs = module->execute("forward", std::vector{given});
  ASSERT_FALSE(outputs.has_value());
  EXPECT_EQ(outputs.error().code(), Code::kInvalidProgram);
  EXPECT_EQ(outputs.error().message(),
            "test.pte, method 'forward': instruction 0 (delegate BackendWithCompilerDemo on values 0, 1): a delegate's "
            "argument cannot be used: expected a tensor that can be written, found float32[2] on cuda:0, a constant");
}

TEST_F(StoredDataTest, FillsStateThroughTheDeviceAtLoad) {
  for (const bool on_device : {false, true}) {
    ProgramBuilder builder;
    const std::uint32_t data = builder.state(bytes_of(std::vector<float>{10, 20}));
    build(builder, {.memory_id = 1, .data_index = data}, on_device);
    const auto module = load(builder);
    EXPECT_EQ(run(*module, on_device ? device0_ : nullptr), (std::vector<float>{11, 22}));
    EXPECT_EQ(module->copies().of(CopyDirection::kHostToDevice, CopyCause::kStaging).count, on_device ? 1u : 0u);
  }
}

TEST_F(StoredDataTest, StartsStateWithoutValuesAtZeroAndKeepsItBetweenRuns) {
  ProgramBuilder builder;
  MethodBuilder& forward = builder.method("forward");
  const int memory = forward.buffer(32);
  const int x = forward.tensor({.sizes = {2}, .memory_id = memory});
  const int state = forward.tensor({.sizes = {2}, .memory_id = memory, .offset = 16});
  forward.inputs({x}).outputs({state}).call("test::add.out", {x, state, state, state});
  const auto module = load(builder);
  EXPECT_EQ(run(*module, nullptr), (std::vector<float>{1, 2}));
  EXPECT_EQ(run(*module, nullptr), (std::vector<float>{2, 4}));
  EXPECT_EQ(message_of(module->unload_method("forward")), "OK");
  EXPECT_EQ(run(*module, nullptr), (std::vector<float>{1, 2}));
}

TEST_F(StoredDataTest, NamesTheValueWhenInitialBytesCannotBeCopied) {
  ProgramBuilder builder;
  const std::uint32_t data = builder.state(bytes_of(std::vector<float>{10, 20}));
  build(builder, {.memory_id = 1, .data_index = data, .name = "cache.k"}, true);
  const auto module = load(builder);
  cuda0_->before = [](FakeCall call) {
    return call == FakeCall::kToDevice ? test::fake_failure("the wire broke") : Status();
  };
  const Status status = module->load_method("forward");
  EXPECT_EQ(status.message().rfind(
                "test.pte, method 'forward': value 1 'cache.k': copy of 8 initial bytes, host to device: ", 0),
            0u)
      << status.message();
  EXPECT_EQ(live_blocks(), 0);
  cuda0_->before = nullptr;
  EXPECT_EQ(message_of(module->load_method("forward")), "OK");
}

TEST_F(StoredDataTest, ListsEveryExternalConstantThatIsMissing) {
  ProgramBuilder builder;
  MethodBuilder& forward = builder.method("forward");
  forward.tensor({.sizes = {2}, .name = "linear.weight", .external = true});
  forward.tensor({.sizes = {2}, .name = "linear.bias", .external = true});
  const Status status = load(builder)->load_method("forward");
  EXPECT_EQ(status.code(), Code::kInvalidData);
  EXPECT_EQ(status.origin(), Origin::kInput);
  EXPECT_EQ(message_of(status),
            "test.pte, method 'forward': external constants are missing: 'linear.weight', 'linear.bias': expected a "
            "data file that has them, found no data file; give the .ptd file that was exported with the program");
}

TEST_F(StoredDataTest, TakesExternalConstantsFromADataFile) {
  const auto data = program::DataFile::open(BERTH_TEST_DATA_DIR "/mlp_external_cuda0.ptd");
  ASSERT_TRUE(data.has_value()) << data.error().message();
  const program::NamedTensor& first = (*data)->tensors()[0];
  ProgramBuilder builder;
  MethodBuilder& forward = builder.method("forward");
  forward.outputs({forward.tensor(
      {.sizes = {first.sizes.begin(), first.sizes.end()}, .name = std::string(first.key), .external = true})});
  ModuleOptions options = this->options();
  options.data_files = {*data};
  const auto module = load(builder, options);
  const auto outputs = module->execute("forward", {});
  ASSERT_TRUE(outputs.has_value()) << outputs.error().message();
  EXPECT_EQ(outputs->at(0).to_tensor()->bytes().data(), first.data.data());
  EXPECT_TRUE(outputs->at(0).to_tensor()->read_only());
}

TEST_F(StoredDataTest, RefusesExternalConstantsOfAnotherLayout) {
  const auto data = program::DataFile::open(BERTH_TEST_DATA_DIR "/mlp_external_cuda0.ptd");
  ASSERT_TRUE(data.has_value()) << data.error().message();
  const program::NamedTensor& first = (*data)->tensors()[0];
  ProgramBuilder builder;
  builder.method("forward").tensor({.sizes = {3, 7}, .name = std::string(first.key), .external = true});
  ModuleOptions options = this->options();
  options.data_files = {*data};
  const Status status = load(builder, options)->load_method("forward");
  EXPECT_EQ(status.code(), Code::kInvalidData);
  EXPECT_EQ(status.message().rfind("test.pte, method 'forward': external constant '" + std::string(first.key) +
                                       "' has another layout in the data file: expected float32[3, 7] in dim order "
                                       "[0, 1], found float32[",
                                   0),
            0u)
      << status.message();
}

}  // namespace
}  // namespace berth::module
