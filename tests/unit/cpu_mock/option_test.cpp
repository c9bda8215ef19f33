// Options: every way in which they are refused, and what the grammars of kinds and heaps make.
#include "mock.h"

namespace berth::test {
namespace {

struct Refusal {
  const char* name;
  Option option;
  berth_code code;
  const char* message;
};

void PrintTo(const Refusal& refusal, std::ostream* out) { *out << refusal.name; }

class RefusedOptionTest : public testing::TestWithParam<Refusal> {};

TEST_P(RefusedOptionTest, NamesTheOptionAndWhatWasExpected) {
  const Outcome outcome = create_fails({{"devices", 1}, GetParam().option});
  EXPECT_THAT(outcome, FailsWith(GetParam().code, GetParam().message));
  EXPECT_EQ(outcome.error.option_index, 1);
}

const Refusal kRefusals[] = {
    {"UnknownKey",
     {"capacitee", 1},
     BERTH_NOT_UNDERSTOOD,
     "unknown option 'capacitee'; known are: devices, capacity, heaps, kinds, alignment, max_alignment, size_multiple, "
     "max_allocation, max_allocations, pinned_capacity, bind_alignment, max_bind_size, copy_alignment, "
     "map_granularity, strict, opaque, software, integrated, cross_wait, name, uuid_base, pci_base, without, unknown, "
     "peers, latency, faults"},
    {"WrongType", {"strict", 1}, BERTH_NOT_UNDERSTOOD, "option 'strict': expected bool, found int"},
    {"DoubleForSize", {"capacity", 1.5}, BERTH_NOT_UNDERSTOOD, "option 'capacity': expected string, found double"},
    {"OutOfRange", {"devices", 65}, BERTH_INVALID_ARGUMENT, "option 'devices': expected 0 to 64, found 65"},
    {"BadSize",
     {"capacity", "1GB"},
     BERTH_INVALID_ARGUMENT,
     "option 'capacity': '1GB' is not a size, such as 4096, 64KiB, 2MiB or 1GiB"},
    {"SizeThatOverflows",
     {"capacity", "99999999TiB"},
     BERTH_INVALID_ARGUMENT,
     "option 'capacity': '99999999TiB' is not a size, such as 4096, 64KiB, 2MiB or 1GiB"},
    {"NoPowerOfTwo",
     {"bind_alignment", 96},
     BERTH_INVALID_ARGUMENT,
     "option 'bind_alignment': expected a power of two, found 96"},
    {"UnknownGroup",
     {"without", "memory"},
     BERTH_INVALID_ARGUMENT,
     "option 'without': 'memory' is not an optional group or native"},
    {"UnknownFigure",
     {"unknown", "most"},
     BERTH_INVALID_ARGUMENT,
     "option 'unknown': 'most' is not free, total or used"},
    {"BadPeers",
     {"peers", "0+1"},
     BERTH_INVALID_ARGUMENT,
     "option 'peers': '0+1' is not all, none or pairs such as 0-1"},
    {"BadUuid",
     {"uuid_base", "0011"},
     BERTH_INVALID_ARGUMENT,
     "uuid_base: '0011' is not a UUID of 32 hexadecimal digits"},
    {"BadPci",
     {"pci_base", "65:00.0"},
     BERTH_INVALID_ARGUMENT,
     "pci_base: '65:00.0' is not a PCI address such as 0000:65:00.0"},
    {"BadLatency",
     {"latency", "alocate=1ms"},
     BERTH_INVALID_ARGUMENT,
     "latency: 'alocate' is not a function of the table, 'work' or '*'"},
    {"BadDuration",
     {"latency", "fast"},
     BERTH_INVALID_ARGUMENT,
     "latency: 'fast' is not a duration up to an hour, such as 250ns, 10us, 5ms or 1s"},
    {"UnknownKindWord",
     {"kinds", "local, shiny"},
     BERTH_INVALID_ARGUMENT,
     "kinds: 'shiny' is not local, visible, coherent, address, flat or key=value"},
    {"KindWithoutItsHeap",
     {"kinds", "local, heap=1"},
     BERTH_INVALID_ARGUMENT,
     "kind 0: its heap does not exist; 'heaps' lists them"},
    {"CoherentButHidden", {"kinds", "coherent"}, BERTH_INVALID_ARGUMENT, "kind 0: coherent needs visible"},
    {"FlatWithoutAddress", {"kinds", "local; flat"}, BERTH_INVALID_ARGUMENT, "kind 1: flat needs address"},
    {"FaultWithoutEffect",
     {"faults", "allocate#3"},
     BERTH_INVALID_ARGUMENT,
     "fault rule 'allocate#3': expected 'function=effect'"},
    {"FaultOfNoFunction",
     {"faults", "alloc=TOO_LARGE"},
     BERTH_INVALID_ARGUMENT,
     "fault rule 'alloc=TOO_LARGE': 'alloc' is no function of the table, nor 'work' or '*'"},
    {"FaultOfNoCode",
     {"faults", "allocate=FULL"},
     BERTH_INVALID_ARGUMENT,
     "fault rule 'allocate=FULL': 'FULL' is no effect; expected a code such as OUT_OF_DEVICE_MEMORY, NOTHING or LIE"},
    {"FaultThatNeverFires",
     {"faults", "allocate#0=TOO_LARGE"},
     BERTH_INVALID_ARGUMENT,
     "fault rule 'allocate#0=TOO_LARGE': it would never fire; calls are counted from 1"},
    {"FaultWithBadNative",
     {"faults", "allocate=DRIVER_FAILED(x)"},
     BERTH_INVALID_ARGUMENT,
     "fault rule 'allocate=DRIVER_FAILED(x)': 'x' is not a driver's code, a whole number"},
};

INSTANTIATE_TEST_SUITE_P(All, RefusedOptionTest, testing::ValuesIn(kRefusals),
                         [](const auto& refusal) { return refusal.param.name; });

TEST(OptionTest, StrictAndOpaqueExcludeEachOther) {
  EXPECT_THAT(create_fails({{"strict", true}, {"opaque", true}}),
              FailsWith(BERTH_INVALID_ARGUMENT, "options 'strict' and 'opaque': expected one of them at most"));
}

TEST(OptionTest, OpenRefusesUnknownKeysWithTheirIndex) {
  const Instance instance;
  const Options options{{"capacity", 64}, {"devices", 1}};
  const std::vector<berth_option> list = as_abi(options);
  const berth_open_args args{sizeof(args), 0, 0, list.data(), list.size()};
  berth_device* device = nullptr;
  const Outcome outcome = call(table().device->open, instance.get(), &args, &device);
  EXPECT_THAT(outcome, FailsWith(BERTH_NOT_UNDERSTOOD,
                                 "unknown option 'devices'; known are: capacity, max_allocations, pinned_capacity"));
  EXPECT_EQ(outcome.error.option_index, 1);
}

TEST(KindsTest, PlainMemoryIsFlatOnTheHost) {
  const Instance instance;
  const Device device(instance);
  const berth_kind_properties kind = device.kind();
  EXPECT_EQ(kind.flags, BERTH_KIND_DEVICE_LOCAL | BERTH_KIND_HOST_VISIBLE | BERTH_KIND_HOST_COHERENT |
                            BERTH_KIND_HAS_ADDRESS | BERTH_KIND_FLAT_ADDRESS);
  EXPECT_EQ(kind.size_multiple, 1U);
  EXPECT_EQ(kind.min_alignment, 64U);
  EXPECT_EQ(kind.max_alignment, 1U << 21);
  EXPECT_EQ(kind.max_allocation, 1ULL << 30);
}

TEST(KindsTest, TextMakesSeveralKindsAndHeaps) {
  const Instance instance({{"heaps", "1MiB; 64KiB"},
                           {"alignment", 128},
                           {"kinds",
                            "local, address; visible, coherent, heap=1, max_allocation=4KiB, "
                            "size_multiple=256, min_alignment=256, max_alignment=512"}});
  const Device device(instance);
  EXPECT_EQ(device.properties().kind_count, 2U);
  EXPECT_EQ(device.properties().heap_count, 2U);
  EXPECT_EQ(device.kind(0).flags, BERTH_KIND_DEVICE_LOCAL | BERTH_KIND_HAS_ADDRESS);
  EXPECT_EQ(device.kind(0).min_alignment, 128U);
  EXPECT_EQ(device.kind(0).max_allocation, 1U << 20);
  const berth_kind_properties second = device.kind(1);
  EXPECT_EQ(second.flags, BERTH_KIND_HOST_VISIBLE | BERTH_KIND_HOST_COHERENT);
  EXPECT_EQ(second.heap, 1U);
  EXPECT_EQ(second.size_multiple, 256U);
  EXPECT_EQ(second.min_alignment, 256U);
  EXPECT_EQ(second.max_alignment, 512U);
  EXPECT_EQ(second.max_allocation, 4096U);
  const berth_memory memory = device.allocate({.size = 100, .alignment = 0, .kind = 1});
  EXPECT_EQ(memory.size, 256U);
  EXPECT_EQ(memory.kind, 1U);
  EXPECT_EQ(memory.flags, 0U);
  EXPECT_EQ(device.info(1).used_bytes, 256U);
  EXPECT_EQ(device.info(0).used_bytes, 0U);
  device.free(memory);
}

TEST(KindsTest, StrictTakesFlatAndOpaqueTakesTheAddress) {
  const Instance strict({{"strict", true}});
  EXPECT_EQ(Device(strict).kind().flags & (BERTH_KIND_HAS_ADDRESS | BERTH_KIND_FLAT_ADDRESS), BERTH_KIND_HAS_ADDRESS);
  const Instance opaque({{"opaque", true}});
  EXPECT_EQ(Device(opaque).kind().flags & (BERTH_KIND_HAS_ADDRESS | BERTH_KIND_FLAT_ADDRESS), 0U);
}

}  // namespace
}  // namespace berth::test
