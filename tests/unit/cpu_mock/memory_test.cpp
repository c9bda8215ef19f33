// Allocation, copies, fills and figures.
#include <sys/mman.h>

#include <set>

#include "mock.h"

namespace berth::test {
namespace {

const std::string kPoison64(64, '\xFF');

TEST(AllocateTest, MeetsEveryAlignment) {
  for (const bool strict : {false, true}) {
    const Instance instance({{"strict", strict}});
    const Device device(instance);
    for (std::uint64_t alignment = 1; alignment <= 1U << 21; alignment *= 2) {
      const berth_memory one = device.allocate({.size = 3, .alignment = alignment});
      const berth_memory two = device.allocate({.size = 3, .alignment = alignment});
      EXPECT_EQ(one.address % alignment, 0U);
      EXPECT_EQ(two.address % alignment, 0U);
      EXPECT_EQ(one.address % 64, 0U) << "the kind's minimum";
      device.free(one);
      device.free(two);
    }
  }
}

TEST(AllocateTest, RefusesAlignmentsKindsAndFlags) {
  const Instance instance;
  const Device device(instance);
  berth_memory out{};
  EXPECT_THAT(device.try_allocate({.size = 1, .alignment = 96}, out),
              FailsWith(BERTH_INVALID_ARGUMENT, "alignment 96: expected a power of two up to 2097152"));
  EXPECT_THAT(device.try_allocate({.size = 1, .alignment = 1ULL << 22}, out),
              FailsWith(BERTH_INVALID_ARGUMENT, "alignment 4194304: expected a power of two up to 2097152"));
  EXPECT_THAT(device.try_allocate({.size = 1, .alignment = 0, .kind = 2}, out),
              FailsWith(BERTH_INVALID_ARGUMENT, "there is no kind 2; this device has 1"));
  const berth_allocate_args args{sizeof(args), 1, 0, 0, 4};
  EXPECT_THAT(call(table().memory->allocate, device.get(), &args, &out),
              FailsWith(BERTH_NOT_UNDERSTOOD, "allocate: flags 0x4 are unknown, known are 0x0"));
}

TEST(AllocateTest, RefusesSizesThatOverflowWhenRoundedUp) {
  const Instance instance({{"capacity", "16777215TiB"}, {"size_multiple", "2TiB"}});
  const Device device(instance);
  const std::uint64_t heap = device.info().total_bytes;
  berth_memory out{};
  for (const std::uint64_t size : {UINT64_MAX, UINT64_MAX - 4095, heap + 1, heap - 1})
    EXPECT_THAT(device.try_allocate({.size = size}, out), HasCode(BERTH_TOO_LARGE)) << size;
  EXPECT_EQ(device.info().used_bytes, 0U);
}

TEST(AllocateTest, TellsTooLargeFromFull) {
  const Instance instance({{"capacity", 4096}, {"max_allocation", 2048}});
  const Device device(instance);
  berth_memory out{};
  EXPECT_THAT(device.try_allocate({.size = 2049}, out),
              FailsWith(BERTH_TOO_LARGE, "2049 bytes asked; the largest single allocation of kind 0 is 2048 bytes"));
  const berth_memory one = device.allocate({.size = 2048});
  const berth_memory two = device.allocate({.size = 2000});
  EXPECT_THAT(device.try_allocate({.size = 49}, out),
              FailsWith(BERTH_OUT_OF_DEVICE_MEMORY, "heap 0 of device 0 is full: 49 bytes asked, 4048 of 4096 in use"));
  device.free(device.allocate({.size = 48}));
  device.free(one);
  device.free(two);
}

TEST(AllocateTest, CountsLiveBlocksAgainstTheirLimit) {
  const Instance instance({{"max_allocations", 1}});
  const Device device(instance);
  const berth_memory one = device.allocate({});
  berth_memory out{};
  EXPECT_THAT(device.try_allocate({}, out),
              FailsWith(BERTH_TOO_MANY_ALLOCATIONS, "device 0 has 1 live allocations, the limit is 1"));
  device.free(device.allocate({.size = 0}));
  device.free(one);
  device.free(device.allocate({}));
}

TEST(AllocateTest, SizeZeroSucceedsOnAFullDeviceWithUniqueHandles) {
  const Instance instance({{"capacity", 64}, {"max_allocations", 1}, {"faults", "allocate#2+=DRIVER_FAILED"}});
  const Device device(instance);
  const berth_memory full = device.allocate({.size = 64});
  const berth_memory one = device.allocate({.size = 0});
  const berth_memory two = device.allocate({.size = 0});
  EXPECT_NE(one.handle, 0U);
  EXPECT_NE(one.handle, two.handle);
  EXPECT_EQ(one.size, 0U);
  EXPECT_EQ(one.flags, 0U);
  device.free(full);
  device.free(one);
  device.free(two);
}

TEST(AllocateTest, NewAndFreedMemoryIsPoisoned) {
  const Instance instance;
  const Device device(instance);
  berth_memory memory = device.allocate({.size = 64});
  EXPECT_EQ(device.read(memory, 0, 64), kPoison64);
  device.write(memory, 0, std::string(64, 'x'));
  const auto* const bytes = reinterpret_cast<const char*>(memory.address);
  EXPECT_EQ(std::string(bytes, 64), std::string(64, 'x')) << "a flat address is a host pointer";
  device.free(memory);
  EXPECT_EQ(std::string(bytes, 64), kPoison64) << "pages stay mapped";
  memory = device.allocate({.size = 64});
  EXPECT_EQ(device.read(memory, 0, 64), kPoison64);
  device.free(memory);
}

TEST(AllocateTest, LiveBlocksNeitherOverlapNorShareAHandle) {
  const Instance instance;
  const Device device(instance);
  std::vector<berth_memory> live;
  std::set<std::uint64_t> handles;
  for (std::uint64_t size = 1; size <= 3000; size += 7) {
    live.push_back(device.allocate({.size = size}));
    handles.insert(live.back().handle);
    device.write(live.back(), 0, std::string(size, static_cast<char>('a' + size % 26)));
  }
  EXPECT_EQ(handles.size(), live.size());
  for (const berth_memory& memory : live) {
    EXPECT_EQ(device.read(memory, 0, memory.size), std::string(memory.size, static_cast<char>('a' + memory.size % 26)));
    device.free(memory);
  }
  EXPECT_EQ(device.info().used_bytes, 0U);
}

TEST(AllocateTest, IdlePagesGoBackBeforeTheyExceedTheCapacity) {
  const Instance instance({{"capacity", "1MiB"}, {"devices", 1}});
  const Device device(instance);
  const auto resident = [](const berth_memory& memory) {
    unsigned char page = 0;
    EXPECT_EQ(mincore(reinterpret_cast<void*>(memory.address), 1, &page), 0);
    return (page & 1) != 0;
  };
  const berth_memory large = device.allocate({.size = 600 << 10});
  device.free(large);
  const berth_memory first = device.allocate({.size = 300 << 10});
  EXPECT_TRUE(resident(large)) << "idle pages stay while there is room";
  const berth_memory second = device.allocate({.size = 300 << 10});
  EXPECT_FALSE(resident(large));
  device.free(first);
  device.free(second);
  const berth_memory again = device.allocate({.size = 600 << 10});
  EXPECT_EQ(again.address, large.address);
  EXPECT_EQ(device.read(again, (600 << 10) - 64, 64), kPoison64) << "filled again";
  device.free(again);
}

TEST(FreeTest, RefusesABlockThatIsNotAlive) {
  const Instance instance;
  const Device device(instance);
  const Device other(instance);
  const berth_memory memory = device.allocate({});
  EXPECT_THAT(other.try_free(memory), HasCode(BERTH_INVALID_ARGUMENT));
  device.free(memory);
  EXPECT_THAT(device.try_free(memory), HasCode(BERTH_INVALID_ARGUMENT));
}

TEST(StrictTest, AddressesAreNotReadable) {
  const Instance instance({{"strict", true}});
  const Device device(instance);
  const berth_memory memory = device.allocate({.size = 4096});
  EXPECT_NE(memory.address, 0U);
  EXPECT_EQ(memory.flags, BERTH_MEMORY_HAS_ADDRESS);
  device.write(memory, 1, "berth");
  EXPECT_EQ(device.read(memory, 1, 5), "berth");
  EXPECT_DEATH(
      {
        volatile char byte = *reinterpret_cast<volatile char*>(memory.address);
        (void)byte;
      },
      "");
  device.free(memory);
}

TEST(OpaqueTest, MemoryHasNoAddress) {
  const Instance instance({{"opaque", true}});
  const Device device(instance);
  const berth_memory memory = device.allocate({.size = 64});
  EXPECT_EQ(memory.address, 0U);
  EXPECT_EQ(memory.flags, 0U);
  device.write(memory, 0, "berth");
  EXPECT_EQ(device.read(memory, 0, 5), "berth");
  device.free(memory);
}

TEST(CopyTest, WorksAtEveryByteAndSparesNeighbours) {
  const Instance instance;
  const Device device(instance);
  const berth_memory memory = device.allocate({.size = 64});
  for (std::uint64_t offset = 0; offset < 8; ++offset) {
    for (std::uint64_t bytes = 0; bytes < 9; ++bytes) {
      device.write(memory, 0, std::string(64, '.'));
      device.write(memory, offset, std::string(bytes, 'x'));
      std::string expected(64, '.');
      expected.replace(offset, bytes, bytes, 'x');
      EXPECT_EQ(device.read(memory, 0, 64), expected);
    }
  }
  device.free(memory);
}

TEST(CopyTest, ZeroBytesTakeNullPointers) {
  const Instance instance;
  const Device device(instance);
  const berth_memory memory = device.allocate({.size = 0});
  EXPECT_THAT(call(table().copy->to_device, device.get(), &memory, std::uint64_t{0}, static_cast<const void*>(nullptr),
                   std::uint64_t{0}),
              IsOk());
  device.free(memory);
}

TEST(CopyWithinTest, CopiesBetweenAndInsideBlocks) {
  const Instance instance;
  const Device device(instance);
  const berth_memory one = device.allocate({.size = 8});
  const berth_memory two = device.allocate({.size = 8});
  device.write(one, 0, "abcdefgh");
  device.write(two, 0, "........");
  EXPECT_THAT(call(table().copy_within->copy_within, device.get(), &two, std::uint64_t{2}, &one, std::uint64_t{1},
                   std::uint64_t{3}),
              IsOk());
  EXPECT_EQ(device.read(two, 0, 8), "..bcd...");
  EXPECT_THAT(call(table().copy_within->copy_within, device.get(), &one, std::uint64_t{4}, &one, std::uint64_t{0},
                   std::uint64_t{4}),
              IsOk());
  EXPECT_EQ(device.read(one, 0, 8), "abcdabcd");
  device.free(one);
  device.free(two);
}

TEST(FillTest, SetsOneByteValueInARange) {
  const Instance instance;
  const Device device(instance);
  const berth_memory memory = device.allocate({.size = 8});
  device.write(memory, 0, "........");
  EXPECT_THAT(call(table().fill->fill, device.get(), &memory, std::uint64_t{3}, std::uint64_t{2}, std::uint8_t{'x'}),
              IsOk());
  EXPECT_EQ(device.read(memory, 0, 8), "...xx...");
  device.free(memory);
}

TEST(MemoryInfoTest, FollowsAllocations) {
  const Instance instance({{"capacity", 4096}, {"size_multiple", 256}});
  const Device device(instance);
  const berth_memory memory = device.allocate({.size = 1});
  const berth_memory_info info = device.info();
  EXPECT_EQ(info.valid, BERTH_INFO_FREE | BERTH_INFO_TOTAL | BERTH_INFO_USED);
  EXPECT_EQ(info.used_bytes, 256U);
  EXPECT_EQ(info.free_bytes, 4096U - 256U);
  EXPECT_EQ(info.total_bytes, 4096U);
  device.free(memory);
  EXPECT_EQ(device.info().free_bytes, 4096U);
}

TEST(MemoryInfoTest, UnknownFiguresAreNotValid) {
  const Instance instance(Options{{"unknown", "free, total"}});
  const Device device(instance);
  EXPECT_EQ(device.info().valid, BERTH_INFO_USED);
  berth_heap_properties heap{};
  heap.struct_size = sizeof(heap);
  EXPECT_THAT(call(table().device->heap, device.get(), 0U, &heap), IsOk());
  EXPECT_EQ(heap.flags, BERTH_HEAP_DEVICE_LOCAL);
}

}  // namespace
}  // namespace berth::test
