// Instances and devices: life, ordinals, identity, properties.
#include "mock.h"

namespace berth::test {
namespace {

berth_device_description describe(const Instance& instance, std::uint32_t ordinal) {
  berth_device_description out{};
  out.struct_size = sizeof(out);
  EXPECT_THAT(call(table().device->describe, instance.get(), ordinal, &out), IsOk());
  return out;
}

std::string uuid_text(const berth_device_description& description) {
  std::string text;
  for (const std::uint8_t byte : description.uuid) {
    constexpr const char* kDigits = "0123456789abcdef";
    text += kDigits[byte / 16];
    text += kDigits[byte % 16];
  }
  return text;
}

TEST(QueryTest, AnswersWhoItIsAndEveryGroup) {
  const berth_plugin_info& info = plugin_info();
  EXPECT_STREQ(info.name, "cpu_mock");
  EXPECT_STREQ(info.device_type, "cpu_mock");
  EXPECT_EQ(info.abi_major, 1U);
  EXPECT_EQ(info.flags, 0U);
  const berth_table& all = table();
  EXPECT_EQ(all.struct_size, sizeof(berth_table));
  for (const void* group :
       {static_cast<const void*>(all.copy_within), static_cast<const void*>(all.fill),
        static_cast<const void*>(all.memory_info), static_cast<const void*>(all.staging),
        static_cast<const void*>(all.queue), static_cast<const void*>(all.async), static_cast<const void*>(all.peer),
        static_cast<const void*>(all.queue_peer), static_cast<const void*>(all.map)})
    EXPECT_NE(group, nullptr);
}

TEST(InstanceTest, SeveralLiveSideBySide) {
  const Instance first({{"devices", 2}});
  const Instance second({{"devices", 3}});
  std::uint32_t count = 0;
  EXPECT_THAT(call(table().device->count, first.get(), &count), IsOk());
  EXPECT_EQ(count, 2U);
  EXPECT_THAT(call(table().device->count, second.get(), &count), IsOk());
  EXPECT_EQ(count, 3U);
}

TEST(InstanceTest, RefusesToEndWithAnOpenDevice) {
  const Instance instance;
  const Device device(instance);
  EXPECT_THAT(call(table().instance->destroy, instance.get()),
              FailsWith(BERTH_FAILED_PRECONDITION, "1 devices are open"));
}

TEST(InstanceTest, CreatesWithoutADeviceAndCountSaysSo) {
  const Instance instance({{"devices", 0}});
  std::uint32_t count = 7;
  EXPECT_THAT(call(table().device->count, instance.get(), &count),
              FailsWith(BERTH_NO_DEVICE, "the option 'devices' is 0, so there is no device"));
  EXPECT_EQ(count, 7U);
}

TEST(InstanceTest, RefusesArgsThatItDoesNotUnderstand) {
  struct Longer {
    berth_create_args known;
    std::uint64_t more;
  } args{{sizeof(Longer), nullptr, 0}, 1};
  const berth_host host{sizeof(berth_host), nullptr, nullptr};
  berth_instance* instance = nullptr;
  EXPECT_THAT(call(table().instance->create, &args.known, &host, static_cast<void*>(nullptr), &instance),
              FailsWith(BERTH_NOT_UNDERSTOOD, "args: byte 24 is set, and this plugin knows only 24 bytes of it"));
  args.known.struct_size = 16;
  EXPECT_THAT(call(table().instance->create, &args.known, &host, static_cast<void*>(nullptr), &instance),
              FailsWith(BERTH_INVALID_ARGUMENT, "args: struct_size is 16, expected at least 24"));
}

TEST(DescribeTest, DerivesAUuidThatSaysNothingAboutHardware) {
  const Instance instance({{"devices", 2}});
  const berth_device_description first = describe(instance, 0);
  const berth_device_description second = describe(instance, 1);
  EXPECT_EQ(first.uuid_quality, BERTH_IDENTITY_DERIVED);
  EXPECT_EQ(first.pci_quality, BERTH_IDENTITY_NONE);
  EXPECT_STREQ(first.pci, "");
  EXPECT_NE(uuid_text(first), uuid_text(second));
  EXPECT_EQ(uuid_text(first), uuid_text(describe(Instance(), 0))) << "another instance, the same device";
  EXPECT_STREQ(first.name, "Berth mock device");
  EXPECT_EQ(first.flags, BERTH_DEVICE_TOTAL_KNOWN);
  EXPECT_EQ(first.total_bytes, 1ULL << 30);
}

TEST(DescribeTest, CountsIdentitiesUpFromTheirBases) {
  const Instance instance({{"devices", 2},
                           {"uuid_base", "00112233-4455-6677-8899-aabbccddeeff"},
                           {"pci_base", "0001:FF:1f.7"},
                           {"name", "Test board"},
                           {"software", true},
                           {"integrated", true}});
  EXPECT_EQ(uuid_text(describe(instance, 0)), "00112233445566778899aabbccddeeff");
  const berth_device_description second = describe(instance, 1);
  EXPECT_EQ(uuid_text(second), "00112233445566778899aabbccddef00");
  EXPECT_EQ(second.uuid_quality, BERTH_IDENTITY_EXACT);
  EXPECT_STREQ(second.pci, "0002:00:1f.7");
  EXPECT_EQ(second.pci_quality, BERTH_IDENTITY_EXACT);
  EXPECT_STREQ(second.name, "Test board");
  EXPECT_EQ(second.flags, BERTH_DEVICE_SOFTWARE | BERTH_DEVICE_INTEGRATED | BERTH_DEVICE_TOTAL_KNOWN);
}

TEST(DescribeTest, RefusesAnOrdinalThatDoesNotExist) {
  const Instance instance;
  berth_device_description out{};
  out.struct_size = sizeof(out);
  EXPECT_THAT(call(table().device->describe, instance.get(), 1U, &out),
              FailsWith(BERTH_INVALID_ARGUMENT, "there is no device 1; this instance has 1"));
}

TEST(OutStructTest, FillsWhatTheCallerOffersAndSaysHowMuch) {
  struct Longer {
    berth_device_description known;
    std::uint64_t more;
  } out{};
  out.known.struct_size = sizeof(out);
  out.more = 42;
  const Instance instance;
  EXPECT_THAT(call(table().device->describe, instance.get(), 0U, &out.known), IsOk());
  EXPECT_EQ(out.known.struct_size, sizeof(out.known));
  EXPECT_EQ(out.more, 42U);
}

TEST(OutStructTest, RefusesLessThanVersionOneAndLeavesItAlone) {
  const Instance instance;
  berth_device_description out{};
  out.struct_size = sizeof(out) - 8;
  EXPECT_THAT(call(table().device->describe, instance.get(), 0U, &out),
              FailsWith(BERTH_INVALID_ARGUMENT, "out: struct_size offers 584 bytes, expected at least 592"));
  EXPECT_STREQ(out.name, "");
}

TEST(DeviceTest, OpensAnOrdinalTwiceWithLimitsInCommon) {
  const Instance instance({{"capacity", 1024}});
  const Device first(instance);
  const Device second(instance);
  const berth_memory memory = first.allocate({.size = 1024});
  berth_memory none{};
  EXPECT_THAT(second.try_allocate({.size = 1}, none),
              FailsWith(BERTH_OUT_OF_DEVICE_MEMORY, "heap 0 of device 0 is full: 1 bytes asked, 1024 of 1024 in use"));
  EXPECT_EQ(none.handle, 0U) << "outputs of a failed call stay as they were";
  first.free(memory);
  second.free(second.allocate({.size = 1024}));
}

TEST(DeviceTest, RefusesUnknownFlagsAndOrdinals) {
  const Instance instance;
  berth_device* device = nullptr;
  berth_open_args args{sizeof(args), 5, 0, nullptr, 0};
  EXPECT_THAT(call(table().device->open, instance.get(), &args, &device),
              FailsWith(BERTH_INVALID_ARGUMENT, "there is no device 5; this instance has 1"));
  args = {sizeof(args), 0, 8, nullptr, 0};
  EXPECT_THAT(call(table().device->open, instance.get(), &args, &device),
              FailsWith(BERTH_NOT_UNDERSTOOD, "open: flags 0x8 are unknown, known are 0x0"));
  EXPECT_EQ(device, nullptr);
}

TEST(DeviceTest, RefusesToCloseWithLiveChildren) {
  const Instance instance;
  const Device device(instance);
  const berth_memory memory = device.allocate({});
  EXPECT_THAT(call(table().device->close, device.get()),
              FailsWith(BERTH_FAILED_PRECONDITION,
                        "device 0 can't close: 1 memories, 0 staging blocks, 0 queues and 0 maps are alive"));
  device.free(memory);
}

TEST(DeviceTest, OptionsOfOpenNarrowTheLimits) {
  const Instance instance(Options{{"capacity", "1MiB"}});
  const Device device(instance, 0, {{"capacity", "4KiB"}, {"max_allocations", 2}});
  EXPECT_EQ(device.info().total_bytes, 4096U);
  EXPECT_EQ(device.properties().max_allocations, 2U);
  EXPECT_EQ(device.kind().max_allocation, 4096U);
}

TEST(PropertiesTest, SayWhatTheOptionsSay) {
  const Instance instance({{"bind_alignment", 256},
                           {"max_bind_size", "64KiB"},
                           {"copy_alignment", 128},
                           {"map_granularity", 32},
                           {"max_allocations", 9},
                           {"without", "fill, queue"}});
  const Device device(instance);
  const berth_device_properties properties = device.properties();
  EXPECT_EQ(properties.bind_alignment, 256U);
  EXPECT_EQ(properties.max_bind_size, 65536U);
  EXPECT_EQ(properties.copy_alignment, 128U);
  EXPECT_EQ(properties.map_granularity, 32U);
  EXPECT_EQ(properties.max_allocations, 9U);
  EXPECT_EQ(properties.kind_count, 1U);
  EXPECT_EQ(properties.heap_count, 1U);
  EXPECT_EQ(properties.capabilities,
            BERTH_CAN_COPY_WITHIN | BERTH_CAN_MEMORY_INFO | BERTH_CAN_STAGING | BERTH_CAN_PEER | BERTH_CAN_MAP);
}

TEST(PropertiesTest, RefusesKindsAndHeapsThatDoNotExist) {
  const Instance instance;
  const Device device(instance);
  berth_kind_properties kind{};
  kind.struct_size = sizeof(kind);
  EXPECT_THAT(call(table().device->kind, device.get(), 1U, &kind),
              FailsWith(BERTH_INVALID_ARGUMENT, "there is no kind 1; this device has 1"));
  berth_heap_properties heap{};
  heap.struct_size = sizeof(heap);
  EXPECT_THAT(call(table().device->heap, device.get(), 1U, &heap),
              FailsWith(BERTH_INVALID_ARGUMENT, "there is no heap 1; this device has 1"));
}

TEST(CapabilityTest, AMissingOneIsUnsupported) {
  const Instance instance(Options{{"without", "fill"}});
  const Device device(instance);
  const berth_memory memory = device.allocate({});
  EXPECT_THAT(call(table().fill->fill, device.get(), &memory, std::uint64_t{0}, std::uint64_t{1}, std::uint8_t{0}),
              FailsWith(BERTH_UNSUPPORTED, "device 0 lacks the capability fill"));
  device.free(memory);
}

}  // namespace
}  // namespace berth::test
