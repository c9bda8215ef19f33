// What kernels and delegate factories throw ends in a Status.
#include <gtest/gtest.h>

#include <new>

#include "module_fixture.h"

namespace berth::module {
namespace {

class ExceptionsTest : public ModuleTest {};

TEST_F(ExceptionsTest, SaysThatHostMemoryRanOutWhenAKernelThrowsSo) {
  const auto full = [](KernelContext&, std::span<Value* const>) -> Status { throw std::bad_alloc(); };
  ASSERT_TRUE(kernels_.add("test::full", "", full).ok());
  ProgramBuilder builder;
  builder.method("forward").call("test::full", {});
  const Status status = load(builder)->execute("forward", {}).status();
  EXPECT_EQ(status.code(), Code::kOutOfHostMemory);
  EXPECT_EQ(status.origin(), Origin::kDevice);
  EXPECT_EQ(status.message(), "test.pte, method 'forward': host memory ran out");
}

TEST_F(ExceptionsTest, SaysThatAFactoryThrewWhateverItThrows) {
  const auto make = [](std::span<const std::byte>, std::span<const program::CompileSpec>,
                       InitContext&) -> Result<std::unique_ptr<Delegate>> { throw 7; };
  ASSERT_TRUE(delegates_.add("Throws", make).ok());
  ProgramBuilder builder;
  builder.method("forward").delegate("Throws", "blob");
  const auto module = load(builder);
  const Status status = module->load_method("forward");
  EXPECT_EQ(status.code(), Code::kInternal);
  EXPECT_EQ(status.message(), "test.pte: a delegate of method 'forward' threw");
  EXPECT_FALSE(module->is_loaded("forward"));
}

}  // namespace
}  // namespace berth::module
