// What bounds loading: the host's memory, absurd sizes, how deep programs nest.
#include <gtest/gtest.h>

#include "berth/core/host_device.h"
#include "module_fixture.h"

namespace berth::module {
namespace {

class LoadLimitTest : public ModuleTest {};

TEST_F(LoadLimitTest, BoundsHostMemoryByTheHostLimit) {
  registry_ = std::make_shared<DeviceRegistry>(make_host_device(40));
  ProgramBuilder builder;
  build_host_add(builder);
  const Status status = load(builder)->load_method("forward");
  EXPECT_EQ(status.code(), Code::kLimitExceeded);
  EXPECT_EQ(status.message().rfind("test.pte, method 'forward': planned buffer 1 (48 bytes on cpu:0): ", 0), 0u)
      << status.message();
}

TEST_F(LoadLimitTest, TakesScratchAsAskedForWhenTwiceAsMuchIsBeyondTheLimit) {
  registry_ = std::make_shared<DeviceRegistry>(make_host_device(9000));
  const auto takes = [](KernelContext& context, std::span<Value* const>) -> Status {
    BERTH_ASSIGN_OR_STATUS(const auto first, context.scratch<float>(1000));
    BERTH_ASSIGN_OR_STATUS(const auto second, context.scratch<float>(1200));
    return first.size() + second.size() == 2200 ? Status() : context.bad_call("too little");
  };
  ASSERT_TRUE(kernels_.add("test::takes", "", takes).ok());
  ProgramBuilder builder;
  builder.method("forward").call("test::takes", {});
  EXPECT_EQ(message_of(load(builder)->execute("forward", {}).status()), "OK");
}

TEST_F(LoadLimitTest, AnswersStatusWhenAPlannedBufferIsAbsurd) {
  ProgramBuilder builder;
  MethodBuilder& forward = builder.method("forward");
  forward.buffer(INT64_MAX);
  const Status status = load(builder)->load_method("forward");
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(registry_->host()->statistics().current_bytes, 0u);
}

TEST_F(LoadLimitTest, RefusesAModuleWithoutRegistryOrNestedTooDeeply) {
  ProgramBuilder builder;
  build_host_add(builder);
  const auto program = program::Program::from_bytes(builder.build(), "test.pte");
  ASSERT_TRUE(program.has_value());
  EXPECT_EQ(Module::load(*program, nullptr).error().message(), "a module needs a program and a device registry");
  ModuleOptions options = this->options();
  options.depth = 9;
  EXPECT_EQ(Module::load(*program, registry_, options).error().message(),
            "test.pte: programs in delegates are nested too deeply: expected at most 8, found 9");
}

}  // namespace
}  // namespace berth::module
