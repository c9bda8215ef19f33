// Every call that reaches a device fails once: each time a Status that names what was tried, nothing is left, and the
// next try succeeds.
#include <gtest/gtest.h>

#include "module_fixture.h"

namespace berth::module {
namespace {

class FaultTest : public ModuleTest, public testing::WithParamInterface<Code> {
 protected:
  // Fails the n-th call of both devices together, from 1; 0 fails none.
  void fail_call(int number) {
    const auto left = std::make_shared<int>(number);
    const auto before = [left, code = GetParam()](FakeCall call) -> Status {
      if (call == FakeCall::kFree || --*left != 0) return {};
      return test::fake_failure("planned trouble", code);
    };
    cuda0_->before = before;
    cuda1_->before = before;
  }
  Status load_and_run(Module& module) {
    BERTH_RETURN_IF_ERROR(module.load_method("forward"));
    const std::vector<Value> inputs = {Value::of_tensor(corpus_array("chain_cuda0_cuda1.forward.input0")),
                                       Value::of_tensor(corpus_array("chain_cuda0_cuda1.forward.input1"))};
    return module.execute("forward", inputs).status();
  }
};

TEST_P(FaultTest, IsAStatusThatLeavesNothingAndCanBeTriedAgain) {
  const auto module = load_file("chain_cuda0_cuda1");
  int faults = 0;
  for (int number = 1; number < 200; ++number) {
    fail_call(number);
    const Status status = load_and_run(*module);
    if (status.ok()) break;
    ++faults;
    EXPECT_EQ(status.code(), GetParam());
    EXPECT_EQ(status.origin(), Origin::kDevice);
    EXPECT_NE(status.message().find("chain_cuda0_cuda1.pte, method 'forward': "), std::string::npos);
    EXPECT_NE(status.message().find("planned trouble"), std::string::npos) << status.message();
    EXPECT_NE(status.message().find("cuda:"), std::string::npos) << status.message();
    fail_call(0);
    EXPECT_EQ(message_of(load_and_run(*module)), "OK");
    EXPECT_EQ(message_of(module->unload_method("forward")), "OK");
    EXPECT_EQ(live_blocks(), 0);
    EXPECT_EQ(registry_->host()->statistics().current_count, 0u);
  }
  EXPECT_GT(faults, 12);
}

INSTANTIATE_TEST_SUITE_P(Codes, FaultTest,
                         testing::Values(Code::kDeviceLost, Code::kDriverFailed, Code::kOutOfDeviceMemory),
                         [](const auto& entry) {
                           std::string name = code_name(entry.param);
                           std::erase(name, '_');
                           return name;
                         });

}  // namespace
}  // namespace berth::module
