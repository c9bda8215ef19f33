// `berth devices` and `berth probe`: whole reports.
#include <gtest/gtest.h>

#include <regex>

#include "cli_fixture.h"

namespace berth::test {
namespace {

constexpr const char* kTitles = "DEVICE  STATE  PLUGIN  VERSION  HARDWARE  FREE  TOTAL  POLICY  FILE\n";
constexpr const char* kHost = "cpu:0  ready  host  -  host memory  <memory>  <memory>  built in  -\n";

class DevicesTest : public testing::Test {
 protected:
  Answer devices(const std::string& config, std::vector<std::string> more = {}, bool colour = false) {
    more.insert(more.begin(), {"devices", "--config", folder_.write("devices.toml", config)});
    Answer answer = run_berth(more, colour);
    answer.out = normalised(answer.out, folder_);
    answer.err = normalised(answer.err, folder_);
    return answer;
  }
  static std::string head() {
    return std::string("Registry file <tmp>/devices.toml (given by the caller)\n\n") + kTitles + kHost;
  }
  static std::string ready(const char* id, const char* free, const char* total) {
    return std::string(id) + "  ready  mock  0.1.0  Berth mock device  " + free + "  " + total +
           "  required  <plugins>/libberth_cpu_mock.so\n";
  }
  TempDir folder_;
};

TEST_F(DevicesTest, ListsEveryEntry) {
  const Answer answer = devices(mock_config("capacity = \"64MiB\""));
  EXPECT_EQ(answer.code, 0);
  EXPECT_EQ(answer.err, "");
  EXPECT_EQ(answer.out, head() + ready("cuda:0", "64 MiB", "64 MiB") + ready("cuda:1", "64 MiB", "64 MiB"));
}

TEST_F(DevicesTest, SaysUnknownForUnknownFigures) {
  const Answer answer = devices(mock_config("unknown = \"free, total\""));
  EXPECT_EQ(answer.code, 0);
  EXPECT_EQ(answer.out, head() + ready("cuda:0", "unknown", "unknown") + ready("cuda:1", "unknown", "unknown"));
}

TEST_F(DevicesTest, ExitsWithOneWhenARequiredDeviceIsUnusable) {
  const Answer answer = devices(mock_config("faults = \"open@1=NO_PERMISSION\""));
  EXPECT_EQ(answer.code, 1);
  EXPECT_EQ(answer.out,
            head() + ready("cuda:0", "1 GiB", "1 GiB") +
                "cuda:1  failed  -  -  -  -  -  required  -\n"
                "\n"
                "cuda:1 failed: <tmp>/devices.toml:10:1, device cuda:1, stage device: plugin cpu_mock, open: "
                "fault schedule: 'open@1=NO_PERMISSION' at call 1, open\n");
}

TEST_F(DevicesTest, ExitsWithZeroWhenOnlyAnOptionalDeviceIsUnusable) {
  const Answer answer = devices(mock_config("faults = \"open@1=NO_PERMISSION\"", "policy = \"optional\""));
  EXPECT_EQ(answer.code, 0);
  EXPECT_NE(answer.out.find("cuda:1  failed  -  -  -  -  -  optional  -\n"), std::string::npos) << answer.out;
}

TEST_F(DevicesTest, SaysWhyAFallbackWasTaken) {
  const Answer answer = devices(
      "version = 1\n[[device]]\nid = \"cuda:0\"\nplugin = \"absent\"\nfallback = \"mock:0\"\n"
      "[[device]]\nid = \"mock:0\"\nplugin = \"cpu_mock\"\n");
  EXPECT_EQ(answer.code, 0);
  EXPECT_EQ(
      answer.out,
      head() +
          "cuda:0  fallback  cpu_mock  0.1.0  Berth mock device  1 GiB  1 GiB  fallback mock:0  "
          "<plugins>/libberth_cpu_mock.so\n"
          "mock:0  ready  cpu_mock  0.1.0  Berth mock device  1 GiB  1 GiB  required  "
          "<plugins>/libberth_cpu_mock.so\n"
          "\n"
          "cuda:0 falls back to mock:0: <tmp>/devices.toml:2:1, device cuda:0, stage find: there is no plugin file "
          "libberth_absent.so: expected it in <plugins>, found no such file; install the plugin, or add its folder to "
          "[plugins] path or BERTH_PLUGIN_PATH\n");
}

TEST_F(DevicesTest, ExplainsWithEffectiveValuesAndLoadReport) {
  const Answer answer = devices(mock_config("faults = \"open@1=NO_PERMISSION\"", "limit = \"1MiB\""), {"--explain"});
  EXPECT_EQ(answer.code, 1);
  const std::size_t start = answer.out.find("Effective values");
  ASSERT_NE(start, std::string::npos) << answer.out;
  EXPECT_EQ(
      answer.out.substr(start),
      "Effective values\n"
      "  plugins are looked for in <plugins> (install folder)\n"
      "  [host] limit none\n"
      "  PLUGIN  FILE  FOUND AT  SHA256  OPTIONS\n"
      "  mock  cpu_mock  <plugins>/libberth_cpu_mock.so  not pinned  { devices = 2, faults = "
      "\"open@1=NO_PERMISSION\" }\n"
      "  DEVICE  PLUGIN  WHICH  LIMIT  POOL  SHARED  SOFTWARE  CLAIM  OPTIONS\n"
      "  cuda:0  mock  ordinal 0  1 MiB  none  no  no  none  none\n"
      "  cuda:1  mock  ordinal 1  1 MiB  none  no  no  none  none\n"
      "\n"
      "Load report\n"
      "  ok  config  (<time>)\n"
      "          tried  <tmp>/devices.toml\n"
      "          given by the caller\n"
      "  ok  metadata  plugin mock  (<time>)\n"
      "          tried  <plugins>/libberth_cpu_mock.so\n"
      "          cpu_mock 0.1.0\n"
      "  ok  device  cuda:0  plugin mock  (<time>)\n"
      "          tried  <plugins>/libberth_cpu_mock.so\n"
      "          Berth mock device\n"
      "  failed  device  cuda:1  plugin mock  (<time>)\n"
      "          tried  <plugins>/libberth_cpu_mock.so\n"
      "          Berth mock device\n"
      "          code  NO_PERMISSION\n"
      "          why  <tmp>/devices.toml:11:1, device cuda:1, stage device: plugin cpu_mock, open: fault schedule: "
      "'open@1=NO_PERMISSION' at call 1, open\n");
}

TEST_F(DevicesTest, ColoursStatesOnlyWhenAsked) {
  const Answer plain = devices(mock_config("faults = \"open@1=NO_PERMISSION\""));
  EXPECT_EQ(plain.out.find('\033'), std::string::npos);
  const Answer coloured = devices(mock_config("faults = \"open@1=NO_PERMISSION\""), {}, true);
  EXPECT_NE(coloured.out.find("cuda:0  \033[32mready\033[0m"), std::string::npos) << coloured.out;
  EXPECT_NE(coloured.out.find("cuda:1  \033[31mfailed\033[0m"), std::string::npos) << coloured.out;
  EXPECT_EQ(std::regex_replace(coloured.out, std::regex("\033\\[[0-9]*m"), ""), plain.out);
}

TEST_F(DevicesTest, ABadRegistryFileExitsWithThree) {
  const Answer answer = devices("version = 2\n");
  EXPECT_EQ(answer.code, 3);
  EXPECT_EQ(answer.out, "");
  EXPECT_EQ(answer.err.rfind("berth: <tmp>/devices.toml:1:", 0), 0U) << answer.err;
}

TEST(ProbeTest, SaysWhatAPluginIsAndWhatItAnswers) {
  const TempDir folder;
  const Answer answer = run_berth({"probe", BERTH_TEST_PLUGIN_DIR "/libberth_cpu_mock.so", "--run"});
  EXPECT_EQ(answer.code, 0);
  std::string text = normalised(answer.out, folder);
  // What differs from build to build.
  text = std::regex_replace(text, std::regex("  size  [^\n]*\n"), "");
  text = std::regex_replace(text, std::regex("  (needs|undefined symbols|CPU baseline|sanitizer) [^\n]*\n"), "");
  EXPECT_EQ(text,
            "File\n"
            "  path  <plugins>/libberth_cpu_mock.so\n"
            "  sha256  <sha256>\n"
            "  format  ELF64 x86-64, shared object\n"
            "  entry point  berth_plugin_query\n"
            "  exports  1: berth_plugin_query\n"
            "  static TLS  no\n"
            "  usable  yes\n"
            "\n"
            "Note (read without running any code)\n"
            "  name  cpu_mock\n"
            "  device type  cpu_mock\n"
            "  version  0.1.0\n"
            "  vendor  Berth\n"
            "  plugin ABI  1.0 to 1.0\n"
            "\n"
            "Answer of berth_plugin_query\n"
            "  name  cpu_mock\n"
            "  device type  cpu_mock\n"
            "  version  0.1.0\n"
            "  vendor  Berth\n"
            "  plugin ABI  1.0 chosen, of 1.0 to 1.0\n"
            "  driver threads  not started early, none kept after the end\n"
            "  changed here  nothing\n"
            "  GROUP  NEED  PRESENT\n"
            "  instance  required  yes\n"
            "  device  required  yes\n"
            "  memory  required  yes\n"
            "  copy  required  yes\n"
            "  copy_within  optional  yes\n"
            "  fill  optional  yes\n"
            "  memory_info  optional  yes\n"
            "  staging  optional  yes\n"
            "  queue  optional  yes\n"
            "  async  optional  yes\n"
            "  peer  optional  yes\n"
            "  queue_peer  optional  yes\n"
            "  map  optional  yes\n");
}

TEST(ProbeTest, AFileThatTheLoaderWouldRefuseExitsWithOne) {
  const TempDir folder;
  const Answer answer = run_berth({"probe", BERTH_TEST_BIN_DIR "/berth"});
  EXPECT_EQ(answer.code, 1);
  EXPECT_NE(answer.out.find("this is no plugin: expected an ELF shared object, found an ELF executable\n"),
            std::string::npos)
      << answer.out;
}

TEST(ProbeTest, WhatIsNoPluginFileExitsWithFour) {
  const TempDir folder;
  const std::string text = folder.write("text.so", "hello");
  const Answer answer = run_berth({"probe", text});
  EXPECT_EQ(answer.code, 4);
  EXPECT_EQ(answer.err, "berth: " + text + ": this is no plugin: expected an ELF shared object, found a text file\n");
  EXPECT_EQ(run_berth({"probe", folder.path() / "absent.so"}).code, 4);
}

}  // namespace
}  // namespace berth::test
