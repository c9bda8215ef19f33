// What `berth run` says and exits with when it cannot do its work: whole messages, by exit code.
#include <gtest/gtest.h>

#include <cstdlib>

#include "cli_fixture.h"

namespace berth::test {
namespace {

class RunFailuresTest : public testing::Test {
 protected:
  // The message of `berth run <program> --config <config> <more>`, which must exit with `code`.
  std::string failure(int code, const std::string& program, const std::string& config,
                      const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = {"run", program, "--config", folder_.write("devices.toml", config)};
    words.insert(words.end(), more.begin(), more.end());
    const Answer answer = run_berth(words);
    EXPECT_EQ(answer.code, code) << answer.out;
    EXPECT_EQ(answer.out, "");
    return normalised(answer.err, folder_);
  }
  std::string array(const std::string& name, const std::string& bytes) { return folder_.write(name, bytes); }

  TempDir folder_;
  const std::string add_ = data_file("add_cuda0.pte");
  const std::string input0_ = data_file("add_cuda0.forward.input0.npy");
  const std::string output0_ = data_file("add_cuda0.forward.output0.npy");
};

TEST_F(RunFailuresTest, WrongInputsExitWithTwo) {
  const std::string doubles = array(
      "double.npy", npy_bytes("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2)}", std::string(32, '\0')));
  const std::string five = array("five.npy", npy_floats("(5,)", {1, 2, 3, 4, 5}));
  EXPECT_EQ(failure(2, add_, mock_config(), {"--input", input0_}),
            "berth: method 'forward': wrong number of inputs: expected 2 (or none: ones are used), found 1\n");
  EXPECT_EQ(failure(2, add_, mock_config(), {"--input", input0_, "--input", doubles}),
            "berth: method 'forward', input 1 (<tmp>/double.npy): wrong dtype: expected float32, found float64\n");
  EXPECT_EQ(
      failure(2, add_, mock_config(), {"--input", input0_, "--input", five}),
      "berth: method 'forward', input 1 (<tmp>/five.npy): wrong shape: expected float32[2, 2], found float32[5]\n");
  EXPECT_EQ(failure(2, add_, mock_config(), {"--input", input0_, "--input", "int:3"}),
            "berth: method 'forward', input 1: wrong kind of value: expected float32[2, 2], found int 3\n");
  EXPECT_EQ(failure(2, add_, mock_config(), {"--input", "bool:maybe"}),
            "berth: --input bool:maybe: not a value: expected bool:true or bool:false, found 'maybe'\n");
}

TEST_F(RunFailuresTest, WrongExpectationsExitWithTwo) {
  const std::string doubles = array(
      "double.npy", npy_bytes("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2)}", std::string(32, '\0')));
  EXPECT_EQ(
      failure(2, add_, mock_config(), {"--expect", doubles}),
      "berth: method 'forward', output 0 against <tmp>/double.npy: wrong dtype: expected float64, found float32\n");
  EXPECT_EQ(failure(2, add_, mock_config(), {"--expect", output0_, "--expect", output0_}),
            "berth: method 'forward': wrong number of expected outputs: expected 1, found 2\n");
  EXPECT_EQ(failure(2, data_file("two_methods.pte"), mock_config(), {"--method", "name", "--expect", "int:127"}),
            "berth: method 'name', output 0: wrong kind of value: expected int 127, found string two_methods\n");
}

TEST_F(RunFailuresTest, UnclearAndUnknownMethodsExitWithTwo) {
  EXPECT_EQ(
      failure(2, data_file("two_methods.pte"), mock_config()),
      "berth: <source>/tests/data/device/two_methods.pte: which method is not clear: expected --method with one of "
      "decode, encode, host, context_length, name, found no --method\n");
  EXPECT_EQ(
      failure(2, add_, mock_config(), {"--method", "backward"}),
      "berth: <source>/tests/data/device/add_cuda0.pte: the program has no such method: expected 'forward', found "
      "'backward'; name a method of the program\n");
}

TEST_F(RunFailuresTest, WrongMapsExitWithTwo) {
  EXPECT_EQ(failure(2, add_, mock_config(), {"--map", "cuda:0"}),
            "berth: --map: not a mapping: expected FROM=TO, as in cuda:0=cuda:3, found 'cuda:0'\n");
  EXPECT_EQ(failure(2, add_, mock_config(), {"--map", "cuda:0=cuda:7"}),
            "berth: device map cuda:0=cuda:7: the registry file has no [[device]] cuda:7: expected cuda:0 or cuda:1; "
            "write 'cuda:0'\n");
}

TEST_F(RunFailuresTest, AFolderThatCannotBeWrittenExitsWithTwo) {
  const std::string file = array("file", "");
  EXPECT_EQ(
      failure(2, add_, mock_config(), {"--output-dir", file + "/out"}),
      "berth: <tmp>/file/out: cannot be written: found Not a directory; choose a folder that can be written to with "
      "--output-dir\n");
}

TEST_F(RunFailuresTest, BadFilesExitWithThree) {
  EXPECT_EQ(failure(3, folder_.path() / "absent.pte", mock_config()),
            "berth: <tmp>/absent.pte: the file cannot be opened: found No such file or directory; check the path\n");
  EXPECT_EQ(
      failure(3, array("text.pte", std::string(80, 'x')), mock_config()),
      "berth: <tmp>/text.pte: this is not a program: expected identifier 'ET12' at byte 4, found 'xxxx'; give a .pte "
      "file\n");
  EXPECT_EQ(
      failure(3, add_, mock_config(), {"--data", array("text.ptd", "not data")}),
      "berth: <tmp>/text.ptd: this is not a data file: expected identifier 'FT01' at byte 4 and a header 'FH01' of at "
      "least 40 bytes, found 8 bytes without them; give a .ptd file\n");
  EXPECT_EQ(failure(3, add_, mock_config(), {"--input", input0_, "--input", folder_.path() / "absent.npy"}),
            "berth: <tmp>/absent.npy: the array file cannot be read: found No such file or directory\n");
  EXPECT_EQ(failure(3, add_, mock_config(),
                    {"--expect", array("objects.npy", npy_bytes("{'descr': '|O', 'fortran_order': "
                                                                "False, 'shape': (1,)}",
                                                                "x"))}),
            "berth: <tmp>/objects.npy: tensors cannot hold these elements: expected booleans, whole numbers or "
            "floating-point numbers, found '|O'; save an array of numbers instead of Python objects\n");
}

TEST_F(RunFailuresTest, ABadRegistryFileExitsWithThree) {
  EXPECT_EQ(
      failure(3, add_, "version = 1\n[device]\nid = \"cuda:0\"\n"),
      "berth: <tmp>/devices.toml:2:1: a single table where there can be several: expected [[device]], found [device]; "
      "double the brackets\n");
  setenv("BERTH_CONFIG", "/absent/devices.toml", 1);
  const Answer answer = run_berth({"run", add_});
  unsetenv("BERTH_CONFIG");
  EXPECT_EQ(answer.code, 3);
  EXPECT_EQ(answer.err, "berth: /absent/devices.toml: the registry file does not exist (named by BERTH_CONFIG)\n");
}

TEST_F(RunFailuresTest, MissingConstantsExitWithThree) {
  EXPECT_EQ(
      failure(3, data_file("mlp_external_cuda0.pte"), mock_config()),
      "berth: <source>/tests/data/device/mlp_external_cuda0.pte, method 'forward': external constants are missing: "
      "'a.weight', 'a.bias', 'b.weight', 'b.bias': expected a data file that has them, found no data file; give the "
      ".ptd file that was exported with the program\n");
}

TEST_F(RunFailuresTest, AbsentDevicesExitWithFour) {
  EXPECT_EQ(
      failure(4, data_file("chain_cuda0_cuda1.pte"),
              "version = 1\n[[device]]\nid = \"cuda:0\"\nplugin = \"cpu_mock\"\n"),
      "berth: <source>/tests/data/device/chain_cuda0_cuda1.pte, method 'forward': planned buffer 3 (48 bytes on "
      "cuda:1): device registry: there is no device cuda:1: expected one of cpu:0, cuda:0; add a [[device]] entry with "
      "id = \"cuda:1\" to the registry file\n");
}

TEST_F(RunFailuresTest, FullDevicesExitWithFour) {
  EXPECT_EQ(
      failure(4, add_, mock_config("capacity = 32")),
      "berth: <source>/tests/data/device/add_cuda0.pte, method 'forward': planned buffer 2 (48 bytes on cuda:0): "
      "cuda:0 (plugin mock), allocation of 48 bytes: plugin cpu_mock, allocate: 48 bytes asked; the largest single "
      "allocation of kind 0 is 32 bytes\n");
  EXPECT_EQ(
      failure(4, add_, mock_config("", "limit = \"32B\"")),
      "berth: <source>/tests/data/device/add_cuda0.pte, method 'forward': planned buffer 2 (48 bytes on cuda:0): "
      "cuda:0 (plugin mock), allocation of 48 bytes: the limit of the registry file would be exceeded: expected at "
      "most 32 bytes (limit 32 bytes, in use 0 bytes), found 48 bytes; free memory or raise `limit` of [[device]] "
      "cuda:0\n");
}

TEST_F(RunFailuresTest, InputsThatAreMadeUpCountForTheHostLimit) {
  const std::string message = failure(4, add_, mock_config() + "[host]\nlimit = \"40B\"\n");
  EXPECT_EQ(message.rfind("berth: method 'forward', input 0: cpu:0, allocation of 16 bytes: the limit of the ", 0), 0u)
      << message;
}

TEST_F(RunFailuresTest, WrongExpectationsAreFoundBeforeAnythingIsLoaded) {
  const std::string full = mock_config("capacity = 32");
  EXPECT_EQ(failure(2, add_, full, {"--expect", "int:1", "--expect", "int:2"}),
            "berth: method 'forward': wrong number of expected outputs: expected 1, found 2\n");
  EXPECT_EQ(failure(3, add_, full, {"--expect", "/absent/a.npy"}).rfind("berth: /absent/a.npy: ", 0), 0u);
}

TEST_F(RunFailuresTest, OutputsAreWrittenBeforeTheyAreCompared) {
  failure(2, add_, mock_config(), {"--expect", "int:1", "--output-dir", (folder_.path() / "out").string()});
  EXPECT_TRUE(std::filesystem::exists(folder_.path() / "out" / "add_cuda0.forward.output0.npy"));
}

TEST_F(RunFailuresTest, FailingDevicesExitWithFour) {
  EXPECT_EQ(failure(4, add_, mock_config("faults = \"to_host#1=DRIVER_FAILED(-36)\"")),
            "berth: <source>/tests/data/device/add_cuda0.pte, method 'forward': instruction 2 (delegate "
            "BackendWithCompilerDemo on values 2, 3, 4): argument 0: cuda:0 (plugin mock), copy of 16 bytes to the "
            "host: plugin "
            "cpu_mock, to_host: fault schedule: 'to_host#1=DRIVER_FAILED(-36)' at call 1, to_host [native code -36]\n");
  EXPECT_EQ(failure(4, add_, mock_config("faults = \"open=NO_PERMISSION\"")),
            "berth: <source>/tests/data/device/add_cuda0.pte, method 'forward': planned buffer 2 (48 bytes on cuda:0): "
            "<tmp>/devices.toml:6:1, device cuda:0, stage device: plugin cpu_mock, open: fault schedule: "
            "'open=NO_PERMISSION' at call 1, open\n");
}

TEST_F(RunFailuresTest, EveryTruncatedProgramExitsWithThree) {
  const Answer whole = run_binary({"inspect", add_});
  ASSERT_EQ(whole.code, 0);
  for (const char* bytes : {"", "ET12", "\x10\0\0\0ET12"}) {
    EXPECT_EQ(run_berth({"run", array("short.pte", bytes)}).code, 3);
  }
}

}  // namespace
}  // namespace berth::test
