// Steady state: running allocates nothing on the heap, loading and unloading keeps the process small.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <new>

#include "module_fixture.h"

namespace {

std::atomic<std::uint64_t> allocations{0};

void* counted(std::size_t bytes) {
  ++allocations;
  if (void* const memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  throw std::bad_alloc();
}

}  // namespace

// The whole test program counts its allocations.
void* operator new(std::size_t bytes) { return counted(bytes); }
void* operator new[](std::size_t bytes) { return counted(bytes); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(bytes == 0 ? 1 : bytes);
}
void* operator new[](std::size_t bytes, const std::nothrow_t& tag) noexcept { return operator new(bytes, tag); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace berth::module {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif
#else
constexpr bool kSanitized = false;
#endif

class SteadyStateTest : public ModuleTest {
 protected:
  ModuleOptions options_ = options();

  // Allocations of `rounds` runs after two that warm up.
  std::uint64_t allocations_of(Module& module, std::span<const Value> inputs, int rounds = 10) {
    std::vector<Value> outputs(module.method_meta("forward")->num_outputs());
    for (int round = 0; round < 2; ++round) {
      EXPECT_EQ(message_of(module.execute("forward", inputs, outputs)), "OK");
    }
    const std::uint64_t before = allocations;
    bool good = true;
    for (int round = 0; round < rounds; ++round) good = module.execute("forward", inputs, outputs).ok() && good;
    EXPECT_TRUE(good);
    return allocations - before;
  }
  static std::uint64_t resident_bytes() {
    std::uint64_t total = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> total >> resident;
    return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  }
};

TEST_F(SteadyStateTest, AllocatesNothingOnTheHeapWhenItRuns) {
  const auto module = load_file("chain_cuda0_cuda1");
  const std::vector<Value> inputs = {Value::of_tensor(corpus_array("chain_cuda0_cuda1.forward.input0")),
                                     Value::of_tensor(corpus_array("chain_cuda0_cuda1.forward.input1"))};
  EXPECT_EQ(allocations_of(*module, inputs), 0u);
}

TEST_F(SteadyStateTest, AllocatesNothingForUnplannedInputsAndOutputs) {
  const auto module = load_file("skip_both");
  const std::vector<Value> inputs = {Value::of_tensor(*corpus_array("skip_both.forward.input0").clone_to(device0_)),
                                     Value::of_tensor(*corpus_array("skip_both.forward.input1").clone_to(device0_))};
  const std::uint64_t device_allocations = cuda0_->calls(FakeCall::kAllocate);
  EXPECT_EQ(allocations_of(*module, inputs), 0u);
  EXPECT_EQ(cuda0_->calls(FakeCall::kAllocate), device_allocations + 1);  // the output, at load
}

TEST_F(SteadyStateTest, AllocatesNothingForScratchMovesAndViews) {
  ProgramBuilder builder;
  MethodBuilder& forward = builder.method("forward");
  const int memory = forward.buffer(64);
  const int a = forward.tensor({.sizes = {2}, .memory_id = memory});
  const int seen = forward.tensor({.sizes = {2}, .memory_id = memory, .offset = 16});
  const int y = forward.tensor({.sizes = {2}, .memory_id = memory, .offset = 32});
  const int z = forward.tensor({.sizes = {2}, .memory_id = memory, .offset = 48});
  forward.inputs({a}).outputs({z}).call("test::view.out", {a, seen}).call("test::scratch.out", {seen, y, y}).move(y, z);
  const auto module = load(builder);
  EXPECT_EQ(allocations_of(*module, std::vector{floats({2}, {1, 2})}), 0u);
}

TEST_F(SteadyStateTest, AllocatesNoMoreWhenALoopRebindsAndFreesForLong) {
  ProgramBuilder builder;
  MethodBuilder& forward = builder.method("forward");
  const int memory = forward.buffer(32);
  const int a = forward.tensor({.sizes = {2}, .memory_id = memory});
  const int seen = forward.tensor({.sizes = {2}, .memory_id = memory, .offset = 16});
  const int freed = forward.tensor({.sizes = {2}, .memory_id = memory, .offset = 16});
  const int never = forward.boolean(false);
  forward.inputs({a}).call("test::view.out", {a, seen}).free_value(freed).jump_false(never, 0);
  const auto allocations_within = [&](std::uint64_t instructions) {
    options_.max_instructions = instructions;
    const auto module = load(builder, options_);
    EXPECT_EQ(message_of(module->load_method("forward")), "OK");
    const std::vector inputs = {floats({2}, {1, 2})};
    const std::uint64_t before = allocations;
    EXPECT_EQ(module->execute("forward", inputs).error().code(), Code::kInvalidProgram);
    return allocations - before;
  };
  EXPECT_EQ(allocations_within(100000), allocations_within(100));
}

TEST_F(SteadyStateTest, CountsAllocationsAtAll) {
  const std::uint64_t before = allocations;
  const Value value = floats({2}, {1, 2});
  EXPECT_GT(allocations, before);
}

TEST_F(SteadyStateTest, StaysSmallOverManyLoads) {
  if (kSanitized) GTEST_SKIP() << "sanitizers keep freed memory";
  std::uint64_t after_first = 0;
  for (int round = 0; round < 20000; ++round) {
    if (round == 1000) after_first = resident_bytes();
    auto module =
        Module::load(std::filesystem::path(BERTH_TEST_DATA_DIR "/chain_cuda0_cuda1.pte"), registry_, options_);
    ASSERT_TRUE(module.has_value());
    ASSERT_TRUE((*module)->load_method("forward").ok());
    const Status unloaded = round % 2 == 0 ? (*module)->unload_method("forward") : Status();
    ASSERT_TRUE(unloaded.ok());
    log_->targets.clear();
    log_->blobs.clear();
  }
  EXPECT_LT(resident_bytes(), after_first + (1 << 20));
  EXPECT_EQ(live_blocks(), 0);
}

}  // namespace
}  // namespace berth::module
