// What a verified load costs: opening a program and loading all its methods, over reading the same bytes and running
// FlatBuffers' verifier on them. Do-nothing kernels and delegates, devices open before, teardown excluded, programs of
// tests/data/device. Rounds are interleaved: reading, loading, reading again; the second reading is the A/A line.
//
//   load_bench [--rounds N] [--only NAME] [--check]      --check: exit code 1 when a bar is missed
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "berth/core/device_driver.h"
#include "berth/core/device_registry.h"
#include "berth/module/module.h"
#include "program_generated.h"

namespace {

using berth::AllocationRequest;
using berth::MemoryBlock;
using berth::Status;
using berth::module::Module;
using Clock = std::chrono::steady_clock;

constexpr double kMeanBar = 1.3;
constexpr double kWorstBar = 1.6;

// A device in host memory that hands freed blocks out again, so that what is measured is not malloc.
class BenchDriver final : public berth::DeviceDriver {
 public:
  BenchDriver() {
    properties_.capabilities = static_cast<std::uint64_t>(berth::Capability::kFill);
    properties_.kinds.push_back({.has_address = true, .min_alignment = 64, .max_alignment = 4096});
    properties_.heaps.push_back({});
    for (auto& block : spare_) block = std::aligned_alloc(64, kBlock);
    count_ = spare_.size();
  }
  [[nodiscard]] const berth::DeviceProperties& properties() const noexcept override { return properties_; }
  Status allocate(const AllocationRequest& request, MemoryBlock& out) noexcept override {
    if (request.bytes > kBlock || count_ == 0) std::abort();  // larger than any program of the corpus
    const auto address = reinterpret_cast<std::uintptr_t>(spare_[--count_]);
    out = {.handle = address, .address = address, .size = request.bytes, .kind = 0, .has_address = true};
    return {};
  }
  Status free(const MemoryBlock& block) noexcept override {
    spare_[count_++] = at(block);
    return {};
  }
  Status copy_to_device(const MemoryBlock& target, std::uint64_t offset, const void* source,
                        std::uint64_t bytes) noexcept override {
    std::memcpy(at(target) + offset, source, bytes);
    return {};
  }
  Status copy_to_host(void* target, const MemoryBlock& source, std::uint64_t offset,
                      std::uint64_t bytes) noexcept override {
    std::memcpy(target, at(source) + offset, bytes);
    return {};
  }
  Status fill(const MemoryBlock& target, std::uint64_t offset, std::uint64_t bytes,
              std::uint8_t value) noexcept override {
    std::memset(at(target) + offset, value, bytes);
    return {};
  }

 private:
  static constexpr std::size_t kBlock = std::size_t{1} << 20;
  static char* at(const MemoryBlock& block) { return reinterpret_cast<char*>(block.address); }
  berth::DeviceProperties properties_;
  std::array<void*, 32> spare_ = {};
  std::size_t count_ = 0;
};

std::shared_ptr<berth::DeviceRegistry> make_registry() {
  auto registry = std::make_shared<berth::DeviceRegistry>();
  for (std::int32_t index = 0; index < 2; ++index) {
    berth::DeviceOptions options;
    options.id = {"cuda", index};
    options.identity.key = "bench/" + std::to_string(index);
    const auto device = berth::Device::create(std::move(options), std::make_unique<BenchDriver>());
    (void)registry->add({"cuda", index}, [device] { return device; });
    (void)registry->find({"cuda", index});
  }
  return registry;
}

Status no_kernel(berth::module::KernelContext&, std::span<berth::module::Value* const>) { return {}; }

class NoDelegate final : public berth::module::Delegate {
 public:
  Status execute(berth::module::ExecContext&, std::span<berth::module::Value* const>) override { return {}; }
};

berth::module::ModuleOptions make_options(const std::vector<std::filesystem::path>& files) {
  auto kernels = std::make_shared<berth::module::KernelTable>();
  auto delegates = std::make_shared<berth::module::DelegateTable>();
  const auto make = [](auto, auto, auto&) -> berth::Result<std::unique_ptr<berth::module::Delegate>> {
    return std::make_unique<NoDelegate>();
  };
  for (const auto& file : files) {
    const auto program = berth::program::Program::open(file);
    if (!program.has_value()) continue;
    for (const auto& method : (*program)->methods()) {
      for (const auto& entry : method.operators) (void)kernels->add(entry.name, entry.overload, no_kernel);
      for (const auto& entry : method.delegates) (void)delegates->add(entry.id, make);
    }
  }
  berth::module::ModuleOptions options;
  options.kernels = std::move(kernels);
  options.delegates = std::move(delegates);
  return options;
}

// The whole file, into memory that stays warm; what any reader must do.
std::size_t read_file(const char* path, std::vector<std::uint8_t>& buffer) {
  const int file = ::open(path, O_RDONLY | O_CLOEXEC);
  struct stat info = {};
  ::fstat(file, &info);
  const auto size = static_cast<std::size_t>(info.st_size);
  if (buffer.size() < size) buffer.resize(size);
  const ssize_t got = ::read(file, buffer.data(), size);
  ::close(file);
  return got < 0 ? 0 : static_cast<std::size_t>(got);
}

bool read_and_verify(const char* path, std::vector<std::uint8_t>& buffer) {
  std::size_t size = read_file(path, buffer);
  std::uint64_t program_size = size;
  if (size >= 24 && std::memcmp(buffer.data() + 8, "eh00", 4) == 0) {
    std::memcpy(&program_size, buffer.data() + 16, sizeof(program_size));
  }
  flatbuffers::Verifier verifier(buffer.data(), std::min<std::uint64_t>(size, program_size));
  return berth::program::wire::VerifyProgramBuffer(verifier);
}

double since(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

double median(std::vector<double>& samples) {
  const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
  std::nth_element(samples.begin(), middle, samples.end());
  return *middle;
}

struct Line {
  double baseline = 0;  // reading and FlatBuffers' verifier
  double again = 0;
  double open = 0;  // of ours, the part that reads and verifies the program
  double ours = 0;
  bool failed = false;
};

struct Spent {
  double open = 0;
  double all = 0;
};

Spent load_once(const std::filesystem::path& file, const std::shared_ptr<berth::DeviceRegistry>& registry,
                const berth::module::ModuleOptions& options, bool& failed) {
  Spent spent;
  const auto start = Clock::now();
  auto module = Module::load(file, registry, options);
  if (!module.has_value()) {
    failed = true;
    return spent;
  }
  spent.open = since(start);
  for (const auto& method : (*module)->program()->methods()) {
    if (!(*module)->load_method(method.name).ok()) failed = true;
  }
  spent.all = since(start);  // teardown comes after
  return spent;
}

Line measure(const std::filesystem::path& file, const std::shared_ptr<berth::DeviceRegistry>& registry,
             berth::module::ModuleOptions options, int rounds) {
  std::filesystem::path data = file;
  if (std::filesystem::exists(data.replace_extension(".ptd"))) {
    options.data_files.push_back(berth::program::DataFile::open(data).value());
  }
  std::vector<double> baseline, again, open, ours;
  std::vector<std::uint8_t> buffer(1 << 18);
  Line line;
  for (int round = 0; round < rounds + 20; ++round) {
    auto start = Clock::now();
    bool good = read_and_verify(file.c_str(), buffer);
    const double first = since(start);
    const Spent loaded = load_once(file, registry, options, line.failed);
    start = Clock::now();
    good = read_and_verify(file.c_str(), buffer) && good;
    const double second = since(start);
    line.failed = line.failed || !good;
    if (round < 20) continue;  // warm
    // What follows a load finds other caches than what follows a reading: either place counts the same.
    baseline.push_back(round % 2 == 0 ? first : second);
    again.push_back(round % 2 == 0 ? second : first);
    open.push_back(loaded.open);
    ours.push_back(loaded.all);
  }
  line.baseline = median(baseline);
  line.again = median(again);
  line.open = median(open);
  line.ours = median(ours);
  return line;
}

}  // namespace

int main(int argc, char** argv) {
  int rounds = 2000;
  bool check = false;
  std::string only;
  for (int i = 1; i < argc; ++i) {
    if (std::string(argv[i]) == "--check") check = true;
    if (std::string(argv[i]) == "--rounds" && i + 1 < argc) rounds = std::atoi(argv[++i]);
    if (std::string(argv[i]) == "--only" && i + 1 < argc) only = argv[++i];
  }
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(BERTH_BENCH_SOURCE_DIR "/tests/data/device")) {
    if (entry.path().extension() == ".pte" && (only.empty() || entry.path().stem() == only))
      files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  const auto registry = make_registry();
  const auto options = make_options(files);
  std::printf("%-28s %8s %8s %8s %6s %6s\n", "program", "read us", "open us", "load us", "ratio", "A/A");
  double sum = 0, sum_again = 0, worst = 0;
  bool failed = files.empty();
  for (const auto& file : files) {
    const Line line = measure(file, registry, options, rounds);
    const double ratio = line.ours / line.baseline;
    sum += std::log(ratio);
    sum_again += std::log(line.again / line.baseline);
    worst = std::max(worst, ratio);
    failed = failed || line.failed;
    std::printf("%-28s %8.2f %8.2f %8.2f %6.2f %6.2f%s\n", file.stem().c_str(), line.baseline, line.open, line.ours,
                ratio, line.again / line.baseline, line.failed ? "  FAILED" : "");
  }
  const double mean = std::exp(sum / static_cast<double>(files.size()));
  std::printf("geometric mean %.3f (bar %.2f), worst %.2f (bar %.2f), A/A %.3f\n", mean, kMeanBar, worst, kWorstBar,
              std::exp(sum_again / static_cast<double>(files.size())));
  return failed || (check && (mean > kMeanBar || worst > kWorstBar)) ? 1 : 0;
}
