// What a run observer sees, in which order.
#include <gtest/gtest.h>

#include "module_fixture.h"

namespace berth::module {
namespace {

class TextObserver final : public RunObserver {
 public:
  void begin(const RunEvent& event) noexcept override { lines.push_back("begin " + text(event)); }
  void end(const RunEvent& event, const Status& status) noexcept override {
    lines.push_back((status.ok() ? "end " : "failed ") + text(event));
  }
  std::vector<std::string> lines;

 private:
  static std::string text(const RunEvent& event) {
    static const char* const kKinds[] = {"load", "run", "instruction", "delegate", "copy"};
    std::string line = kKinds[static_cast<int>(event.kind)];
    if (!event.name.empty()) line.append(" ").append(event.name);
    if (event.kind == RunEventKind::kCopy) {
      line.append(" ").append(copy_direction_name(event.direction)).append(" ").append(std::to_string(event.bytes));
    }
    return line;
  }
};

TEST_F(ModuleTest, ShowsLoadRunInstructionsAndCopiesToItsObserver) {
  ProgramBuilder builder;
  build_device_add(builder);
  const auto observer = std::make_shared<TextObserver>();
  ModuleOptions options = this->options();
  options.observer = observer;
  const auto module = load(builder, options);
  ASSERT_TRUE(
      module->execute("forward", std::vector{floats({2, 2}, {1, 2, 3, 4}), floats({2, 2}, {1, 1, 1, 1})}).has_value());
  const std::vector<std::string> h2d = {"begin instruction et_copy::_h2d_copy", "begin copy program host to device 16",
                                        "end copy program host to device 16", "end instruction et_copy::_h2d_copy"};
  std::vector<std::string> expected = {"begin load", "end load", "begin run"};
  expected.insert(expected.end(), h2d.begin(), h2d.end());
  expected.insert(expected.end(), h2d.begin(), h2d.end());
  const std::vector<std::string> rest = {"begin delegate BackendWithCompilerDemo",
                                         "begin copy delegate device to host 16",
                                         "end copy delegate device to host 16",
                                         "begin copy delegate device to host 16",
                                         "end copy delegate device to host 16",
                                         "begin copy delegate host to device 16",
                                         "end copy delegate host to device 16",
                                         "end delegate BackendWithCompilerDemo",
                                         "begin instruction et_copy::_d2h_copy",
                                         "begin copy program device to host 16",
                                         "end copy program device to host 16",
                                         "end instruction et_copy::_d2h_copy",
                                         "end run"};
  expected.insert(expected.end(), rest.begin(), rest.end());
  EXPECT_EQ(observer->lines, expected);
}

TEST_F(ModuleTest, ShowsFailuresToItsObserver) {
  ProgramBuilder builder;
  build_device_add(builder);
  const auto observer = std::make_shared<TextObserver>();
  ModuleOptions options = this->options();
  options.observer = observer;
  const auto module = load(builder, options);
  cuda0_->before = [](FakeCall call) { return call == FakeCall::kAllocate ? test::fake_failure("full") : Status(); };
  EXPECT_FALSE(module->load_method("forward").ok());
  EXPECT_EQ(observer->lines, (std::vector<std::string>{"begin load", "failed load"}));
}

}  // namespace
}  // namespace berth::module
