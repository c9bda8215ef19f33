// Loading and unloading: what is allocated where, what is checked before, and what is given back.
#include <gtest/gtest.h>

#include "module_fixture.h"

namespace berth::module {
namespace {

class LoadMethodTest : public ModuleTest {};

TEST_F(LoadMethodTest, AllocatesNoDeviceMemoryForAHostProgram) {
  ProgramBuilder builder;
  build_host_add(builder);
  const auto module = load(builder);
  EXPECT_EQ(message_of(module->load_method("forward")), "OK");
  EXPECT_EQ(cuda0_->all_calls() + cuda1_->all_calls(), 0u);
  EXPECT_EQ(registry_->host()->statistics().current_bytes, 48u);
}

TEST_F(LoadMethodTest, AllocatesEachPlannedBufferOnItsDevice) {
  const auto module = load_file("add_cuda0");
  EXPECT_EQ(message_of(module->load_method("forward")), "OK");
  EXPECT_EQ(cuda0_->calls(FakeCall::kAllocate), 1u);
  EXPECT_EQ(cuda0_->live_bytes, 48u);
  EXPECT_EQ(registry_->host()->statistics().current_bytes, 32u);
  EXPECT_EQ(cuda1_->all_calls(), 0u);
}

TEST_F(LoadMethodTest, FreesEverythingWhenTheModuleEnds) {
  {
    const auto module = load_file("chain_cuda0_cuda1");
    EXPECT_EQ(message_of(module->load_method("forward")), "OK");
    EXPECT_EQ(live_blocks(), 2);
  }
  EXPECT_EQ(live_blocks(), 0);
  EXPECT_EQ(registry_->host()->statistics().current_bytes, 0u);
  EXPECT_EQ(cuda0_->calls(FakeCall::kFree), 1u);
}

TEST_F(LoadMethodTest, FreesEverythingWhenUnloadedAndLoadsAgain) {
  const auto module = load_file("add_cuda0");
  for (int round = 0; round < 3; ++round) {
    EXPECT_FALSE(module->is_loaded("forward"));
    EXPECT_EQ(message_of(module->load_method("forward")), "OK");
    EXPECT_TRUE(module->is_loaded("forward"));
    EXPECT_EQ(live_blocks(), 1);
    EXPECT_EQ(message_of(module->unload_method("forward")), "OK");
    EXPECT_EQ(live_blocks(), 0);
  }
  EXPECT_EQ(message_of(module->unload_method("forward")), "OK");
}

TEST_F(LoadMethodTest, DoesNothingWhenLoadedAlready) {
  const auto module = load_file("add_cuda0");
  EXPECT_EQ(message_of(module->load_method("forward")), "OK");
  EXPECT_EQ(message_of(module->load_method("forward")), "OK");
  EXPECT_EQ(cuda0_->calls(FakeCall::kAllocate), 1u);
}

TEST_F(LoadMethodTest, ZeroFillsPlannedMemory) {
  const auto module = load_file("add_cuda0");
  EXPECT_EQ(message_of(module->load_method("forward")), "OK");
  EXPECT_EQ(cuda0_->calls(FakeCall::kFill), 1u);
}

TEST_F(LoadMethodTest, DestroysDelegatesBeforePlannedMemory) {
  const auto module = load_file("add_cuda0");
  EXPECT_EQ(message_of(module->load_method("forward")), "OK");
  EXPECT_EQ(message_of(module->unload_method("forward")), "OK");
  EXPECT_EQ(log_->destroyed, 1);
  EXPECT_EQ(log_->live_bytes_at_destruction, 48u);
}

TEST_F(LoadMethodTest, ListsTheMethodsWhenTheNameIsUnknown) {
  const auto module = load_file("two_methods");
  const Status status = module->load_method("forwards");
  EXPECT_EQ(status.code(), Code::kInvalidArgument);
  EXPECT_EQ(status.origin(), Origin::kUsage);
  EXPECT_NE(status.message().find("encode"), std::string::npos) << status.message();
  EXPECT_EQ(module->unload_method("forwards").code(), Code::kInvalidArgument);
  EXPECT_EQ(module->execute("forwards", {}).error().code(), Code::kInvalidArgument);
}

TEST_F(LoadMethodTest, ListsEveryMissingOperatorAndDelegateBeforeMemoryIsTaken) {
  ProgramBuilder builder;
  build_device_add(builder);
  MethodBuilder& other = builder.method("other");
  const int memory = other.buffer(16, kCuda, 0);
  const int x = other.tensor({.sizes = {2, 2}});
  static_cast<void>(memory);
  other.call("nobody::has.out", {x, x}).call("nobody::knows", {x, x});
  other.delegate_call(other.delegate("XnnpackBackend", "blob"), {x, x});
  const auto module = load(builder);
  const Status status = module->load_method("other");
  EXPECT_EQ(message_of(status),
            "test.pte, method 'other': nobody has the operators nobody::has.out, nobody::knows, nor the delegates "
            "XnnpackBackend; add them to the kernel and delegate tables that the module is loaded with");
  EXPECT_EQ(status.code(), Code::kMissingOperator);
  EXPECT_EQ(status.origin(), Origin::kInput);
  EXPECT_EQ(cuda0_->all_calls(), 0u);
  EXPECT_EQ(message_of(module->load_method("forward")), "OK");
}

TEST_F(LoadMethodTest, NamesMissingDelegatesAlone) {
  ProgramBuilder builder;
  MethodBuilder& forward = builder.method("forward");
  const int x = forward.tensor({.sizes = {1}});
  forward.delegate_call(forward.delegate("QnnBackend", ""), {x});
  forward.delegate_call(forward.delegate("QnnBackend", ""), {x});
  const Status status = load(builder)->load_method("forward");
  EXPECT_EQ(status.code(), Code::kMissingDelegate);
  EXPECT_EQ(message_of(status),
            "test.pte, method 'forward': nobody has the delegates QnnBackend; add them to the kernel and delegate "
            "tables that the module is loaded with");
}

TEST_F(LoadMethodTest, NamesMemoryIdBytesAndDeviceWhenADeviceIsFull) {
  cuda1_->before = [](FakeCall call) {
    return call == FakeCall::kAllocate ? test::fake_failure("out of chips", Code::kOutOfDeviceMemory, 2) : Status();
  };
  const auto module = load_file("chain_cuda0_cuda1");
  const Status status = module->load_method("forward");
  EXPECT_EQ(status.code(), Code::kOutOfDeviceMemory);
  EXPECT_EQ(status.origin(), Origin::kDevice);
  EXPECT_EQ(status.native_code(), 2);
  EXPECT_NE(status.message().find("method 'forward': planned buffer 3 (48 bytes on cuda:1)"), std::string::npos)
      << status.message();
  EXPECT_NE(status.message().find("out of chips"), std::string::npos);
  EXPECT_EQ(live_blocks(), 0);
  EXPECT_EQ(cuda0_->calls(FakeCall::kAllocate), 1u);
  EXPECT_EQ(cuda0_->calls(FakeCall::kFree), 1u);
  EXPECT_FALSE(module->is_loaded("forward"));

  cuda1_->before = nullptr;
  EXPECT_EQ(message_of(module->load_method("forward")), "OK");
}

TEST_F(LoadMethodTest, GivesMemoryBackWhenAFillFails) {
  cuda0_->before = [](FakeCall call) {
    return call == FakeCall::kFill ? test::fake_failure("no fill today") : Status();
  };
  const auto module = load_file("add_cuda0");
  const Status status = module->load_method("forward");
  EXPECT_NE(status.message().find("planned buffer 2 (48 bytes on cuda:0)"), std::string::npos) << status.message();
  EXPECT_NE(status.message().find("no fill today"), std::string::npos);
  EXPECT_EQ(live_blocks(), 0);
}

TEST_F(LoadMethodTest, AnswersAFailedFreeAndUnloadsAllTheSame) {
  const auto module = load_file("add_cuda0");
  EXPECT_EQ(message_of(module->load_method("forward")), "OK");
  cuda0_->before = [](FakeCall call) { return call == FakeCall::kFree ? test::fake_failure("stuck") : Status(); };
  const Status status = module->unload_method("forward");
  EXPECT_NE(status.message().find("planned buffer 2"), std::string::npos) << status.message();
  EXPECT_FALSE(module->is_loaded("forward"));
  EXPECT_EQ(device0_->statistics().stranded_count, 1u);
  cuda0_->before = nullptr;
  EXPECT_EQ(message_of(module->load_method("forward")), "OK");
}

TEST_F(LoadMethodTest, GivesMemoryBackWhenADelegateRefusesItsBlob) {
  ProgramBuilder builder;
  MethodBuilder& forward = builder.method("forward");
  const int memory = forward.buffer(16, kCuda, 0);
  const int x = forward.tensor({.sizes = {2, 2}, .memory_id = memory, .device_type = kCuda});
  forward.delegate("BackendWithCompilerDemo", "good", {{"target_device", "cuda:0"}});
  const int bad = forward.delegate("BackendWithCompilerDemo", "refuse", {{"target_device", "cuda:0"}});
  forward.delegate_call(bad, {x, x, x});
  const auto module = load(builder);
  EXPECT_EQ(message_of(module->load_method("forward")),
            "test.pte, method 'forward': delegate 1 (BackendWithCompilerDemo): the blob is not understood");
  EXPECT_EQ(live_blocks(), 0);
  EXPECT_EQ(log_->destroyed, 1);
}

TEST_F(LoadMethodTest, SaysWhenTheRegistryLacksADevice) {
  ProgramBuilder builder;
  MethodBuilder& forward = builder.method("forward");
  const int memory = forward.buffer(16, kCuda, 5);
  forward.tensor({.sizes = {4}, .memory_id = memory, .device_type = kCuda, .device_index = 5});
  const Status status = load(builder)->load_method("forward");
  EXPECT_EQ(status.code(), Code::kNotFound);
  EXPECT_EQ(status.origin(), Origin::kDevice);
  EXPECT_EQ(status.message().rfind("test.pte, method 'forward': planned buffer 1 (16 bytes on cuda:5): ", 0), 0u)
      << status.message();
}

TEST_F(LoadMethodTest, PassesAFailedOpenThroughAndLoadsAfterRetry) {
  bool broken = true;
  const auto device = test::make_fake_device(std::make_shared<FakeControl>(), "npu:0");
  ASSERT_TRUE(registry_->name_type(2, "npu").ok());
  ASSERT_TRUE(registry_
                  ->add({"npu", 0},
                        [&]() -> Result<std::shared_ptr<Device>> {
                          if (broken)
                            return fail(test::fake_failure("stage open: no driver", Code::kDependencyMissing));
                          return device;
                        })
                  .ok());
  ProgramBuilder builder;
  MethodBuilder& forward = builder.method("forward");
  const int memory = forward.buffer(16, 2, 0);
  forward.tensor({.sizes = {4}, .memory_id = memory, .device_type = 2});
  const auto module = load(builder);
  const Status status = module->load_method("forward");
  EXPECT_EQ(status.code(), Code::kDependencyMissing);
  EXPECT_NE(status.message().find("npu:0"), std::string::npos);
  EXPECT_NE(status.message().find("stage open: no driver"), std::string::npos) << status.message();
  broken = false;
  EXPECT_FALSE(module->load_method("forward").ok());
  EXPECT_TRUE(registry_->retry({"npu", 0}).ok());
  EXPECT_EQ(message_of(module->load_method("forward")), "OK");
}

TEST_F(LoadMethodTest, RefusesDeviceTypesWithoutAName) {
  ProgramBuilder builder;
  MethodBuilder& forward = builder.method("forward");
  const int memory = forward.buffer(16, 7, 0);
  forward.tensor({.sizes = {4}, .memory_id = memory, .device_type = 7});
  const Status status = load(builder)->load_method("forward");
  EXPECT_EQ(status.code(), Code::kInvalidProgram);
  EXPECT_EQ(status.origin(), Origin::kInput);
  EXPECT_EQ(message_of(status),
            "test.pte, method 'forward': planned buffer 1 (16 bytes on type 7:0): device type 7 has no name: expected "
            "0 (cpu), 1 (cuda), or a type that the registry file names, found 7; add a line `7 = \"...\"` under "
            "[types] of the registry file");
}

TEST_F(LoadMethodTest, UsesTheDeviceThatAnOverrideNames) {
  ProgramBuilder builder;
  build_device_add(builder);
  ModuleOptions options = this->options();
  options.device_overrides.push_back({{"cuda", 0}, {"cuda", 1}});
  const auto module = load(builder, std::move(options));
  EXPECT_EQ(message_of(module->load_method("forward")), "OK");
  EXPECT_EQ(cuda0_->all_calls(), 0u);
  EXPECT_EQ(cuda1_->live_bytes, 48u);
  const auto buffers = module->planned_buffers("forward");
  ASSERT_TRUE(buffers.has_value());
  EXPECT_EQ(buffers->at(1).program_device.to_string(), "cuda:0");
  EXPECT_EQ(buffers->at(1).device.to_string(), "cuda:1");
  EXPECT_EQ(
      floats_of(
          module->execute("forward", std::vector{floats({2, 2}, {1, 2, 3, 4}), floats({2, 2}, {1, 1, 1, 1})})->at(0)),
      (std::vector<float>{2, 3, 4, 5}));
}

TEST_F(LoadMethodTest, ReportsPlannedBuffers) {
  const auto module = load_file("add_cuda0");
  EXPECT_EQ(module->planned_buffers("forward").error().code(), Code::kFailedPrecondition);
  EXPECT_EQ(message_of(module->load_method("forward")), "OK");
  const auto buffers = module->planned_buffers("forward");
  ASSERT_TRUE(buffers.has_value());
  ASSERT_EQ(buffers->size(), 2u);
  EXPECT_EQ(buffers->at(0).memory_id, 1u);
  EXPECT_EQ(buffers->at(0).bytes, 32u);
  EXPECT_EQ(buffers->at(0).device.to_string(), "cpu:0");
  EXPECT_EQ(buffers->at(1).memory_id, 2u);
  EXPECT_EQ(buffers->at(1).bytes, 48u);
  EXPECT_EQ(buffers->at(1).program_device.to_string(), "cuda:0");
  EXPECT_EQ(buffers->at(1).plugin, "fake");
  EXPECT_EQ(buffers->at(1).hardware_key, "fake/cuda:0");
  EXPECT_NE(buffers->at(1).handle, 0u);
  EXPECT_FALSE(buffers->at(1).caller_owned);
}

TEST_F(LoadMethodTest, NamesTheOwnerOfPlannedMemory) {
  const auto module = load_file("add_cuda0");
  EXPECT_EQ(message_of(module->load_method("forward")), "OK");
  const auto usage = device0_->usage();
  ASSERT_EQ(usage.size(), 1u);
  EXPECT_EQ(usage[0].owner, "add_cuda0.pte/forward");
  EXPECT_EQ(usage[0].part, 2u);
  EXPECT_EQ(usage[0].bytes, 48u);
}

}  // namespace
}  // namespace berth::module
