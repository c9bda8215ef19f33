// Devices that are lost and opened anew from the same registry: alone, behind a fallback or a map, and with a claim.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/file.h>
#include <unistd.h>

#include "berth/core/device_buffer.h"
#include "loader_fixture.h"
#include "registry/claim.h"

namespace berth::loader::test {
namespace {

const DeviceId kCuda0{"cuda", 0};
const DeviceId kMock0{"mock", 0};

// The device is lost at its first fill.
constexpr const char* kMock =
    "[[plugin]]\nname = \"mock\"\nfile = \"cpu_mock\"\noptions = { pci_base = \"0000:65:00.0\", faults = "
    "\"fill#1=DEVICE_LOST\" }\n";

class DeviceLostTest : public LoaderTest {
 protected:
  std::shared_ptr<DeviceRegistry> registry(const std::string& devices) {
    config(kMock + devices);
    auto loaded = load();
    EXPECT_TRUE(loaded.has_value()) << loaded.status().message();
    return loaded.has_value() ? loaded->registry() : nullptr;
  }

  // A buffer on the device, which is lost afterwards.
  static DeviceBuffer lose(DeviceRegistry& registry, const DeviceId& id) {
    DeviceBuffer buffer = DeviceBuffer::allocate(registry.find(id).value(), {.bytes = 64}).value();
    const Status status = buffer.fill(0, 64, 1);
    EXPECT_EQ(status.message(), id.to_string() +
                                    " (plugin mock), fill of 64 bytes: plugin cpu_mock, fill: fault schedule: "
                                    "'fill#1=DEVICE_LOST' at call 1, fill; call registry.retry(" +
                                    id.to_string() + ") to open the device again");
    EXPECT_TRUE(registry.find(id).value()->lost());
    return buffer;
  }

  // Whether another descriptor, as another process would have, is refused the lock.
  [[nodiscard]] bool claimed() const {
    const int file = open(detail::claim_path(folder_.path().string(), "pci-0000:65:00.0").c_str(), O_RDWR);
    EXPECT_GE(file, 0);
    const bool refused = flock(file, LOCK_EX | LOCK_NB) != 0;
    close(file);
    return refused;
  }

  static void expect_works(DeviceRegistry& registry, const DeviceId& id) {
    const auto device = registry.find(id);
    ASSERT_TRUE(device.has_value()) << device.status().message();
    EXPECT_FALSE((*device)->lost());
    EXPECT_EQ(DeviceBuffer::allocate(*device, {.bytes = 64})->fill(0, 64, 1).message(), "OK");
  }
};

TEST_F(DeviceLostTest, OpensAnewBesideWhatIsLeftOfTheOld) {
  const auto devices = registry("[[device]]\nid = \"cuda:0\"\nplugin = \"mock\"\n");
  ASSERT_NE(devices, nullptr);
  DeviceBuffer kept = lose(*devices, kCuda0);
  EXPECT_EQ(devices->retry(kCuda0).message(), "OK");
  expect_works(*devices, kCuda0);
  EXPECT_EQ(kept.fill(0, 64, 1).code(), Code::kDeviceLost);
  EXPECT_TRUE(kept.release().ok());
  expect_works(*devices, kCuda0);
  EXPECT_THAT(warnings(), testing::IsEmpty());
}

TEST_F(DeviceLostTest, OpensTheFallbackAnewUnderBothIds) {
  for (const DeviceId& id : {kCuda0, kMock0}) {
    const auto devices = registry(
        "[[device]]\nid = \"cuda:0\"\nplugin = \"absent_gpu\"\nfallback = \"mock:0\"\n"
        "[[device]]\nid = \"mock:0\"\nplugin = \"mock\"\n");
    ASSERT_NE(devices, nullptr);
    ASSERT_TRUE(devices->find(kMock0).has_value());
    const DeviceBuffer kept = lose(*devices, kCuda0);
    EXPECT_TRUE(devices->find(kMock0).value()->lost());
    EXPECT_EQ(devices->retry(id).message(), "OK");
    expect_works(*devices, kCuda0);
    expect_works(*devices, kMock0);
    EXPECT_TRUE(devices->find(kCuda0).value()->same_state(*devices->find(kMock0).value()));
    EXPECT_EQ(devices->find(kCuda0).value()->served_by().entry, "mock:0");
  }
}

TEST_F(DeviceLostTest, OpensAMappedDeviceAnew) {
  options_.map = {{kCuda0, kMock0}};
  const auto devices = registry("[[device]]\nid = \"mock:0\"\nplugin = \"mock\"\n");
  ASSERT_NE(devices, nullptr);
  const DeviceBuffer kept = lose(*devices, kCuda0);
  EXPECT_EQ(devices->retry(kCuda0).message(), "OK");
  expect_works(*devices, kCuda0);
  expect_works(*devices, kMock0);
  EXPECT_TRUE(devices->find(kCuda0).value()->same_state(*devices->find(kMock0).value()));
}

TEST_F(DeviceLostTest, KeepsTheClaimUntilTheLastOfBothGoes) {
  auto devices = registry("[[device]]\nid = \"cuda:0\"\nplugin = \"mock\"\nclaim = \".\"\n");
  ASSERT_NE(devices, nullptr);
  DeviceBuffer kept = lose(*devices, kCuda0);
  EXPECT_EQ(devices->retry(kCuda0).message(), "OK");
  expect_works(*devices, kCuda0);
  EXPECT_TRUE(kept.release().ok());  // the old device closes
  expect_works(*devices, kCuda0);
  EXPECT_TRUE(claimed());
  devices.reset();
  EXPECT_FALSE(claimed());
}

TEST_F(DeviceLostTest, KeepsTheClaimOfTheOldWhenTheNewOneGoesFirst) {
  auto devices = registry("[[device]]\nid = \"cuda:0\"\nplugin = \"mock\"\nclaim = \".\"\n");
  ASSERT_NE(devices, nullptr);
  DeviceBuffer kept = lose(*devices, kCuda0);
  EXPECT_EQ(devices->retry(kCuda0).message(), "OK");
  devices.reset();
  EXPECT_TRUE(claimed());
  EXPECT_TRUE(kept.release().ok());
  EXPECT_FALSE(claimed());
}

}  // namespace
}  // namespace berth::loader::test
