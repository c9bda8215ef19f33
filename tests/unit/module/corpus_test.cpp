// Programs of the device corpus whose delegates add, on fake devices; also as legacy programs. The whole corpus runs
// with the reference kernels in the tests of the command.
#include <gtest/gtest.h>

#include "module_fixture.h"

namespace berth::module {
namespace {

struct CorpusCase {
  const char* file;
  const char* method;
  int inputs;
};

std::ostream& operator<<(std::ostream& out, const CorpusCase& entry) {
  return out << entry.file << '.' << entry.method;
}

class CorpusTest : public ModuleTest, public testing::WithParamInterface<CorpusCase> {};

TEST_P(CorpusTest, GivesTheExpectedOutputTwice) {
  const auto& [file, method, count] = GetParam();
  const std::string base = std::string(file) + "." + method;
  const auto module = load_file(file);
  const auto meta = module->method_meta(method);
  ASSERT_TRUE(meta.has_value());
  std::vector<Value> inputs;
  for (int i = 0; i < count; ++i) {
    Tensor given = corpus_array(base + ".input" + std::to_string(i));
    const program::TensorPlan& plan = **meta->input_tensor(static_cast<std::size_t>(i));
    if (plan.storage == program::Storage::kUnplanned && !plan.device.is_host()) given = *given.clone_to(device0_);
    inputs.push_back(Value::of_tensor(std::move(given)));
  }
  for (int round = 0; round < 2; ++round) {
    const auto outputs = module->execute(method, inputs);
    ASSERT_TRUE(outputs.has_value()) << outputs.error().message();
    EXPECT_EQ(floats_of(outputs->at(0)), floats_of(Value::of_tensor(corpus_array(base + ".output0"))));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Corpus, CorpusTest,
    testing::Values(CorpusCase{"add_cuda0", "forward", 2}, CorpusCase{"chain_cuda0_cuda1", "forward", 2},
                    CorpusCase{"chain_same_device", "forward", 2}, CorpusCase{"skip_h2d", "forward", 2},
                    CorpusCase{"skip_d2h", "forward", 2}, CorpusCase{"skip_both", "forward", 2},
                    CorpusCase{"skip_both_planned", "forward", 2}, CorpusCase{"two_methods", "decode", 2},
                    CorpusCase{"two_methods", "encode", 2}, CorpusCase{"unplaced_add_cuda0", "forward", 2},
                    CorpusCase{"unplaced_chain_cuda0_cuda1", "forward", 2},
                    CorpusCase{"unplaced_chain_same_device", "forward", 2}),
    [](const auto& entry) { return std::string(entry.param.file) + entry.param.method; });

class LegacyTest : public ModuleTest {};

TEST_F(LegacyTest, RunsOnTheHostAlsoWithoutTheDevices) {
  registry_ = std::make_shared<DeviceRegistry>();
  const auto module = load_file("unplaced_add_cuda0");
  const auto outputs =
      module->execute("forward", std::vector{Value::of_tensor(corpus_array("unplaced_add_cuda0.forward.input0")),
                                             Value::of_tensor(corpus_array("unplaced_add_cuda0.forward.input1"))});
  ASSERT_TRUE(outputs.has_value()) << outputs.error().message();
  EXPECT_EQ(log_->targets, std::vector<std::string>{"cpu:0"});
  EXPECT_EQ(module->copies().total().count, 0u);
}

TEST_F(LegacyTest, SaysSoInALogLineAndANotice) {
  std::vector<std::string> lines;
  ModuleOptions options = this->options();
  options.log = make_function_sink([&](LogLevel level, std::string_view text) {
    if (level == LogLevel::kWarning) lines.emplace_back(text);
  });
  const auto module =
      Module::load(std::filesystem::path(BERTH_TEST_DATA_DIR "/unplaced_add_cuda0.pte"), registry_, options);
  ASSERT_TRUE(module.has_value()) << module.error().message();
  ASSERT_EQ((*module)->notices().size(), 1u);
  EXPECT_EQ(lines, (*module)->notices());
  EXPECT_NE(lines[0].find("was planned without devices (3 tensors are tagged for a device that holds no memory): "
                          "everything runs on the host; export it again with device planning "
                          "(enable_non_cpu_memory_planning)"),
            std::string::npos)
      << lines[0];
  EXPECT_TRUE(load_file("add_cuda0")->notices().empty());
}

TEST_F(LegacyTest, IsRefusedWhenAnOptionSaysSo) {
  ModuleOptions options = this->options();
  options.refuse_legacy = true;
  const auto module =
      Module::load(std::filesystem::path(BERTH_TEST_DATA_DIR "/unplaced_add_cuda0.pte"), registry_, options);
  ASSERT_FALSE(module.has_value());
  EXPECT_EQ(module.error().code(), Code::kInvalidProgram);
  EXPECT_EQ(module.error().origin(), Origin::kInput);
  EXPECT_NE(module.error().message().find(
                "the program was planned without devices: expected planned buffers on the devices it is tagged for, "
                "found all buffers on the host; export it again with device planning "
                "(enable_non_cpu_memory_planning), or allow legacy programs"),
            std::string::npos)
      << module.error().message();
}

}  // namespace
}  // namespace berth::module
