// Fallbacks, retries and the load report: what happens when a device cannot be opened, and that it is said.
#include <gmock/gmock.h>

#include <filesystem>

#include "berth/core/device.h"
#include "berth/core/device_buffer.h"
#include "loader_fixture.h"

namespace berth::loader::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr const char* kMissingGpu = R"([[device]]
id = "cuda:0"
plugin = "absent_gpu"
fallback = "mock:0"

[[device]]
id = "mock:0"
plugin = "cpu_mock"
)";

class FallbackTest : public LoaderTest {
 protected:
  std::shared_ptr<DeviceRegistry> registry(const std::string& text) {
    config(text);
    auto loaded = load();
    EXPECT_TRUE(loaded.has_value()) << loaded.status().message();
    if (!loaded.has_value()) return nullptr;
    loaded_.emplace(*loaded);
    return loaded_->registry();
  }
  std::optional<LoadedRegistry> loaded_;
};

TEST_F(FallbackTest, ServesTheIdWithTheOtherEntryAndSaysSo) {
  const auto devices = registry(kMissingGpu);
  ASSERT_NE(devices, nullptr);
  const auto device = devices->find({"cuda", 0});
  ASSERT_TRUE(device.has_value()) << device.status().message();
  EXPECT_EQ((*device)->id().to_string(), "cuda:0");
  EXPECT_EQ((*device)->served_by().entry, "mock:0");
  const std::string failure = options_.path +
                              ":2:1, device cuda:0, stage find: there is no plugin file libberth_absent_gpu.so: "
                              "expected it in " BERTH_TEST_PLUGIN_DIR
                              ", found no such file; install the plugin, or add its folder to [plugins] path or "
                              "BERTH_PLUGIN_PATH";
  EXPECT_EQ((*device)->served_by().reason, "fallback: " + failure);
  EXPECT_THAT(warnings(), ElementsAre("cuda:0 is served by its fallback mock:0: " + failure));

  const auto target = devices->find({"mock", 0});
  ASSERT_TRUE(target.has_value()) << target.status().message();
  EXPECT_TRUE((*target)->same_state(**device));
  EXPECT_EQ((*target)->served_by().reason, "configured");
}

TEST_F(FallbackTest, WritesARecordForEachStep) {
  const auto devices = registry(kMissingGpu);
  ASSERT_NE(devices, nullptr);
  ASSERT_TRUE(devices->find({"cuda", 0}).has_value());
  std::vector<std::string> lines;
  for (const LoadRecord& record : loaded_->report().records) {
    lines.push_back(record.device + " " + record.plugin + " " + stage_name(record.stage) + " " +
                    code_name(record.status.code()) + " " + record.detail);
  }
  EXPECT_THAT(lines, ElementsAre("  config OK given by the caller",              //
                                 " absent_gpu find NOT_FOUND ",                  //
                                 StartsWith(" cpu_mock metadata OK cpu_mock "),  //
                                 "cuda:0 absent_gpu find NOT_FOUND ",            //
                                 "mock:0 cpu_mock device OK Berth mock device",  //
                                 "cuda:0 cpu_mock device OK served by the fallback mock:0"));
}

TEST_F(FallbackTest, FollowsAChainOfFallbacks) {
  const auto devices = registry(
      "[[device]]\nid = \"a:0\"\nplugin = \"absent_a\"\nfallback = \"b:0\"\n"
      "[[device]]\nid = \"b:0\"\nplugin = \"absent_b\"\nfallback = \"mock:0\"\n"
      "[[device]]\nid = \"mock:0\"\nplugin = \"cpu_mock\"\n");
  ASSERT_NE(devices, nullptr);
  const auto device = devices->find({"a", 0});
  ASSERT_TRUE(device.has_value()) << device.status().message();
  EXPECT_EQ((*device)->served_by().entry, "mock:0");
  EXPECT_THAT(warnings(), SizeIs(2));
}

TEST_F(FallbackTest, NamesBothFailuresWhenTheFallbackFailsToo) {
  const auto devices = registry(
      "[[device]]\nid = \"a:0\"\nplugin = \"./a.so\"\nfallback = \"b:0\"\n[[device]]\nid = \"b:0\"\nplugin = "
      "\"./b.so\"\n");
  ASSERT_NE(devices, nullptr);
  const std::string folder = folder_.path().string();
  EXPECT_EQ(devices->find({"a", 0}).status().message(),
            options_.path + ":2:1, device a:0, stage find: " + folder +
                "/a.so: the plugin file does not exist; its fallback b:0 failed too: " + options_.path +
                ":6:1, device b:0, stage find: " + folder + "/b.so: the plugin file does not exist");
}

TEST_F(FallbackTest, PointsAtTheOptionThatAPluginRefuses) {
  const auto devices = registry(
      "[[plugin]]\nname = \"m\"\nfile = \"cpu_mock\"\noptions = { devices = 2, capasity = \"1MiB\" }\n"
      "[[device]]\nid = \"a:0\"\nplugin = \"m\"\nfallback = \"b:0\"\n"
      "[[device]]\nid = \"b:0\"\nplugin = \"cpu_mock\"\n");
  ASSERT_NE(devices, nullptr);
  const Status status = devices->find({"a", 0}).status();
  EXPECT_EQ(status.code(), Code::kInvalidConfig);
  EXPECT_EQ(status.origin(), Origin::kRegistry);
  EXPECT_THAT(status.message(), StartsWith(options_.path + ":6:1, device a:0, stage instance: " + options_.path +
                                           ":5:26: plugin cpu_mock, create refuses option 'capasity': "));
  EXPECT_THAT(warnings(), SizeIs(0));
}

TEST_F(FallbackTest, PointsAtADeviceOptionThatAPluginRefuses) {
  const auto devices = registry("[[device]]\nid = \"a:0\"\nplugin = \"cpu_mock\"\noptions = { capacity = 1.5 }\n");
  ASSERT_NE(devices, nullptr);
  EXPECT_THAT(devices->find({"a", 0}).status().message(),
              StartsWith(options_.path + ":2:1, device a:0, stage device: " + options_.path +
                         ":5:13: plugin cpu_mock, open refuses option 'capacity': "));
}

TEST_F(FallbackTest, StoresAFailureUntilRetry) {
  const auto devices = registry("[[device]]\nid = \"a:0\"\nplugin = \"./late.so\"\n");
  ASSERT_NE(devices, nullptr);
  const std::string first = devices->find({"a", 0}).status().message();
  EXPECT_THAT(first, HasSubstr("late.so: the plugin file does not exist"));
  std::filesystem::copy(BERTH_TEST_PLUGIN_DIR "/libberth_cpu_mock.so", folder_.path() / "late.so");
  EXPECT_EQ(devices->find({"a", 0}).status().message(), first);
  const Status retried = devices->retry({"a", 0});
  EXPECT_TRUE(retried.ok()) << retried.message();
  EXPECT_TRUE(devices->find({"a", 0}).has_value());
}

TEST_F(FallbackTest, OpensOnRetryAfterAFaultOfThePlugin) {
  for (const char* function : {"count", "describe", "open", "properties", "kind", "heap"}) {
    const auto devices =
        registry("[[plugin]]\nname = \"m\"\nfile = \"cpu_mock\"\noptions = { faults = \"" + std::string(function) +
                 "#1=DRIVER_FAILED(7)\" }\n" + "[[device]]\nid = \"a:0\"\nplugin = \"m\"\n");
    ASSERT_NE(devices, nullptr);
    const Status first = devices->find({"a", 0}).status();
    EXPECT_EQ(first.message(), options_.path + ":6:1, device a:0, stage device: plugin cpu_mock, " + function +
                                   ": fault schedule: '" + function + "#1=DRIVER_FAILED(7)' at call 1, " + function +
                                   " [native code 7]");
    EXPECT_EQ(first.code(), Code::kDriverFailed);
    EXPECT_EQ(first.native_code(), 7);
    const Status second = devices->retry({"a", 0});
    EXPECT_TRUE(second.ok()) << second.message();
  }
}

TEST_F(FallbackTest, NamesTheStageWhenAnInstanceCannotBeMade) {
  const auto devices = registry(
      "[[plugin]]\nname = \"m\"\nfile = \"cpu_mock\"\noptions = { faults = \"create#1=OUT_OF_HOST_MEMORY\" }\n"
      "[[device]]\nid = \"a:0\"\nplugin = \"m\"\n");
  ASSERT_NE(devices, nullptr);
  const Status status = devices->find({"a", 0}).status();
  EXPECT_THAT(status.message(),
              StartsWith(options_.path + ":6:1, device a:0, stage instance: plugin cpu_mock, create"));
  EXPECT_EQ(status.code(), Code::kOutOfHostMemory);
}

TEST_F(FallbackTest, LetsAHostOnlyProgramRunBesideABrokenPlugin) {
  const auto devices = registry("[host]\nlimit = \"1KiB\"\n[[device]]\nid = \"a:0\"\nplugin = \"./broken.so\"\n");
  ASSERT_NE(devices, nullptr);
  EXPECT_TRUE(DeviceBuffer::allocate(devices->host(), {.bytes = 1024}).has_value());
  EXPECT_EQ(DeviceBuffer::allocate(devices->host(), {.bytes = 1025}).status().code(), Code::kLimitExceeded);
}

TEST_F(FallbackTest, OpensAllAndFailsForRequiredDevicesOnly) {
  auto devices = registry(
      "[[device]]\nid = \"a:0\"\nplugin = \"./broken.so\"\npolicy = \"optional\"\n"
      "[[device]]\nid = \"b:0\"\nplugin = \"cpu_mock\"\n");
  ASSERT_NE(devices, nullptr);
  EXPECT_TRUE(devices->open_all().ok());
  EXPECT_NE(devices->find_open({"b", 0}), nullptr);
  devices = registry(
      "[[device]]\nid = \"a:0\"\nplugin = \"./broken.so\"\npolicy = \"required\"\n"
      "[[device]]\nid = \"b:0\"\nplugin = \"cpu_mock\"\n");
  ASSERT_NE(devices, nullptr);
  EXPECT_THAT(devices->open_all().message(), HasSubstr("device a:0, stage find"));
  EXPECT_NE(devices->find_open({"b", 0}), nullptr);
}

TEST_F(FallbackTest, MapsIdsForTheCaller) {
  options_.map = {{{"cuda", 0}, {"mock", 0}}, {{"npu", 7}, {"mock", 0}}};
  const auto devices = registry(kMissingGpu);
  ASSERT_NE(devices, nullptr);
  EXPECT_THAT(devices->ids(),
              ElementsAre(DeviceId{"cpu", 0}, DeviceId{"mock", 0}, DeviceId{"cuda", 0}, DeviceId{"npu", 7}));
  const auto device = devices->find({"cuda", 0});
  ASSERT_TRUE(device.has_value()) << device.status().message();
  EXPECT_EQ((*device)->id().to_string(), "cuda:0");
  EXPECT_EQ((*device)->served_by().entry, "mock:0");
  EXPECT_EQ((*device)->served_by().reason, "mapped to mock:0 by the caller");
  EXPECT_THAT(warnings(), SizeIs(0));
}

TEST_F(FallbackTest, RefusesImpossibleMaps) {
  config(kMissingGpu);
  options_.map = {{{"cuda", 0}, {"mok", 0}}};
  EXPECT_EQ(load_message(),
            "device map cuda:0=mok:0: the registry file has no [[device]] mok:0: expected cuda:0 or mock:0; write "
            "'mock:0'");
  options_.map = {{{"cpu", 0}, {"mock", 0}}};
  EXPECT_EQ(load_message(), "device map cpu:0=mock:0: cpu:0 is host memory and cannot be served by another device");
  options_.map = {{{"a", 0}, {"mock", 0}}, {{"a", 0}, {"cuda", 0}}};
  EXPECT_EQ(load_message(), "device map a:0=mock:0: a:0 is mapped twice");
}

}  // namespace
}  // namespace berth::loader::test
