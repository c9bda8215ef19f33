// What guard, ledger, budget and DeviceBuffer add to a driver's own allocate + free, with 64 live blocks: first in a
// process that never had a second thread (glibc then elides atomics in its locks), then after one has existed, as
// multiples of locking and unlocking a mutex. Prints these lines, then runs the registered benchmarks.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "alternating.h"
#include "berth/core/device_buffer.h"
#include "berth/core/device_driver.h"
#include "berth/core/device_registry.h"

namespace {

using berth::AllocationRequest;
using berth::Device;
using berth::DeviceBuffer;
using berth::DeviceDriver;
using berth::DeviceId;
using berth::DeviceProperties;
using berth::DeviceRegistry;
using berth::MemoryBlock;
using berth::Status;

constexpr std::size_t kLive = 64;
constexpr std::uint64_t kBytes = 4096;

constexpr std::size_t kFewAddresses = 2 * kLive;
constexpr std::size_t kManyAddresses = 64 * kLive;

// Hands out blocks of one size in rotation, so that addresses do not repeat at once; holds no memory. With many
// addresses the ledger has forgotten one before it comes back.
class RotatingDriver final : public DeviceDriver {
 public:
  explicit RotatingDriver(std::size_t addresses) : ring_(addresses) {
    properties_.kinds.push_back({.has_address = true, .min_alignment = 64, .max_alignment = 4096});
    properties_.heaps.push_back({});
    for (std::size_t i = 0; i < ring_.size(); ++i) ring_[i] = 0x10000 + i * kBytes;
  }
  const DeviceProperties& properties() const noexcept override { return properties_; }
  Status allocate(const AllocationRequest& request, MemoryBlock& out) noexcept override {
    const std::uint64_t address = ring_[taken_++ % ring_.size()];
    out = {.handle = address + 1, .address = address, .size = request.bytes, .kind = 0, .has_address = true};
    return {};
  }
  Status free(const MemoryBlock& block) noexcept override {
    ring_[given_++ % ring_.size()] = block.address;
    return {};
  }
  Status copy_to_device(const MemoryBlock&, std::uint64_t, const void*, std::uint64_t) noexcept override { return {}; }
  Status copy_to_host(void*, const MemoryBlock&, std::uint64_t, std::uint64_t) noexcept override { return {}; }

 private:
  DeviceProperties properties_;
  std::vector<std::uint64_t> ring_;
  std::size_t taken_ = 0;
  std::size_t given_ = 0;
};

// A sequence in which the blocks are replaced: scattered, and the same for every variant.
std::size_t scatter(std::size_t step) { return (step * 2654435761u >> 7) % kLive; }

class Bare {
 public:
  explicit Bare(std::unique_ptr<DeviceDriver> driver) : driver_(std::move(driver)), blocks_(kLive) {
    for (MemoryBlock& block : blocks_) (void)driver_->allocate({.bytes = kBytes}, block);
  }
  void run(std::size_t operations) {
    for (std::size_t i = 0; i < operations; ++i) {
      MemoryBlock& block = blocks_[scatter(step_++)];
      (void)driver_->free(block);
      (void)driver_->allocate({.bytes = kBytes, .alignment = 64}, block);
      benchmark::DoNotOptimize(block);
    }
  }

 private:
  std::unique_ptr<DeviceDriver> driver_;
  std::vector<MemoryBlock> blocks_;
  std::size_t step_ = 0;
};

std::shared_ptr<Device> make_device(const DeviceId& id, std::optional<std::uint64_t> limit,
                                    std::size_t addresses = kFewAddresses) {
  berth::DeviceOptions options;
  options.id = id;
  options.limit = limit;
  return Device::create(std::move(options), std::make_unique<RotatingDriver>(addresses));
}

class Guarded {
 public:
  explicit Guarded(std::optional<std::uint64_t> limit, std::size_t addresses = kFewAddresses) : buffers_(kLive) {
    (void)registry_.add(id_, [this, limit, addresses] { return make_device(id_, limit, addresses); });
    device_ = *registry_.find(id_);
    owner_ = {.id = device_->intern_owner("bench"), .part = 1};
    for (DeviceBuffer& buffer : buffers_) buffer = *DeviceBuffer::allocate(device_, {.bytes = kBytes}, owner_);
  }
  void run(std::size_t operations) {
    for (std::size_t i = 0; i < operations; ++i) replace(device_);
  }
  void run_with_find(std::size_t operations) {
    for (std::size_t i = 0; i < operations; ++i) replace(*registry_.find(id_));
  }

 private:
  void replace(const std::shared_ptr<Device>& device) {
    DeviceBuffer& buffer = buffers_[scatter(step_++)];
    buffer = DeviceBuffer();
    buffer = *DeviceBuffer::allocate(device, {.bytes = kBytes, .alignment = 64}, owner_);
    benchmark::DoNotOptimize(buffer);
  }

  DeviceRegistry registry_;
  DeviceId id_{.type = "bench", .index = 0};
  std::shared_ptr<Device> device_;
  berth::Owner owner_;
  std::vector<DeviceBuffer> buffers_;
  std::size_t step_ = 0;
};

void lock_pairs(std::mutex& mutex, std::size_t operations) {
  for (std::size_t i = 0; i < operations; ++i) {
    mutex.lock();
    benchmark::DoNotOptimize(mutex);
    mutex.unlock();
  }
}

void report(const char* title) {
  Bare bare(std::make_unique<RotatingDriver>(kFewAddresses));
  Bare bare_again(std::make_unique<RotatingDriver>(kFewAddresses));
  Guarded guarded(std::nullopt);
  Guarded limited(std::uint64_t{1} << 30);
  Guarded found(std::nullopt);
  Guarded fresh(std::nullopt, kManyAddresses);
  std::mutex mutex;
  const std::vector<double> ns =
      berth::bench::alternate({{"bare", [&](std::size_t n) { bare.run(n); }},
                               {"bare again (A/A)", [&](std::size_t n) { bare_again.run(n); }},
                               {"guarded", [&](std::size_t n) { guarded.run(n); }},
                               {"guarded, limit", [&](std::size_t n) { limited.run(n); }},
                               {"guarded, find each time", [&](std::size_t n) { found.run_with_find(n); }},
                               {"guarded, new addresses", [&](std::size_t n) { fresh.run(n); }},
                               {"mutex", [&](std::size_t n) { lock_pairs(mutex, n); }}},
                              3001, 512);
  const double mutex_ns = ns[6];
  std::printf("%s\n", title);
  std::printf("  A/A bare/bare                    %6.3f\n", ns[1] / ns[0]);
  std::printf("  mutex lock + unlock              %6.1f ns\n", mutex_ns);
  std::printf("  driver alone                     %6.1f ns\n", ns[0]);
  const auto added = [&](const char* name, double value) {
    std::printf("  %-32s %6.1f ns, adds %5.1f ns = %5.2f mutex pairs\n", name, value, value - ns[0],
                (value - ns[0]) / mutex_ns);
  };
  added("with DeviceBuffer", ns[2]);
  added("with DeviceBuffer and a limit", ns[3]);
  added("with find() and DeviceBuffer", ns[4]);
  added("with DeviceBuffer, new addresses", ns[5]);
}

void find_open_device(benchmark::State& state) {
  DeviceRegistry registry;
  const DeviceId id{.type = "bench", .index = 0};
  (void)registry.add(id, [&] { return make_device(id, std::nullopt); });
  for (auto _ : state) benchmark::DoNotOptimize(registry.find(id));
}
BENCHMARK(find_open_device);

void host_allocate_and_free(benchmark::State& state) {
  DeviceRegistry registry;
  for (auto _ : state) {
    auto buffer = DeviceBuffer::allocate(registry.host(), {.bytes = static_cast<std::uint64_t>(state.range(0))});
    benchmark::DoNotOptimize(buffer);
  }
}
BENCHMARK(host_allocate_and_free)->Arg(64)->Arg(4096)->Arg(1 << 20);

// Many live blocks: what the tree and the table cost when they are large.
void allocate_among(benchmark::State& state) {
  DeviceRegistry registry;
  std::vector<DeviceBuffer> live;
  for (std::int64_t i = 0; i < state.range(0); ++i) {
    live.push_back(*DeviceBuffer::allocate(registry.host(), {.bytes = 64}));
  }
  std::size_t step = 0;
  for (auto _ : state) {
    DeviceBuffer& buffer = live[(step++ * 2654435761u >> 7) % live.size()];
    buffer = DeviceBuffer();
    buffer = *DeviceBuffer::allocate(registry.host(), {.bytes = 64});
  }
}
BENCHMARK(allocate_among)->Arg(64)->Arg(1000)->Arg(10000);

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  report("allocate + free, 64 live blocks, a process that never had a second thread");
  std::thread([] {}).join();
  report("allocate + free, 64 live blocks, after a second thread has existed");
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
