// `berth inspect`: whole reports of the built program.
#include <gtest/gtest.h>

#include "cli_fixture.h"

namespace berth::test {
namespace {

class InspectTest : public testing::Test {
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
};

TEST_F(InspectTest, ListsWhatAProgramNeeds) {
  const Answer answer = berth({"inspect", data_file("state_cuda0.pte")});
  EXPECT_EQ(answer.code, 0);
  EXPECT_EQ(answer.err, "");
  EXPECT_EQ(answer.out,
            "Program <source>/tests/data/device/state_cuda0.pte (4.2 KiB)\n"
            "\n"
            "Method forward\n"
            "  inputs\n"
            "    #  TYPE  DEVICE  BYTES  STORAGE\n"
            "    0  float32[3]  cpu:0  12  planned\n"
            "  outputs\n"
            "    #  TYPE  DEVICE  BYTES  STORAGE\n"
            "    0  float32[3]  cpu:0  12  planned\n"
            "    1  float32[1]  cpu:0  4  planned\n"
            "  planned buffers\n"
            "    ID  DEVICE  BYTES\n"
            "     1  cpu:0  112\n"
            "     2  cuda:0  48\n"
            "  operators\n"
            "    aten::add.out\n"
            "    dim_order_ops::_to_dim_order_copy.out\n"
            "    et_copy::_h2d_copy.out\n"
            "    et_copy::_d2h_copy.out\n"
            "    aten::copy_\n"
            "  delegates\n"
            "    ID  COMPILED FOR  BLOB BYTES  REMARK\n"
            "    ExecutorBackend  cuda:0  1072  -\n"
            "  10 instructions, 12 B of constants\n");
}

TEST_F(InspectTest, SaysWhatIsUnknownAboutADevice) {
  const Answer answer = berth({"inspect", data_file("dynamic_rows.pte"), "--config",
                               config("unknown.toml", mock_config("unknown = \"free, total\"", "limit = \"1MiB\""))});
  EXPECT_EQ(answer.code, 0);
  EXPECT_EQ(answer.err, "");
  EXPECT_EQ(
      answer.out,
      "Program <source>/tests/data/device/dynamic_rows.pte (2.9 KiB)\n"
      "\n"
      "Method forward\n"
      "  inputs\n"
      "    #  TYPE  DEVICE  BYTES  STORAGE\n"
      "    0  float32[64, 8]  cpu:0  2048  planned, sizes at most\n"
      "    1  float32[64, 8]  cpu:0  2048  planned, sizes at most\n"
      "  outputs\n"
      "    #  TYPE  DEVICE  BYTES  STORAGE\n"
      "    0  float32[64, 8]  cpu:0  2048  planned, sizes at most\n"
      "  planned buffers\n"
      "    ID  DEVICE  BYTES\n"
      "     1  cpu:0  4096\n"
      "     2  cuda:0  6144\n"
      "  operators\n"
      "    et_copy::_h2d_copy.out\n"
      "    et_copy::_d2h_copy.out\n"
      "  delegates\n"
      "    ID  COMPILED FOR  BLOB BYTES  REMARK\n"
      "    ExecutorBackend  cuda:0  1152  -\n"
      "  4 instructions, 0 B of constants\n"
      "\n"
      "Fit\n"
      "  registry file <tmp>/unknown.toml (given by the caller)\n"
      "  method forward: fits\n"
      "    cpu:0: fits, needs 4 KiB planned; host, host memory: total <memory>, free <memory>, limit none\n"
      "    cuda:0: fits, needs 6 KiB planned; mock 0.1.0, Berth mock device: total unknown, free unknown, limit 1 MiB\n"
      "      unknown: how much memory it has\n"
      "      unknown: how much memory is free\n"
      "  memory that delegates take for themselves is not in the program and not counted\n");
}

TEST_F(InspectTest, SaysThatALegacyProgramRunsOnTheHost) {
  const Answer answer = berth({"inspect", data_file("unplaced_add_cuda0.pte")});
  EXPECT_EQ(answer.code, 0);
  EXPECT_EQ(answer.err, "");
  EXPECT_EQ(answer.out,
            "Program <source>/tests/data/device/unplaced_add_cuda0.pte (1.3 KiB)\n"
            "Legacy program: its memory was planned without devices. It runs on the host; 3 tensors' device tags are "
            "ignored. Export it again with device planning (enable_non_cpu_memory_planning).\n"
            "\n"
            "Method forward\n"
            "  inputs\n"
            "    #  TYPE  DEVICE  BYTES  STORAGE\n"
            "    0  float32[2, 2]  cpu:0  16  planned\n"
            "    1  float32[2, 2]  cpu:0  16  planned\n"
            "  outputs\n"
            "    #  TYPE  DEVICE  BYTES  STORAGE\n"
            "    0  float32[2, 2]  cpu:0  16  planned\n"
            "  planned buffers\n"
            "    ID  DEVICE  BYTES\n"
            "     1  cpu:0  48\n"
            "  operators: none\n"
            "  delegates\n"
            "    ID  COMPILED FOR  BLOB BYTES  REMARK\n"
            "    BackendWithCompilerDemo  cuda:0  81  -\n"
            "  1 instruction, 0 B of constants\n");
}

TEST_F(InspectTest, ExitsWithOneWhenAMethodDoesNotFit) {
  const Answer answer =
      berth({"inspect", data_file("transformer_2dev.pte"), "--config",
             config("small.toml", mock_config("capacity = 1024, max_allocation = 512", "limit = \"1KiB\""))});
  EXPECT_EQ(answer.code, 1);
  EXPECT_EQ(answer.err, "");
  EXPECT_EQ(answer.out,
            "Program <source>/tests/data/device/transformer_2dev.pte (105.4 KiB)\n"
            "\n"
            "Method forward\n"
            "  inputs\n"
            "    #  TYPE  DEVICE  BYTES  STORAGE\n"
            "    0  int64[1, 12]  cpu:0  96  planned\n"
            "  outputs\n"
            "    #  TYPE  DEVICE  BYTES  STORAGE\n"
            "    0  float32[1, 12, 50]  cpu:0  2400  planned\n"
            "  planned buffers\n"
            "    ID  DEVICE  BYTES\n"
            "     1  cpu:0  10336\n"
            "     2  cuda:0  3072\n"
            "     3  cuda:1  3072\n"
            "  operators\n"
            "    aten::permute_copy.out\n"
            "    aten::embedding.out\n"
            "    et_copy::_h2d_copy.out\n"
            "    et_copy::_d2h_copy.out\n"
            "    aten::native_layer_norm.out\n"
            "    aten::addmm.out\n"
            "    aten::view_copy.out\n"
            "  delegates\n"
            "    ID  COMPILED FOR  BLOB BYTES  REMARK\n"
            "    ExecutorBackend  cuda:0  45188  -\n"
            "    ExecutorBackend  cuda:1  45188  -\n"
            "  11 instructions, 12.9 KiB of constants\n"
            "\n"
            "Fit\n"
            "  registry file <tmp>/small.toml (given by the caller)\n"
            "  method forward: does not fit\n"
            "    cpu:0: fits, needs 10.1 KiB planned; host, host memory: total <memory>, free <memory>, limit none\n"
            "    cuda:0: does not fit, needs 3 KiB planned; mock 0.1.0, Berth mock device: total 1 KiB, free 1 KiB, "
            "limit 1 KiB\n"
            "      planned buffer 2 of 3 KiB is larger than the largest allocation, 512 B\n"
            "      needs 3 KiB, the registry file's limit is 1 KiB\n"
            "      needs 3 KiB, the device has 1 KiB in all\n"
            "      warning: needs 3 KiB, only 1 KiB is free now\n"
            "    cuda:1: does not fit, needs 3 KiB planned; mock 0.1.0, Berth mock device: total 1 KiB, free 1 KiB, "
            "limit 1 KiB\n"
            "      planned buffer 3 of 3 KiB is larger than the largest allocation, 512 B\n"
            "      needs 3 KiB, the registry file's limit is 1 KiB\n"
            "      needs 3 KiB, the device has 1 KiB in all\n"
            "      warning: needs 3 KiB, only 1 KiB is free now\n"
            "  memory that delegates take for themselves is not in the program and not counted\n");
}

TEST_F(InspectTest, ADeviceThatCannotBeOpenedDoesNotFit) {
  const Answer answer = berth({"inspect", data_file("chain_cuda0_cuda1.pte"), "--config",
                               config("bad.toml", mock_config("faults = \"open@1=NO_PERMISSION\""))});
  EXPECT_EQ(answer.code, 1);
  EXPECT_NE(answer.out.find("    cuda:1: does not fit, needs 48 B planned\n"
                            "      the device cannot be used: <tmp>/bad.toml:10:1, device cuda:1, stage device: "),
            std::string::npos)
      << answer.out;
}

TEST_F(InspectTest, MarksMissingOperatorsAndDelegates) {
  // A command with empty tables knows nobody who computes anything but copies.
  const Answer answer = run_without_tables({"inspect", data_file("state_cuda0.pte")});
  EXPECT_EQ(answer.code, 0);
  EXPECT_NE(answer.out.find("    aten::add.out  missing: no kernel for it here\n"), std::string::npos) << answer.out;
  EXPECT_NE(answer.out.find("    et_copy::_h2d_copy.out\n"), std::string::npos) << answer.out;
  EXPECT_NE(normalised(answer.out, folder_).find("    ExecutorBackend  cuda:0  1072  missing: nobody makes it here\n"),
            std::string::npos)
      << answer.out;
}

TEST_F(InspectTest, ABadProgramExitsWithThree) {
  EXPECT_EQ(berth({"inspect", folder_.write("text.pte", "text")}).code, 3);
  EXPECT_EQ(berth({"inspect", folder_.path() / "absent.pte"}).code, 3);
}

}  // namespace
}  // namespace berth::test
