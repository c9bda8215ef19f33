// `berth run`: whole reports of the built program, and what it does with its options.
#include <gtest/gtest.h>

#include "cli_fixture.h"

namespace berth::test {
namespace {

class RunTest : public testing::Test {
 protected:
  // Runs the built program; paths, times and host figures are made the same.
  Answer berth(const std::vector<std::string>& arguments) {
    Answer answer = run_binary(arguments);
    answer.out = normalised(answer.out, folder_);
    answer.err = normalised(answer.err, folder_);
    return answer;
  }
  std::string config(const char* name, const std::string& text) { return folder_.write(name, text); }
  TempDir folder_;
  const std::string add_ = data_file("add_cuda0.pte");
  const std::string input0_ = data_file("add_cuda0.forward.input0.npy");
  const std::string input1_ = data_file("add_cuda0.forward.input1.npy");
  const std::string output0_ = data_file("add_cuda0.forward.output0.npy");
};

TEST_F(RunTest, SaysWhatItPlacedCopiedAndComputed) {
  const Answer answer = berth({"run", add_, "--config", config("mock.toml", mock_config()), "--input", input0_,
                               "--input", input1_, "--expect", output0_});
  EXPECT_EQ(answer.code, 0);
  EXPECT_EQ(answer.err, "");
  EXPECT_EQ(answer.out,
            "Program <source>/tests/data/device/add_cuda0.pte\n"
            "Registry file <tmp>/mock.toml (given by the caller)\n"
            "\n"
            "Devices of method forward\n"
            "  DEVICE  SERVED BY  PLUGIN  HARDWARE  WHY\n"
            "  cpu:0  cpu:0  host  host memory  built in\n"
            "  cuda:0  cuda:0  mock 0.1.0  Berth mock device  configured\n"
            "\n"
            "Planned buffers of method forward\n"
            "  ID  BYTES  PROGRAM SAYS  PLUGIN  HARDWARE\n"
            "   1  32  cpu:0  host  host memory\n"
            "   2  48  cuda:0  mock  Berth mock device\n"
            "\n"
            "Inputs\n"
            "  #  TYPE  FROM  STAGED ON\n"
            "  0  float32[2, 2]  <source>/tests/data/device/add_cuda0.forward.input0.npy  -\n"
            "  1  float32[2, 2]  <source>/tests/data/device/add_cuda0.forward.input1.npy  -\n"
            "\n"
            "Outputs\n"
            "  #  TYPE  ON  VALUES\n"
            "  0  float32[2, 2]  cpu:0  10, 11, 12, 13\n"
            "  output 0 matches <source>/tests/data/device/add_cuda0.forward.output0.npy, largest difference 0\n"
            "\n"
            "Copies between host and devices\n"
            "  DIRECTION  CAUSE  COUNT  BYTES\n"
            "  host to device  program  2  32\n"
            "  host to device  delegate  1  16\n"
            "  device to host  program  1  16\n"
            "  device to host  delegate  2  32\n"
            "\n"
            "Loaded in <time>, 1 run, <time>\n"
            "Result: matches\n");
}

TEST_F(RunTest, MakesUpInputsStagesThemAndReadsOutputsBack) {
  const Answer answer = berth({"run", data_file("skip_both.pte"), "--config", config("mock.toml", mock_config()),
                               "--repeat", "3", "--output-dir", folder_.path() / "out"});
  EXPECT_EQ(answer.code, 0);
  EXPECT_EQ(answer.err, "");
  EXPECT_EQ(answer.out,
            "Program <source>/tests/data/device/skip_both.pte\n"
            "Registry file <tmp>/mock.toml (given by the caller)\n"
            "\n"
            "Devices of method forward\n"
            "  DEVICE  SERVED BY  PLUGIN  HARDWARE  WHY\n"
            "  cpu:0  cpu:0  host  host memory  built in\n"
            "  cuda:0  cuda:0  mock 0.1.0  Berth mock device  configured\n"
            "\n"
            "Planned buffers of method forward\n"
            "  ID  BYTES  PROGRAM SAYS  PLUGIN  HARDWARE\n"
            "   1  0  cpu:0  host  host memory\n"
            "\n"
            "Inputs\n"
            "  #  TYPE  FROM  STAGED ON\n"
            "  0  float32[2, 2]  ones (no --input given)  cuda:0\n"
            "  1  float32[2, 2]  ones (no --input given)  cuda:0\n"
            "\n"
            "Outputs of the last of 3 runs\n"
            "  #  TYPE  ON  VALUES\n"
            "  0  float32[2, 2]  cuda:0, read back  2, 2, 2, 2\n"
            "\n"
            "Copies between host and devices\n"
            "  DIRECTION  CAUSE  COUNT  BYTES\n"
            "  host to device  delegate  3  48\n"
            "  device to host  delegate  6  96\n"
            "  host to device  input staged  2  32\n"
            "  device to host  output read back  1  16\n"
            "\n"
            "Wrote <tmp>/out/skip_both.forward.output0.npy\n"
            "\n"
            "Loaded in <time>, 3 runs, <time> each at the median\n"
            "Result: ran; nothing to compare with (--expect)\n");
}

TEST_F(RunTest, RunsLegacyProgramsOnTheHost) {
  const Answer answer =
      berth({"run", data_file("unplaced_add_cuda0.pte"), "--config", config("mock.toml", mock_config())});
  EXPECT_EQ(answer.code, 0);
  EXPECT_EQ(answer.err, "");
  EXPECT_EQ(
      answer.out,
      "Program <source>/tests/data/device/unplaced_add_cuda0.pte\n"
      "Registry file <tmp>/mock.toml (given by the caller)\n"
      "Notice: <source>/tests/data/device/unplaced_add_cuda0.pte was planned without devices (3 tensors are "
      "tagged for a device that holds no memory): everything runs on the host; export it again with device planning "
      "(enable_non_cpu_memory_planning)\n"
      "\n"
      "Devices of method forward\n"
      "  DEVICE  SERVED BY  PLUGIN  HARDWARE  WHY\n"
      "  cpu:0  cpu:0  host  host memory  built in\n"
      "\n"
      "Planned buffers of method forward\n"
      "  ID  BYTES  PROGRAM SAYS  PLUGIN  HARDWARE\n"
      "   1  48  cpu:0  host  host memory\n"
      "\n"
      "Inputs\n"
      "  #  TYPE  FROM  STAGED ON\n"
      "  0  float32[2, 2]  ones (no --input given)  -\n"
      "  1  float32[2, 2]  ones (no --input given)  -\n"
      "\n"
      "Outputs\n"
      "  #  TYPE  ON  VALUES\n"
      "  0  float32[2, 2]  cpu:0  2, 2, 2, 2\n"
      "\n"
      "Copies between host and devices\n"
      "  none\n"
      "\n"
      "Loaded in <time>, 1 run, <time>\n"
      "Result: ran; nothing to compare with (--expect)\n");
}

TEST_F(RunTest, RunsMethodsWithoutTensors) {
  const Answer answer = berth({"run", data_file("two_methods.pte"), "--config", config("mock.toml", mock_config()),
                               "--method", "context_length", "--expect", "int:128"});
  EXPECT_EQ(answer.code, 0);
  EXPECT_EQ(answer.err, "");
  EXPECT_EQ(answer.out,
            "Program <source>/tests/data/device/two_methods.pte\n"
            "Registry file <tmp>/mock.toml (given by the caller)\n"
            "\n"
            "Devices of method context_length\n"
            "  none\n"
            "\n"
            "Planned buffers of method context_length\n"
            "  none\n"
            "\n"
            "Inputs\n"
            "  none\n"
            "\n"
            "Outputs\n"
            "  #  TYPE  ON  VALUES\n"
            "  0  int  -  128\n"
            "  output 0 matches int:128, largest difference 0\n"
            "\n"
            "Copies between host and devices\n"
            "  none\n"
            "\n"
            "Loaded in <time>, 1 run, <time>\n"
            "Result: matches\n");
}

TEST_F(RunTest, SaysWhereAnOutputDiffers) {
  const std::string wrong = folder_.write("wrong.npy", npy_floats("(2, 2)", {10, 11, 12, 14}));
  const Answer answer = berth({"run", add_, "--config", config("mock.toml", mock_config()), "--input", input0_,
                               "--input", input1_, "--expect", wrong});
  EXPECT_EQ(answer.code, 1);
  EXPECT_NE(
      answer.out.find("  output 0 differs from <tmp>/wrong.npy in 1 of 4 elements, first at [1, 1]: expected 14, found "
                      "13, largest difference 1\n"),
      std::string::npos)
      << answer.out;
  EXPECT_NE(answer.out.find("Result: differs\n"), std::string::npos) << answer.out;
  EXPECT_EQ(berth({"run", add_, "--config", config("mock.toml", mock_config()), "--input", input0_, "--input", input1_,
                   "--expect", wrong, "--atol", "1"})
                .code,
            0);
}

TEST_F(RunTest, AnotherShapeDiffers) {
  const std::string five = folder_.write("five.npy", npy_floats("(5,)", {0, 0, 0, 0, 0}));
  const Answer answer = berth({"run", add_, "--config", config("mock.toml", mock_config()), "--expect", five});
  EXPECT_EQ(answer.code, 1);
  EXPECT_NE(answer.out.find("  output 0 differs from <tmp>/five.npy: expected float32[5], found float32[2, 2]\n"),
            std::string::npos)
      << answer.out;
}

TEST_F(RunTest, ComparesTheLastRepeat) {
  const std::string second = folder_.write("second.npy", npy_floats("(3,)", {31, 62, 93}));
  const std::string counter = folder_.write("counter.npy", npy_floats("(1,)", {4}));
  const std::vector<std::string> words = {"run",      data_file("state_cuda0.pte"),
                                          "--config", config("mock.toml", mock_config()),
                                          "--input",  data_file("state_cuda0.forward.input0.npy"),
                                          "--expect", second,
                                          "--expect", counter,
                                          "--repeat"};
  const auto repeated = [&](const char* times) {
    std::vector<std::string> all = words;
    all.emplace_back(times);
    return berth(all).code;
  };
  EXPECT_EQ(repeated("1"), 1);
  EXPECT_EQ(repeated("2"), 0);
  EXPECT_EQ(repeated("3"), 1);
}

TEST_F(RunTest, MapsADeviceToAnotherEntry) {
  const Answer answer = berth({"run", add_, "--config", config("mock.toml", mock_config()), "--map", "cuda:0=cuda:1"});
  EXPECT_EQ(answer.code, 0);
  EXPECT_NE(answer.out.find("  cuda:0  cuda:1  mock 0.1.0  Berth mock device  mapped to cuda:1 by the caller\n"),
            std::string::npos)
      << answer.out;
}

TEST_F(RunTest, WritesOutputsThatItCanExpect) {
  const std::string folder = folder_.path() / "deep" / "out";
  const std::vector<std::string> words = {"run",     add_,    "--config", config("mock.toml", mock_config()),
                                          "--input", input0_, "--input",  input1_};
  std::vector<std::string> write = words;
  write.insert(write.end(), {"--output-dir", folder});
  EXPECT_EQ(berth(write).code, 0);
  std::vector<std::string> expect = words;
  expect.insert(expect.end(), {"--expect", folder + "/add_cuda0.forward.output0.npy"});
  EXPECT_EQ(berth(expect).code, 0);
}

TEST_F(RunTest, UsesThePackagedRegistryFileByDefault) {
  const Answer answer = berth({"run", add_, "--expect", folder_.write("two.npy", npy_floats("(2, 2)", {2, 2, 2, 2}))});
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_NE(answer.out.find("(the packaged file, as BERTH_CONFIG is not set)\n"), std::string::npos) << answer.out;
}

TEST_F(RunTest, MissingOperatorsAndDelegatesAreAllListed) {
  const Answer answer =
      run_without_tables({"run", data_file("state_cuda0.pte"), "--config", config("mock.toml", mock_config())});
  EXPECT_EQ(answer.code, 3);
  for (const char* name :
       {"aten::add.out", "dim_order_ops::_to_dim_order_copy.out", "aten::copy_", "ExecutorBackend"}) {
    EXPECT_NE(answer.err.find(name), std::string::npos) << answer.err;
  }
}

}  // namespace
}  // namespace berth::test
