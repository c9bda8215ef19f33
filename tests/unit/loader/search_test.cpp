// Where registry files and plugin files are looked for, and what is left out.
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "berth/core/device.h"
#include "loader_fixture.h"
#include "registry/environment.h"

namespace berth::loader::test {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class SearchTest : public LoaderTest {
 protected:
  SearchTest() { options_.install_folder = (folder_.path() / "installed").string(); }

  // A plugin file libberth_thing.so in a folder of its own.
  std::string put(const std::string& folder) {
    const fs::path target = folder_.path() / folder;
    fs::create_directories(target);
    fs::copy(BERTH_TEST_BROKEN_DIR "/libberth_plain.so", target / "libberth_thing.so");
    return target.string();
  }

  // The file that serves npu:0, relative to the test's folder; else the failure.
  std::string served_by(const std::string& top = "") {
    config(top + "[[device]]\nid = \"npu:0\"\nplugin = \"thing\"\n");
    const auto loaded = load();
    if (!loaded.has_value()) return loaded.error().message();
    const auto device = loaded->registry()->find({"npu", 0});
    if (!device.has_value()) return device.error().message();
    return fs::path((*device)->served_by().file).lexically_relative(folder_.path()).string();
  }
};

TEST_F(SearchTest, LooksInTheFoldersOfTheFileThenOfTheEnvironmentThenWhereItIsInstalled) {
  put("installed");
  EXPECT_EQ(served_by("[plugins]\npath = [\"own\"]\n"), "installed/libberth_thing.so");
  environment_["BERTH_PLUGIN_PATH"] = put("other") + ":" + put("third");
  EXPECT_EQ(served_by("[plugins]\npath = [\"own\"]\n"), "other/libberth_thing.so");
  put("own");
  EXPECT_EQ(served_by("[plugins]\npath = [\"own\"]\n"), "own/libberth_thing.so");
}

TEST_F(SearchTest, IgnoresTheEnvironmentWhenPrivileged) {
  put("installed");
  environment_["BERTH_PLUGIN_PATH"] = put("other");
  options_.privileged = true;
  EXPECT_EQ(served_by(), "installed/libberth_thing.so");
}

TEST_F(SearchTest, LeavesOutRelativeFoldersOfTheEnvironmentAndSaysSo) {
  put("installed");
  environment_["BERTH_PLUGIN_PATH"] = ":plugins::./more:";
  EXPECT_EQ(served_by(), "installed/libberth_thing.so");
  EXPECT_THAT(warnings(), ElementsAre("BERTH_PLUGIN_PATH: the folder 'plugins' is left out, as it is not absolute",
                                      "BERTH_PLUGIN_PATH: the folder './more' is left out, as it is not absolute"));
}

TEST_F(SearchTest, PassesOverABrokenFileBeforeAGoodOneButNotInSilence) {
  put("installed");
  folder_.write("own/libberth_thing.so", "not a plugin\n");
  EXPECT_EQ(served_by("[plugins]\npath = [\"own\"]\n"), "installed/libberth_thing.so");
  EXPECT_THAT(warnings(), ElementsAre("plugin file passed over: " + folder_.path().string() +
                                      "/own/libberth_thing.so: this is no plugin: expected an ELF shared object, found "
                                      "a text file"));
}

TEST_F(SearchTest, TellsTheBrokenFileWhenThereIsNoGoodOne) {
  folder_.write("own/libberth_thing.so", "not a plugin\n");
  const std::string outcome = served_by("[plugins]\npath = [\"own\"]\n");
  EXPECT_EQ(outcome, options_.path + ":4:1, device npu:0, stage metadata: " + folder_.path().string() +
                         "/own/libberth_thing.so: this is no plugin: expected an ELF shared object, found a text file");
}

TEST_F(SearchTest, RecordsEveryCandidate) {
  environment_["BERTH_PLUGIN_PATH"] = (folder_.path() / "other").string();
  config("[plugins]\npath = [\"own\"]\n[[device]]\nid = \"npu:0\"\nplugin = \"thing\"\n");
  const auto loaded = load();
  ASSERT_TRUE(loaded.has_value()) << loaded.status().message();
  const auto records = loaded->report().records;
  ASSERT_THAT(records, SizeIs(4));
  const std::string folder = folder_.path().string();
  EXPECT_EQ(records[1].path_tried, folder + "/own/libberth_thing.so");
  EXPECT_EQ(records[2].path_tried, folder + "/other/libberth_thing.so");
  EXPECT_EQ(records[3].path_tried, folder + "/installed/libberth_thing.so");
}

TEST_F(SearchTest, GuessesTheNameOfAPluginEntry) {
  config(
      "[[plugin]]\nname = \"mock_small\"\nfile = \"cpu_mock\"\n[[device]]\nid = \"npu:0\"\nplugin = \"mock_smal\"\n");
  const auto loaded = load();
  ASSERT_TRUE(loaded.has_value()) << loaded.status().message();
  EXPECT_THAT(loaded->registry()->find({"npu", 0}).status().message(),
              HasSubstr("; if the [[plugin]] 'mock_small' is meant, write 'mock_small'"));
}

TEST_F(SearchTest, OpensOnlyPluginsThatAnEntryNames) {
  config("[[plugin]]\nname = \"broken\"\nfile = \"./nowhere.so\"\n[[device]]\nid = \"npu:0\"\nplugin = \"thing\"\n");
  const auto loaded = load();
  ASSERT_TRUE(loaded.has_value()) << loaded.status().message();
  for (const LoadRecord& record : loaded->report().records) EXPECT_NE(record.plugin, "broken");
}

TEST_F(SearchTest, ShowsEffectiveFoldersAndFiles) {
  const std::string installed = put("installed");
  environment_["BERTH_PLUGIN_PATH"] = "/somewhere/../else";
  config(
      "[plugins]\npath = [\"./own/\"]\n[types]\n2 = \"npu\"\n[[device]]\nid = \"npu:0\"\nplugin = \"thing\"\n"
      "limit = \"8 MiB\"\nclaim = \"claims\"\n");
  const auto loaded = load();
  ASSERT_TRUE(loaded.has_value()) << loaded.status().message();
  const EffectiveConfig& effective = loaded->config();
  ASSERT_THAT(effective.search, SizeIs(3));
  EXPECT_EQ(effective.search[0].path, (folder_.path() / "own/").string());
  EXPECT_EQ(effective.search[0].origin, "[plugins] path");
  EXPECT_EQ(effective.search[1].path, "/else");
  EXPECT_EQ(effective.search[2].path, installed);
  ASSERT_THAT(effective.plugins, SizeIs(1));
  EXPECT_TRUE(effective.plugins[0].implied);
  EXPECT_EQ(effective.plugins[0].resolved, installed + "/libberth_thing.so");
  EXPECT_EQ(effective.devices[0].limit, std::uint64_t{8} << 20);
  EXPECT_EQ(effective.devices[0].claim, (folder_.path() / "claims").string());
  EXPECT_EQ(loaded->registry()->type_name(2), "npu");
}

class ChooseConfigTest : public LoaderTest {};

TEST_F(ChooseConfigTest, PrefersTheCallersFile) {
  environment_["BERTH_CONFIG"] = "/from/environment.toml";
  options_.path = "/given.toml";
  const auto source = choose_config(options_);
  ASSERT_TRUE(source.has_value());
  EXPECT_EQ(source->path, "/given.toml");
  EXPECT_EQ(source->reason, "given by the caller");
}

TEST_F(ChooseConfigTest, TakesTheFileOfTheEnvironment) {
  environment_["BERTH_CONFIG"] = "/from/environment.toml";
  const auto source = choose_config(options_);
  ASSERT_TRUE(source.has_value());
  EXPECT_EQ(source->path, "/from/environment.toml");
  EXPECT_EQ(source->reason, "named by BERTH_CONFIG");
}

TEST_F(ChooseConfigTest, TakesThePackagedFileElse) {
  options_.packaged_config = folder_.write("packaged.toml", "version = 1\n").string();
  auto source = choose_config(options_);
  ASSERT_TRUE(source.has_value());
  EXPECT_EQ(source->path, *options_.packaged_config);
  EXPECT_EQ(source->reason, "the packaged file, as BERTH_CONFIG is not set");
  environment_["BERTH_CONFIG"] = "";
  EXPECT_EQ(choose_config(options_)->reason, "the packaged file, as BERTH_CONFIG is empty");
  environment_["BERTH_CONFIG"] = "/from/environment.toml";
  options_.privileged = true;
  EXPECT_EQ(choose_config(options_)->reason, "the packaged file, as BERTH_CONFIG is ignored in a privileged process");
}

TEST_F(ChooseConfigTest, SaysThatThereIsNone) {
  EXPECT_EQ(load_message(),
            "there is no registry file: none was given, BERTH_CONFIG is not set, and no packaged file is installed: "
            "expected " +
                *options_.packaged_config + ", found no such file; give a registry file, for example with --config");
}

TEST_F(ChooseConfigTest, SaysWhichFileIsMissingAndWhoNamedIt) {
  environment_["BERTH_CONFIG"] = "/nowhere/devices.toml";
  const Status status = load().status();
  EXPECT_EQ(status.message(), "/nowhere/devices.toml: the registry file does not exist (named by BERTH_CONFIG)");
  EXPECT_EQ(status.code(), Code::kNotFound);
  EXPECT_EQ(status.origin(), Origin::kRegistry);
}

TEST_F(ChooseConfigTest, RefusesAFolderAsRegistryFile) {
  options_.path = folder_.path().string();
  EXPECT_EQ(load_message(), folder_.path().string() +
                                ": the registry file cannot be used (given by the caller): expected a regular file, "
                                "found a folder");
}

// The build tree mirrors the install tree; a test program lies beside neither, hence the path from its own folder.
TEST_F(ChooseConfigTest, FindsThePackagedFileAndThePluginsOfTheBuildTree) {
  options_.packaged_config.reset();
  options_.install_folder.reset();
  const auto loaded = load();
  ASSERT_TRUE(loaded.has_value()) << loaded.status().message();
  EXPECT_EQ(loaded->config().source.path, BERTH_TEST_CONFIG_DIR "/devices.toml");
  const auto device = loaded->registry()->find({"cuda", 1});
  EXPECT_TRUE(device.has_value()) << device.status().message();
}

TEST_F(SearchTest, FindsItsInstallFolderUnderAnyNameThatTheProgramWasStartedBy) {
  constexpr const char* kStarted = "BERTH_TEST_STARTED_BY_ANOTHER_NAME";
  const fs::path beside = fs::canonical("/proc/self/exe").parent_path() / "berth" / "plugins";
  if (std::getenv(kStarted) != nullptr) {
    EXPECT_EQ(detail::install_folders({}).at(0), beside.string());
    return;
  }
  folder_.write("program", "");  // what a relative name leads to by chance
  const pid_t child = fork();
  if (child == 0) {
    setenv(kStarted, "1", 1);
    if (chdir(folder_.path().c_str()) != 0) _exit(2);
    execl("/proc/self/exe", "program",
          "--gtest_filter=SearchTest.FindsItsInstallFolderUnderAnyNameThatTheProgramWasStartedBy", nullptr);
    _exit(3);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace berth::loader::test
