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
