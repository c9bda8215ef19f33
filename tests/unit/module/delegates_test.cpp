// What delegates are given when they are made and when they run.
#include <gtest/gtest.h>

#include <array>
#include <functional>

#include "module_fixture.h"

namespace berth::module {
namespace {

using test::bytes_of;

// A delegate whose execute is a function of the test.
class FunctionDelegate final : public Delegate {
 public:
  using Function = std::function<Status(ExecContext&, std::span<Value* const>)>;
  explicit FunctionDelegate(Function function) : function_(std::move(function)) {}
  Status execute(ExecContext& context, std::span<Value* const> args) override { return function_(context, args); }

 private:
  Function function_;
};

class DelegateTest : public ModuleTest {
 protected:
  void when_made(std::function<void(InitContext&)> inspect, FunctionDelegate::Function execute = {}) {
    const auto make = [inspect = std::move(inspect), execute = std::move(execute)](
                          std::span<const std::byte>, std::span<const program::CompileSpec>,
                          InitContext& context) -> Result<std::unique_ptr<Delegate>> {
      if (inspect) inspect(context);
      return std::make_unique<FunctionDelegate>(execute);
    };
    ASSERT_TRUE(delegates_.add("Test", make).ok());
  }
  // One delegate on cuda:0 with one tensor argument, planned at `offset` of a buffer of 128 bytes.
  void build(ProgramBuilder& builder, std::uint64_t offset = 0, std::int8_t dynamism = 0) {
    MethodBuilder& forward = builder.method("forward");
    const int memory = forward.buffer(128, kCuda, 0);
    const int x = forward.tensor(
        {.sizes = {4}, .memory_id = memory, .offset = offset, .device_type = kCuda, .dynamism = dynamism});
    const int delegate = forward.delegate("Test", "blob", {{"target_device", "cuda:0"}, {"level", "3"}});
    forward.inputs({x}).outputs({x}).delegate_call(delegate, {x});
  }
  Status run(Module& module, std::vector<float> elements = {1, 2, 3, 4}) {
    const auto size = static_cast<std::int32_t>(elements.size());
    auto outputs = module.execute("forward", std::vector{floats({size}, std::move(elements))});
    if (!outputs.has_value()) return outputs.status();
    outputs_ = *std::move(outputs);
    return {};
  }
  std::vector<Value> outputs_;
};

TEST_F(DelegateTest, IsGivenItsSurroundingsWhenMade) {
  ProgramBuilder builder;
  build(builder);
  builder.named_data("weights", bytes_of(std::vector<float>{1, 2}));
  int made = 0;
  std::shared_ptr<const void> keeper;
  ModuleOptions options;
  const InitContext* seen = nullptr;
  when_made([&](InitContext& context) {
    ++made;
    EXPECT_EQ(context.method, "forward");
    EXPECT_EQ(context.program_name, "test.pte");
    EXPECT_EQ(context.target_id.to_string(), "cuda:0");
    EXPECT_EQ(context.target, device0_);
    EXPECT_EQ(context.registry, registry_);
    EXPECT_EQ(context.kernels, options.kernels);
    EXPECT_EQ(context.delegates, options.delegates);
    EXPECT_NE(context.copy_operators->find("et_copy::_h2d_copy", "out"), nullptr);
    EXPECT_EQ(context.depth, 3u);
    EXPECT_EQ(context.options.size(), 1u);
    EXPECT_EQ(context.options[0].value, "fast");
    EXPECT_EQ(context.named_data->find("weights")->size(), 8u);
    EXPECT_FALSE(context.named_data->find("weight").has_value());
    EXPECT_TRUE(context.scratch->take(100).has_value());
    EXPECT_EQ(device0_->statistics().current_bytes, 128u);  // planned memory is there already
    keeper = context.blob_keeper;
    seen = &context;
  });
  options = this->options();
  options.depth = 3;
  options.delegate_options.push_back({"Test", "speed", "fast"});
  const auto module = load(builder, options);
  EXPECT_EQ(message_of(module->load_method("forward")), "OK");
  EXPECT_EQ(made, 1);
  EXPECT_EQ(keeper.get(), module->program().get());
  EXPECT_NE(seen, nullptr);
}

TEST_F(DelegateTest, RunsOnTheHostWithoutATarget) {
  when_made([&](InitContext& context) {
    EXPECT_EQ(context.target_id.to_string(), "cpu:0");
    EXPECT_EQ(context.target, registry_->host());
  });
  ProgramBuilder builder;
  MethodBuilder& forward = builder.method("forward");
  forward.delegate("Test", "blob");
  EXPECT_EQ(message_of(load(builder)->load_method("forward")), "OK");
}

TEST_F(DelegateTest, SeesHandleAddressOffsetAndBytesOfItsArguments) {
  TensorMemory seen;
  when_made({}, [&](ExecContext&, std::span<Value* const> args) -> Status {
    seen = args[0]->to_tensor()->memory();
    return {};
  });
  ProgramBuilder builder;
  build(builder, 32);
  const auto module = load(builder);
  ASSERT_EQ(message_of(run(*module)), "OK");
  const PlannedBufferInfo planned = module->planned_buffers("forward")->at(0);
  EXPECT_EQ(seen.device, device0_.get());
  EXPECT_EQ(seen.handle, planned.handle);
  EXPECT_EQ(seen.offset, 32u);
  EXPECT_EQ(seen.address, planned.address + 32);
  EXPECT_EQ(seen.bytes, 16u);
  EXPECT_EQ(seen.buffer->native()->api, "fake");
}

TEST_F(DelegateTest, MayResizeItsOutputs) {
  when_made({}, [&](ExecContext&, std::span<Value* const> args) -> Status {
    const std::array<std::int32_t, 1> sizes = {2};
    return args[0]->to_tensor()->resize(sizes);
  });
  ProgramBuilder builder;
  build(builder, 0, 1);
  const auto module = load(builder);
  ASSERT_EQ(message_of(run(*module)), "OK");
  EXPECT_EQ(outputs_.at(0).to_tensor()->size(0), 2);
}

TEST_F(DelegateTest, BlamesTheProgramWhenAnOutputHasNoRoom) {
  when_made({}, [&](ExecContext&, std::span<Value* const> args) -> Status {
    const std::array<std::int32_t, 1> sizes = {5};
    return args[0]->to_tensor()->resize(sizes);
  });
  ProgramBuilder builder;
  build(builder, 0, 1);
  const Status status = run(*load(builder));
  EXPECT_EQ(status.code(), Code::kInvalidProgram);
  EXPECT_EQ(status.origin(), Origin::kInput);
  EXPECT_EQ(message_of(status),
            "test.pte, method 'forward': instruction 0 (delegate Test on values 0): a tensor has no room for these "
            "sizes: expected at most 16 bytes, found float32[5]");
}

TEST_F(DelegateTest, WorksOnItsQueueWhichModuleWaitsFor) {
  static const std::array<float, 4> kResult = {9, 8, 7, 6};
  when_made({}, [&](ExecContext& context, std::span<Value* const> args) -> Status {
    BERTH_ASSIGN_OR_STATUS(Queue* const queue, context.queue());
    const TensorMemory memory = args[0]->to_tensor()->memory();
    return queue->copy_to_device(*memory.buffer, memory.offset, kResult.data(), memory.bytes);
  });
  ProgramBuilder builder;
  build(builder);
  const auto module = load(builder);
  ASSERT_EQ(message_of(run(*module)), "OK");
  ASSERT_EQ(message_of(run(*module)), "OK");
  EXPECT_EQ(cuda0_->calls(FakeCall::kQueue), 1u);
  EXPECT_EQ(floats_of(outputs_.at(0)), (std::vector<float>{9, 8, 7, 6}));
  EXPECT_EQ(message_of(module->unload_method("forward")), "OK");
  EXPECT_EQ(cuda0_->queues_alive, 0);
}

TEST_F(DelegateTest, AnswersWhatItsQueuedWorkFailedWith) {
  static const std::array<float, 4> kResult = {};
  when_made({}, [&](ExecContext& context, std::span<Value* const> args) -> Status {
    BERTH_ASSIGN_OR_STATUS(Queue* const queue, context.queue());
    const TensorMemory memory = args[0]->to_tensor()->memory();
    cuda0_->before = [](FakeCall call) {
      return call == FakeCall::kToDevice ? test::fake_failure("the wire broke") : Status();
    };
    return queue->copy_to_device(*memory.buffer, memory.offset, kResult.data(), memory.bytes);
  });
  ProgramBuilder builder;
  build(builder);
  const auto module = load(builder);
  const Status status = run(*module);
  EXPECT_EQ(status.code(), Code::kEarlierWork);
  EXPECT_EQ(status.message().rfind("test.pte, method 'forward': instruction 0 (delegate Test on values 0): ", 0), 0u)
      << status.message();
}

TEST_F(DelegateTest, BindsItsOwnMemoryWhenTheOffsetIsAligned) {
  TensorMemory bound;
  when_made({}, [&](ExecContext& context, std::span<Value* const> args) -> Status {
    BERTH_ASSIGN_OR_STATUS(bound, context.bind(*args[0]->to_tensor(), BindAccess::kReadWrite));
    return {};
  });
  ProgramBuilder builder;
  build(builder, 32);
  const auto module = load(builder);
  ASSERT_EQ(message_of(run(*module)), "OK");
  EXPECT_EQ(bound.offset, 32u);
  EXPECT_EQ(module->copies().total().count, 1u);  // the staged input
}

TEST_F(DelegateTest, BindsAnAlignedCopyBelowTheBindAlignment) {
  cuda0_->bind_alignment = 64;
  device0_ = test::make_fake_device(cuda0_, "cuda:0");
  registry_ = std::make_shared<DeviceRegistry>();
  ASSERT_TRUE(registry_->add({"cuda", 0}, [this] { return device0_; }).ok());
  when_made({}, [&](ExecContext& context, std::span<Value* const> args) -> Status {
    BERTH_ASSIGN_OR_STATUS(const TensorMemory bound, context.bind(*args[0]->to_tensor(), BindAccess::kReadWrite));
    EXPECT_EQ(bound.offset % 64, 0u);
    EXPECT_EQ(bound.bytes, 16u);
    std::array<float, 4> elements = {};
    BERTH_RETURN_IF_ERROR(bound.buffer->read(bound.offset, elements.data(), 16));
    for (float& element : elements) element *= 10;
    return bound.buffer->write(bound.offset, elements.data(), 16);
  });
  ProgramBuilder builder;
  build(builder, 32);
  const auto module = load(builder);
  ASSERT_EQ(message_of(run(*module)), "OK");
  EXPECT_EQ(floats_of(outputs_.at(0)), (std::vector<float>{10, 20, 30, 40}));
  EXPECT_EQ(module->copies().of(CopyDirection::kDeviceToDevice, CopyCause::kAlignment), (CopyCount{2, 32}));
  const std::uint64_t allocations = cuda0_->calls(FakeCall::kAllocate);
  ASSERT_EQ(message_of(run(*module, {5, 6, 7, 8})), "OK");
  EXPECT_EQ(floats_of(outputs_.at(0)), (std::vector<float>{50, 60, 70, 80}));
  EXPECT_EQ(cuda0_->calls(FakeCall::kAllocate), allocations);
  for (const OwnerUsage& usage : device0_->usage()) EXPECT_EQ(usage.owner, "test.pte/forward");
  EXPECT_EQ(message_of(module->unload_method("forward")), "OK");
  EXPECT_EQ(cuda0_->live_blocks, 0);
}

TEST_F(DelegateTest, NamesTheArgumentWhoseAlignedCopyFails) {
  cuda0_->bind_alignment = 64;
  device0_ = test::make_fake_device(cuda0_, "cuda:0", 128);
  registry_ = std::make_shared<DeviceRegistry>();
  ASSERT_TRUE(registry_->add({"cuda", 0}, [this] { return device0_; }).ok());
  when_made({}, [&](ExecContext& context, std::span<Value* const> args) -> Status {
    return context.bind(*args[0]->to_tensor(), BindAccess::kRead).status();
  });
  ProgramBuilder builder;
  build(builder, 32);
  const std::string message = message_of(run(*load(builder)));
  EXPECT_NE(message.find("aligned copy of argument 0 (16 bytes): cuda:0 (plugin fake), "), std::string::npos)
      << message;
}

TEST_F(DelegateTest, CountsItsCopies) {
  when_made({}, [&](ExecContext& context, std::span<Value* const> args) -> Status {
    std::array<std::byte, 16> bytes;
    BERTH_RETURN_IF_ERROR(context.read(*args[0]->to_tensor(), bytes));
    return context.write(*args[0]->to_tensor(), bytes);
  });
  ProgramBuilder builder;
  build(builder);
  const auto module = load(builder);
  ASSERT_EQ(message_of(run(*module)), "OK");
  EXPECT_EQ(module->copies().of(CopyDirection::kDeviceToHost, CopyCause::kDelegate), (CopyCount{1, 16}));
  EXPECT_EQ(module->copies().of(CopyDirection::kHostToDevice, CopyCause::kDelegate), (CopyCount{1, 16}));
}

TEST_F(DelegateTest, TurnsAThrownExceptionIntoAStatus) {
  when_made({},
            [](ExecContext&, std::span<Value* const>) -> Status { throw std::runtime_error("delegate's trouble"); });
  ProgramBuilder builder;
  build(builder);
  EXPECT_EQ(message_of(run(*load(builder))),
            "test.pte, method 'forward': a kernel or delegate threw: delegate's trouble");
}

TEST_F(DelegateTest, TurnsAFactorysExceptionIntoAStatusAndGivesMemoryBack) {
  when_made([](InitContext&) { throw std::runtime_error("factory's trouble"); });
  ProgramBuilder builder;
  build(builder);
  const auto module = load(builder);
  EXPECT_EQ(message_of(module->load_method("forward")),
            "test.pte: a delegate of method 'forward' threw: factory's trouble");
  EXPECT_EQ(live_blocks(), 0);
}

TEST_F(DelegateTest, RefusesToRunInsideItself) {
  std::unique_ptr<Module> module;
  Status inner;
  when_made({}, [&](ExecContext&, std::span<Value* const>) -> Status {
    inner = module->execute("forward", std::vector{floats({4}, {1, 2, 3, 4})}).status();
    return {};
  });
  ProgramBuilder builder;
  build(builder);
  module = load(builder);
  EXPECT_EQ(message_of(run(*module)), "OK");
  EXPECT_EQ(message_of(inner), "test.pte, method 'forward': the method is running already");
}

}  // namespace
}  // namespace berth::module
