#include "berth/core/device_registry.h"

#include <stdexcept>

#include "core_test.h"

namespace berth::test {
namespace {

const DeviceId kCuda0{"cuda", 0};
const DeviceId kMock0{"mock", 0};

// An opener that counts, and fails while `failure` is set.
struct CountingOpener {
  int opened = 0;
  Status failure;
  std::shared_ptr<FakeControl> control = std::make_shared<FakeControl>();

  DeviceRegistry::Opener opener(const std::string& id) {
    return [this, id]() -> Result<std::shared_ptr<Device>> {
      ++opened;
      if (!failure.ok()) return fail(failure);
      return make_fake_device(control, id);
    };
  }
};

TEST(DeviceRegistryTest, HasTheHostDeviceBuiltIn) {
  DeviceRegistry registry;
  EXPECT_TRUE(registry.host()->is_host());
  EXPECT_EQ(registry.find(DeviceId{}).value(), registry.host());
  EXPECT_EQ(registry.find_open(DeviceId{}), registry.host());
  EXPECT_TRUE(registry.retry(DeviceId{}).ok());
  EXPECT_EQ(registry.ids(), std::vector<DeviceId>{DeviceId{}});
}

TEST(DeviceRegistryTest, OpensAtTheFirstFindOnly) {
  DeviceRegistry registry;
  CountingOpener counting;
  ASSERT_TRUE(registry.add(kCuda0, counting.opener("cuda:0")).ok());
  EXPECT_EQ(registry.find_open(kCuda0), nullptr);
  EXPECT_EQ(counting.opened, 0);
  const auto device = registry.find(kCuda0).value();
  EXPECT_EQ(registry.find(kCuda0).value(), device);
  EXPECT_EQ(registry.find_open(kCuda0), device);
  EXPECT_TRUE(registry.retry(kCuda0).ok());
  EXPECT_EQ(counting.opened, 1);
}

TEST(DeviceRegistryTest, SaysWhichDevicesThereAre) {
  DeviceRegistry registry;
  CountingOpener counting;
  ASSERT_TRUE(registry.add(kMock0, counting.opener("mock:0")).ok());
  ASSERT_TRUE(registry.add(kCuda0, counting.opener("cuda:0")).ok());
  const Status status = registry.find({"cuda", 7}).status();
  EXPECT_EQ(status.code(), Code::kNotFound);
  EXPECT_EQ(status.origin(), Origin::kDevice);
  EXPECT_EQ(status.message(),
            "device registry: there is no device cuda:7: expected one of cpu:0, mock:0, cuda:0; add a [[device]] entry "
            "with id = \"cuda:7\" to the registry file");
  EXPECT_EQ(registry.retry({"cuda", 7}).message(), status.message());
  EXPECT_EQ(registry.find_open({"cuda", 7}), nullptr);
}

TEST(DeviceRegistryTest, RefusesIdsThatAreTaken) {
  DeviceRegistry registry;
  CountingOpener counting;
  ASSERT_TRUE(registry.add(kCuda0, counting.opener("cuda:0")).ok());
  EXPECT_EQ(registry.add(kCuda0, counting.opener("cuda:0")).message(),
            "device registry: there is a device cuda:0 already: expected ids that differ");
  EXPECT_EQ(registry.add(DeviceId{}, counting.opener("cpu:0")).message(),
            "device registry: cpu:0 is built in and cannot be added: expected another id");
  EXPECT_TRUE(registry.add({"cpu", 1}, counting.opener("cpu:1")).ok());
}

TEST(DeviceRegistryTest, StoresAFailureUntilRetry) {
  DeviceRegistry registry;
  CountingOpener counting;
  counting.failure = fake_failure("no driver", Code::kDependencyMissing);
  ASSERT_TRUE(registry.add(kCuda0, counting.opener("cuda:0")).ok());
  const Status first = registry.find(kCuda0).status();
  const Status second = registry.find(kCuda0).status();
  EXPECT_EQ(first.message(), "no driver");
  EXPECT_EQ(&first.info(), &second.info());
  EXPECT_EQ(counting.opened, 1);
  counting.failure = fake_failure("still no driver", Code::kDependencyMissing);
  EXPECT_EQ(registry.retry(kCuda0).message(), "still no driver");
  EXPECT_EQ(registry.find(kCuda0).status().message(), "still no driver");
  EXPECT_EQ(counting.opened, 2);
  counting.failure = Status();
  EXPECT_TRUE(registry.retry(kCuda0).ok());
  EXPECT_TRUE(registry.find(kCuda0).has_value());
  EXPECT_EQ(counting.opened, 3);
}

TEST(DeviceRegistryTest, OpenAllTriesAllAndReportsTheFirstRequiredFailure) {
  DeviceRegistry registry;
  CountingOpener optional;
  CountingOpener good;
  CountingOpener required;
  CountingOpener also_required;
  optional.failure = fake_failure("optional failed");
  required.failure = fake_failure("required failed");
  also_required.failure = fake_failure("another failed");
  ASSERT_TRUE(registry.add({"a", 0}, optional.opener("a:0"), false).ok());
  ASSERT_TRUE(registry.add({"b", 0}, required.opener("b:0")).ok());
  ASSERT_TRUE(registry.add({"c", 0}, also_required.opener("c:0")).ok());
  ASSERT_TRUE(registry.add({"d", 0}, good.opener("d:0")).ok());
  EXPECT_EQ(registry.open_all().message(), "required failed");
  EXPECT_EQ(good.opened, 1);
  EXPECT_EQ(also_required.opened, 1);
  required.failure = Status();
  also_required.failure = Status();
  EXPECT_EQ(registry.open_all().message(), "required failed");  // stored until retry
  EXPECT_TRUE(registry.retry({"b", 0}).ok());
  EXPECT_TRUE(registry.retry({"c", 0}).ok());
  EXPECT_TRUE(registry.open_all().ok());
}

TEST(DeviceRegistryTest, OpenersMayFindOtherDevices) {
  DeviceRegistry registry;
  CountingOpener mock;
  ASSERT_TRUE(registry.add(kMock0, mock.opener("mock:0")).ok());
  const auto fall_back = [&]() -> Result<std::shared_ptr<Device>> {
    BERTH_ASSIGN(const auto device, registry.find(kMock0));
    return device->alias(kCuda0, "no driver");
  };
  ASSERT_TRUE(registry.add(kCuda0, fall_back).ok());
  const auto device = registry.find(kCuda0).value();
  EXPECT_EQ(device->id(), kCuda0);
  EXPECT_TRUE(device->same_state(*registry.find(kMock0).value()));
}

TEST(DeviceRegistryTest, RefusesAnOpenerThatFindsItself) {
  DeviceRegistry registry;
  const auto endless = [&]() -> Result<std::shared_ptr<Device>> { return registry.find(kCuda0); };
  ASSERT_TRUE(registry.add(kCuda0, endless).ok());
  EXPECT_EQ(registry.find(kCuda0).status().message(),
            "cuda:0: the opening of the device asks for the device itself; break the cycle of fallbacks");
}

TEST(DeviceRegistryTest, TurnsWhatOpenersDoWrongIntoFailures) {
  DeviceRegistry registry;
  ASSERT_TRUE(registry.add({"a", 0}, [] { return std::shared_ptr<Device>(); }).ok());
  ASSERT_TRUE(
      registry.add({"b", 0}, []() -> Result<std::shared_ptr<Device>> { throw std::runtime_error("ouch"); }).ok());
  ASSERT_TRUE(registry.add({"c", 0}, nullptr).ok());
  ASSERT_TRUE(registry.add({"d", 0}, []() -> Result<std::shared_ptr<Device>> { throw 3; }).ok());
  EXPECT_EQ(registry.find({"a", 0}).status().message(),
            "a:0: the opener of the device failed: found it gave neither a device nor a failure");
  EXPECT_EQ(registry.find({"b", 0}).status().message(), "b:0: the opener of the device failed: found it threw: ouch");
  EXPECT_EQ(registry.find({"c", 0}).status().message(), "c:0: the opener of the device failed: found there is none");
  EXPECT_EQ(registry.find({"d", 0}).status().message(),
            "d:0: the opener of the device failed: found it threw something that is no std::exception");
  EXPECT_EQ(registry.find({"a", 0}).status().code(), Code::kInternal);
}

TEST(DeviceRegistryTest, NamesProgramTypes) {
  DeviceRegistry registry;
  EXPECT_EQ(registry.type_name(0), "cpu");
  EXPECT_EQ(registry.type_name(1), "cuda");
  EXPECT_EQ(registry.type_name(2), std::nullopt);
  EXPECT_TRUE(registry.name_type(2, "npu").ok());
  EXPECT_TRUE(registry.name_type(2, "npu").ok());
  EXPECT_EQ(registry.type_name(2), "npu");
  EXPECT_EQ(registry.name_type(2, "tpu").message(),
            "device type 2: the type is named 'npu' already: expected one name for each type");
  EXPECT_EQ(registry.name_type(1, "npu").message(),
            "device type 1: types 0 (cpu) and 1 (cuda) are built in: expected a type from 2 to 255");
  EXPECT_EQ(registry.name_type(3, "NPU").message(),
            "device type 3: 'NPU' is no type name: expected at most 31 lower-case letters, digits and underscores that "
            "start with a letter");
  EXPECT_FALSE(registry.name_type(3, "npu:0").ok());
}

TEST(DeviceRegistryTest, NamesLeaksByOwnerAndPlugin) {
  DeviceRegistry registry;
  CountingOpener mock;
  ASSERT_TRUE(registry.add(kMock0, mock.opener("mock:0")).ok());
  ASSERT_TRUE(registry
                  .add(kCuda0,
                       [&]() -> Result<std::shared_ptr<Device>> {
                         return registry.find(kMock0).value()->alias(kCuda0, "fallback");
                       })
                  .ok());
  EXPECT_TRUE(registry.leaks().empty());
  EXPECT_EQ(mock.opened, 0);
  const auto device = registry.find(kCuda0).value();
  const DeviceBuffer leaked = buffer_of(device, 48, {.id = device->intern_owner("add.pte/forward"), .part = 2});
  const DeviceBuffer on_host = buffer_of(registry.host(), 8);
  const auto leaks = registry.leaks();
  ASSERT_EQ(leaks.size(), 2u);
  EXPECT_EQ(leaks[0].id, DeviceId{});
  EXPECT_EQ(leaks[0].served_by.plugin, "host");
  EXPECT_EQ(leaks[1].id, kMock0);
  EXPECT_EQ(leaks[1].served_by.plugin, "fake");
  ASSERT_EQ(leaks[1].usage.size(), 1u);
  EXPECT_EQ(leaks[1].usage[0].owner, "add.pte/forward");
  EXPECT_EQ(leaks[1].usage[0].part, 2u);
  EXPECT_EQ(leaks[1].usage[0].bytes, 48u);
}

TEST(DeviceRegistryTest, DevicesOutliveIt) {
  CountingOpener mock;
  std::shared_ptr<Device> device;
  {
    DeviceRegistry registry;
    ASSERT_TRUE(registry.add(kMock0, mock.opener("mock:0")).ok());
    device = registry.find(kMock0).value();
  }
  EXPECT_FALSE(buffer_of(device, 8).empty());
  device.reset();
  EXPECT_TRUE(mock.control->closed);
}

}  // namespace
}  // namespace berth::test
