// Copies between devices and the native extension.
#include "queue_harness.h"

namespace berth::test {
namespace {

struct Pair {
  explicit Pair(const Options& options) : instance(options), a(instance, 0), b(instance, 1) {
    from = a.allocate({.size = 4});
    to = b.allocate({.size = 4});
    a.write(from, 0, "abcd");
    b.write(to, 0, "....");
  }
  ~Pair() {
    a.free(from);
    b.free(to);
  }
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;

  Outcome copy() const {
    return call(table().peer->copy_between, b.get(), &to, std::uint64_t{1}, a.get(), &from, std::uint64_t{0},
                std::uint64_t{3});
  }
  std::uint32_t can() const {
    std::uint32_t answer = 7;
    EXPECT_THAT(call(table().peer->can_access, b.get(), a.get(), &answer), IsOk());
    return answer;
  }

  Instance instance;
  Device a;
  Device b;
  berth_memory from{};
  berth_memory to{};
};

TEST(PeerTest, CopiesBetweenDevices) {
  const Pair pair(Options{{"devices", 2}});
  EXPECT_EQ(pair.can(), 1U);
  EXPECT_THAT(pair.copy(), IsOk());
  EXPECT_EQ(pair.b.read(pair.to, 0, 4), ".abc");
}

TEST(PeerTest, PairsCanBeKeptApart) {
  const Pair apart({{"devices", 3}, {"peers", "0-2"}});
  EXPECT_EQ(apart.can(), 0U);
  EXPECT_THAT(apart.copy(), FailsWith(BERTH_FAILED_PRECONDITION, "devices 1 and 0 are no peers"));
  const Pair together({{"devices", 3}, {"peers", "0-2, 1-0"}});
  EXPECT_EQ(together.can(), 1U);
}

TEST(PeerTest, ACopyCanMoveNothing) {
  const Pair pair({{"devices", 2}, {"faults", "copy_between=NOTHING"}});
  EXPECT_THAT(pair.copy(), IsOk());
  EXPECT_EQ(pair.b.read(pair.to, 0, 4), "....");
}

TEST(PeerTest, ALostSourceIsLost) {
  const Pair pair({{"devices", 2}, {"faults", "to_host@0=DEVICE_LOST"}});
  std::string out;
  EXPECT_THAT(pair.a.try_read(pair.from, 0, 1, out), HasCode(BERTH_DEVICE_LOST));
  EXPECT_THAT(pair.copy(), FailsWith(BERTH_DEVICE_LOST, "device 0 is lost; close it and open it again"));
}

TEST(QueuePeerTest, CopiesInQueueOrder) {
  const Pair pair(Options{{"devices", 2}});
  const Queue queue(pair.b);
  EXPECT_THAT(queue.fill(pair.to, 0, 4, 'x'), IsOk());
  EXPECT_THAT(call(table().queue_peer->copy_between, queue.get(), pair.b.get(), &pair.to, std::uint64_t{1},
                   pair.a.get(), &pair.from, std::uint64_t{0}, std::uint64_t{3}),
              IsOk());
  EXPECT_THAT(queue.synchronize(), IsOk());
  EXPECT_EQ(pair.b.read(pair.to, 0, 4), "xabc");
}

const berth_native* native_of(const Instance& instance, const Device& device, const char* name = BERTH_NATIVE_NAME,
                              std::uint32_t version = BERTH_NATIVE_VERSION) {
  return static_cast<const berth_native*>(table().instance->get_extension(instance.get(), device.get(), name, version));
}

TEST(NativeTest, GivesTheHostPointerToTheBytes) {
  const Instance instance({{"devices", 1}, {"strict", true}});
  const Device device(instance);
  const berth_native* const native = native_of(instance, device);
  ASSERT_NE(native, nullptr);
  const berth_memory memory = device.allocate({.size = 4});
  device.write(memory, 0, "abcd");
  berth_native_object object{};
  object.struct_size = sizeof(object);
  EXPECT_THAT(call(native->memory, device.get(), &memory, &object), IsOk());
  EXPECT_STREQ(object.api, "host");
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(object.value[0]), 4), "abcd");
  EXPECT_NE(object.value[0], memory.address);
  EXPECT_THAT(call(native->device, device.get(), &object), IsOk());
  EXPECT_EQ(object.value[0], 0U);
  {
    const Queue queue(device);
    EXPECT_THAT(call(native->queue, queue.get(), &object), IsOk());
  }
  device.free(memory);
}

TEST(NativeTest, IsFoundByNameAndExactVersionOnly) {
  const Instance instance;
  const Device device(instance);
  EXPECT_EQ(native_of(instance, device, "berth.nativ"), nullptr);
  EXPECT_EQ(native_of(instance, device, BERTH_NATIVE_NAME, 2), nullptr);
  const Instance without(Options{{"without", "native"}});
  const Device other(without);
  EXPECT_EQ(native_of(without, other), nullptr);
}

}  // namespace
}  // namespace berth::test
