// Which of a plugin's devices an entry means: ordinals, UUIDs, PCI addresses, the environment, and two entries on one
// physical device.
#include <gtest/gtest.h>

#include "berth/core/device.h"
#include "loader_fixture.h"

namespace berth::loader::test {
namespace {

constexpr const char* kPosing = R"([[plugin]]
name = "gpu"
file = "cpu_mock"
options = { devices = 3, name = "Mock", uuid_base = "f81d4fae-7dec-11d0-a765-00a0c91e6bfe", pci_base = "0000:65:00.0" }
)";
// Ordinals 0, 1 and 2 end in fe, ff and 00: the last byte carries over.
constexpr const char* kList =
    "0: Mock, uuid f81d4fae-7dec-11d0-a765-00a0c91e6bfe, pci 0000:65:00.0; "
    "1: Mock, uuid f81d4fae-7dec-11d0-a765-00a0c91e6bff, pci 0000:66:00.0; "
    "2: Mock, uuid f81d4fae-7dec-11d0-a765-00a0c91e6c00, pci 0000:67:00.0";

class IdentityTest : public LoaderTest {
 protected:
  static std::string entry(const std::string& id, const std::string& keys) {
    return "[[device]]\nid = \"" + id + "\"\nplugin = \"gpu\"\n" + keys + "\n";
  }
  // The failure of cuda:0 from its stage on; "ordinal N" when it opens.
  std::string outcome(const std::string& keys) {
    config(kPosing + entry("cuda:0", keys));
    const auto loaded = load();
    if (!loaded.has_value()) return loaded.error().message();
    const auto device = loaded->registry()->find({"cuda", 0});
    if (device.has_value()) return "ordinal " + std::to_string((*device)->served_by().ordinal);
    const std::string message = device.error().message();
    return message.substr(message.find("stage "));
  }
};

TEST_F(IdentityTest, TakesAnOrdinal) { EXPECT_EQ(outcome("ordinal = 2"), "ordinal 2"); }

TEST_F(IdentityTest, RefusesAnOrdinalOutOfRange) {
  EXPECT_EQ(outcome("ordinal = 3"),
            "stage device: plugin cpu_mock: there is no device of this ordinal: expected 0 to 2, found 3; the devices "
            "are " +
                std::string(kList));
}

TEST_F(IdentityTest, TakesAUuidInAnySpelling) {
  EXPECT_EQ(outcome("uuid = \"GPU-F81D4FAE-7DEC-11D0-A765-00A0C91E6BFF\""), "ordinal 1");
  EXPECT_EQ(outcome("uuid = \"{f81d4fae7dec11d0a76500a0c91e6c00}\""), "ordinal 2");
}

TEST_F(IdentityTest, TakesAUniqueBeginningOfAUuid) {
  EXPECT_EQ(outcome("uuid = \"f81d4fae-7dec-11d0-a765-00a0c91e6c\""), "ordinal 2");
}

TEST_F(IdentityTest, RefusesABeginningThatFitsSeveral) {
  EXPECT_EQ(
      outcome("uuid = \"f81d4fae-7dec-11d0-a765-00a0c91e6b\""),
      "stage device: plugin cpu_mock: several devices have this identity: expected one device of uuid "
      "f81d4fae7dec11d0a76500a0c91e6b, found 0: Mock, uuid f81d4fae-7dec-11d0-a765-00a0c91e6bfe, pci 0000:65:00.0; "
      "1: Mock, uuid f81d4fae-7dec-11d0-a765-00a0c91e6bff, pci 0000:66:00.0; write more of the UUID, or use pci "
      "or ordinal");
}

TEST_F(IdentityTest, RefusesAUuidThatFitsNone) {
  EXPECT_EQ(outcome("uuid = \"00000000\""),
            "stage device: plugin cpu_mock: no device has this identity: expected one device of uuid 00000000, found " +
                std::string(kList));
}

TEST_F(IdentityTest, TakesAPciAddressInAnySpelling) {
  EXPECT_EQ(outcome("pci = \"66:00.0\""), "ordinal 1");
  EXPECT_EQ(outcome("pci = \"00000000:67:00.0\""), "ordinal 2");
}

TEST_F(IdentityTest, RefusesAPciAddressThatFitsNone) {
  EXPECT_EQ(
      outcome("pci = \"0000:01:00.0\""),
      "stage device: plugin cpu_mock: no device has this identity: expected one device of pci 0000:01:00.0, found " +
          std::string(kList));
}

TEST_F(IdentityTest, ReadsAnOrdinalFromTheEnvironment) {
  environment_["RANK"] = "1";
  EXPECT_EQ(outcome("ordinal = { env = \"RANK\" }"), "ordinal 1");
}

TEST_F(IdentityTest, TellsUnsetEmptyAndWrongVariablesApart) {
  const std::string keys = "ordinal = { env = \"RANK\" }";
  const std::string start = "stage config: " + (folder_.path() / "devices.toml").string() +
                            ":9:11: the ordinal cannot be read from the environment variable RANK: expected a whole "
                            "number from 0 to 4294967295, found ";
  const std::string step = "; let the launcher set it, or write the ordinal into the file";
  EXPECT_EQ(outcome(keys), start + "the variable is not set" + step);
  environment_["RANK"] = "";
  EXPECT_EQ(outcome(keys), start + "the variable is set and empty" + step);
  for (const char* value : {"one", "-1", "1 ", "0x1", "4294967296"}) {
    environment_["RANK"] = value;
    EXPECT_EQ(outcome(keys), start + "\"" + value + "\"" + step);
  }
}

TEST_F(IdentityTest, RefusesAnOrdinalOutOfRangeFromTheEnvironment) {
  environment_["RANK"] = "4";
  EXPECT_EQ(outcome("ordinal = { env = \"RANK\" }"),
            "stage device: plugin cpu_mock: there is no device of this ordinal: expected 0 to 2, found 4 from the "
            "environment variable RANK; the devices are " +
                std::string(kList));
}

TEST_F(IdentityTest, IgnoresTheEnvironmentWhenPrivileged) {
  environment_["RANK"] = "1";
  options_.privileged = true;
  EXPECT_NE(outcome("ordinal = { env = \"RANK\" }").find("found the variable is not set"), std::string::npos);
}

TEST_F(IdentityTest, RefusesOneOrdinalTwiceOnReading) {
  const std::string file = config(kPosing + entry("cuda:0", "ordinal = 1") + entry("cuda:1", "ordinal = 1"));
  EXPECT_EQ(load_message(), file +
                                ":10:1: cuda:1 and cuda:0 are one physical device: expected different devices, or "
                                "shared = true in both, found ordinal 1 of plugin 'gpu' in both (line 6); correct one "
                                "of the ordinals");
}

TEST_F(IdentityTest, RefusesOneOrdinalTwiceThroughAnotherNameOfTheFile) {
  config(std::string("[[plugin]]\nname = \"a\"\nfile = \"cpu_mock\"\n[[plugin]]\nname = \"b\"\nfile = \"") +
         BERTH_TEST_PLUGIN_DIR + "/../plugins/libberth_cpu_mock.so\"\n" +
         "[[device]]\nid = \"x:0\"\nplugin = \"a\"\n[[device]]\nid = \"x:1\"\nplugin = \"b\"\n");
  EXPECT_NE(load_message().find("x:1 and x:0 are one physical device"), std::string::npos) << load_message();
}

TEST_F(IdentityTest, RefusesOneHardwareTwiceWhenTheSecondOpens) {
  const std::string file = config(kPosing + entry("cuda:0", "ordinal = 1") + entry("cuda:1", "pci = \"66:00.0\""));
  const auto loaded = load();
  ASSERT_TRUE(loaded.has_value()) << loaded.status().message();
  ASSERT_TRUE(loaded->registry()->find({"cuda", 0}).has_value());
  EXPECT_EQ(loaded->registry()->find({"cuda", 1}).status().message(),
            file +
                ":10:1, device cuda:1, stage device: cuda:1 and cuda:0 are one physical device: expected different "
                "devices, or shared = true in both, found pci-0000:66:00.0 (Mock) in both; correct the identity in one "
                "of them");
}

TEST_F(IdentityTest, AllowsOneHardwareTwiceWhenBothAreShared) {
  config(kPosing + entry("cuda:0", "ordinal = 1\nshared = true") + entry("cuda:1", "ordinal = 1\nshared = true") +
         entry("cuda:2", "pci = \"66:00.0\"\nshared = true"));
  const auto loaded = load();
  ASSERT_TRUE(loaded.has_value()) << loaded.status().message();
  const auto first = loaded->registry()->find({"cuda", 0});
  const auto third = loaded->registry()->find({"cuda", 2});
  ASSERT_TRUE(first.has_value()) << first.status().message();
  ASSERT_TRUE(third.has_value()) << third.status().message();
  EXPECT_TRUE((*first)->same_hardware(**third));
  EXPECT_FALSE((*first)->same_state(**third));
  EXPECT_TRUE(loaded->registry()->find({"cuda", 1}).has_value());
}

TEST_F(IdentityTest, IdentifiesDevicesWithoutHardwareNamesByInstanceAndOrdinal) {
  config(
      "[[plugin]]\nname = \"a\"\nfile = \"cpu_mock\"\noptions = { devices = 2 }\n"
      "[[plugin]]\nname = \"b\"\nfile = \"cpu_mock\"\noptions = { devices = 2, strict = true }\n"
      "[[device]]\nid = \"x:0\"\nplugin = \"a\"\n[[device]]\nid = \"x:1\"\nplugin = \"b\"\n");
  const auto loaded = load();
  ASSERT_TRUE(loaded.has_value()) << loaded.status().message();
  const auto a = loaded->registry()->find({"x", 0});
  const auto b = loaded->registry()->find({"x", 1});
  ASSERT_TRUE(a.has_value()) << a.status().message();
  ASSERT_TRUE(b.has_value()) << b.status().message();
  EXPECT_FALSE((*a)->same_hardware(**b));
}

TEST_F(IdentityTest, UsesSoftwareDevicesOnlyByLeave) {
  const std::string plugin = "[[plugin]]\nname = \"gpu\"\nfile = \"cpu_mock\"\noptions = { software = true }\n";
  const std::string file = config(plugin + entry("cuda:0", ""));
  auto loaded = load();
  ASSERT_TRUE(loaded.has_value()) << loaded.status().message();
  EXPECT_EQ(loaded->registry()->find({"cuda", 0}).status().message(),
            file +
                ":6:1, device cuda:0, stage device: the device 'Berth mock device' computes on the CPU: expected "
                "hardware, as allow_software is false, found a software device; set allow_software = true in this "
                "[[device]] to use it all the same");
  config(plugin + entry("cuda:0", "allow_software = true"));
  loaded = load();
  ASSERT_TRUE(loaded.has_value()) << loaded.status().message();
  EXPECT_TRUE(loaded->registry()->find({"cuda", 0}).has_value());
}

}  // namespace
}  // namespace berth::loader::test
