// Staging memory and maps.
#include <cstring>

#include "mock.h"

namespace berth::test {
namespace {

Outcome host_allocate(const Device& device, std::uint64_t size, std::uint64_t alignment, void** out) {
  const berth_host_allocate_args args{sizeof(args), size, alignment, 0, 0};
  return call(table().staging->host_allocate, device.get(), &args, out);
}

Outcome host_free(const Device& device, void* pointer) {
  return call(table().staging->host_free, device.get(), pointer);
}

Outcome map(const Device& device, const berth_memory& memory, std::uint64_t offset, std::uint64_t bytes,
            std::uint32_t flags, void** out) {
  const berth_map_args args{sizeof(args), &memory, offset, bytes, flags, 0};
  return call(table().map->map, device.get(), &args, out);
}

Outcome unmap(const Device& device, void* pointer) { return call(table().map->unmap, device.get(), pointer); }

TEST(StagingTest, MeetsAlignmentAndGivesBack) {
  const Instance instance;
  const Device device(instance);
  for (const std::uint64_t alignment : {0, 1, 64, 4096}) {
    void* pointer = nullptr;
    EXPECT_THAT(host_allocate(device, 100, alignment, &pointer), IsOk());
    ASSERT_NE(pointer, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(pointer) % (alignment == 0 ? 64 : alignment), 0U);
    std::memset(pointer, 1, 100);
    EXPECT_THAT(host_free(device, pointer), IsOk());
  }
}

TEST(StagingTest, RefusesBadAlignmentsAndUnknownPointers) {
  const Instance instance;
  const Device device(instance);
  void* pointer = nullptr;
  EXPECT_THAT(host_allocate(device, 1, 8192, &pointer),
              FailsWith(BERTH_INVALID_ARGUMENT, "alignment 8192: expected a power of two up to 4096"));
  EXPECT_THAT(host_allocate(device, 0, 0, &pointer), IsOk());
  EXPECT_EQ(pointer, nullptr);
  EXPECT_THAT(host_free(device, nullptr), IsOk());
  int other = 0;
  EXPECT_THAT(host_free(device, &other), HasCode(BERTH_INVALID_ARGUMENT));
}

TEST(StagingTest, PinnedMemoryRunsOut) {
  const Instance instance({{"pinned_capacity", 100}, {"devices", 1}});
  const Device device(instance);
  void* first = nullptr;
  void* second = nullptr;
  EXPECT_THAT(host_allocate(device, 64, 0, &first), IsOk());
  EXPECT_THAT(host_allocate(device, 64, 0, &second),
              FailsWith(BERTH_OUT_OF_PINNED_MEMORY, "64 bytes of staging memory asked, 64 of 100 in use"));
  EXPECT_THAT(call(table().device->close, device.get()),
              FailsWith(BERTH_FAILED_PRECONDITION,
                        "device 0 can't close: 0 memories, 1 staging blocks, 0 queues and 0 maps are alive"));
  EXPECT_THAT(host_free(device, first), IsOk());
  EXPECT_THAT(host_allocate(device, 64, 0, &second), IsOk()) << "it was given back";
  EXPECT_THAT(host_free(device, second), IsOk());
}

TEST(MapTest, CoherentMemoryIsMappedInPlace) {
  const Instance instance({{"strict", true}, {"devices", 1}});
  const Device device(instance);
  const berth_memory memory = device.allocate({.size = 128});
  void* low = nullptr;
  void* high = nullptr;
  EXPECT_THAT(map(device, memory, 0, 64, BERTH_MAP_READ | BERTH_MAP_WRITE, &low), IsOk());
  EXPECT_THAT(map(device, memory, 64, 64, BERTH_MAP_READ, &high), IsOk());
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(low) % 64, 0U);
  std::memcpy(low, "berth", 5);
  EXPECT_THAT(call(table().device->close, device.get()), HasCode(BERTH_FAILED_PRECONDITION));
  EXPECT_THAT(unmap(device, low), IsOk());
  EXPECT_THAT(unmap(device, high), IsOk());
  EXPECT_EQ(device.read(memory, 0, 5), "berth");
  device.free(memory);
}

TEST(MapTest, OtherMemoryIsPublishedByUnmap) {
  const Instance instance({{"kinds", "local, visible"}, {"devices", 1}});
  const Device device(instance);
  const berth_memory memory = device.allocate({.size = 8});
  device.write(memory, 0, "abcdefgh");
  void* pointer = nullptr;
  EXPECT_THAT(map(device, memory, 2, 4, BERTH_MAP_READ | BERTH_MAP_WRITE, &pointer), IsOk());
  EXPECT_EQ(std::memcmp(pointer, "cdef", 4), 0);
  std::memcpy(pointer, "XY", 2);
  EXPECT_EQ(device.read(memory, 0, 8), "abcdefgh");
  EXPECT_THAT(unmap(device, pointer), IsOk());
  EXPECT_EQ(device.read(memory, 0, 8), "abXYefgh");
  EXPECT_THAT(map(device, memory, 0, 4, BERTH_MAP_READ, &pointer), IsOk());
  std::memcpy(pointer, "lost", 4);
  EXPECT_THAT(unmap(device, pointer), IsOk());
  EXPECT_EQ(device.read(memory, 0, 8), "abXYefgh") << "a map for reading writes nothing";
  device.free(memory);
}

TEST(MapTest, RefusesHiddenKindsAndContradictions) {
  const Instance instance({{"kinds", "local, visible; local"}, {"devices", 1}});
  const Device device(instance);
  const berth_memory visible = device.allocate({.size = 8});
  const berth_memory hidden = device.allocate({.size = 8, .alignment = 0, .kind = 1});
  void* pointer = nullptr;
  EXPECT_THAT(map(device, hidden, 0, 8, BERTH_MAP_READ, &pointer),
              FailsWith(BERTH_FAILED_PRECONDITION, "map: memory of kind 1 is not visible to the host"));
  EXPECT_THAT(map(device, visible, 0, 8, 0, &pointer),
              FailsWith(BERTH_INVALID_ARGUMENT, "map: expected READ or WRITE, found neither"));
  EXPECT_THAT(map(device, visible, 0, 8, BERTH_MAP_READ | BERTH_MAP_DISCARD, &pointer),
              FailsWith(BERTH_INVALID_ARGUMENT, "map: DISCARD goes with WRITE and without READ"));
  EXPECT_THAT(map(device, visible, 0, 8, 8, &pointer),
              FailsWith(BERTH_NOT_UNDERSTOOD, "map: flags 0x8 are unknown, known are 0x7"));
  EXPECT_THAT(map(device, visible, 0, 0, BERTH_MAP_READ, &pointer), IsOk());
  EXPECT_EQ(pointer, nullptr);
  EXPECT_THAT(unmap(device, nullptr), IsOk());
  device.free(visible);
  device.free(hidden);
}

}  // namespace
}  // namespace berth::test
