// Every truncation and every single-bit flip of two programs goes the whole way: open, load each method, run it with
// ones, unload. Nothing may crash, hang, leave memory behind or take more than the limits allow; what is refused says
// what and where. The mutations of a file are dealt out to shards, so that ctest runs them side by side.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "berth/loader/load_registry.h"
#include "berth/module/module.h"
#include "berth/reference/delegates.h"
#include "berth/reference/kernels.h"
#include "berth/test/ones.h"
#include "berth/test/temp_dir.h"

namespace berth {
namespace {

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;
constexpr std::uint64_t kMaxInstructions = 1000;
// Allocators keep what was freed for the next time. A registry that has held more than this gives way to a new one, so
// that the resident size is that of one run.
constexpr std::uint64_t kLarge = std::uint64_t{16} << 20;

constexpr const char* kRegistryFile = R"(version = 1
[host]
limit = "1GiB"
[[plugin]]
name = "mock"
file = "cpu_mock"
options = { devices = 1, capacity = "1GiB" }
[[device]]
id = "cuda:0"
plugin = "mock"
)";

std::vector<std::byte> read_file(const std::string& name) {
  std::ifstream file(std::string(BERTH_TEST_DATA_DIR "/") + name, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

// The most that this process ever had resident, in bytes.
std::uint64_t peak_resident() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

enum class Stage { kOpen, kLoad, kInputs, kExecute, kRan };
constexpr std::size_t kStages = 5;
constexpr std::array<const char*, kStages> kStageNames = {"refused_at_open", "refused_at_load", "no_inputs",
                                                          "failed_at_execute", "ran"};

// File and shard: the mutations whose number leaves `shard` when divided by `shards`.
struct Part {
  const char* file;
  std::size_t shard;
  std::size_t shards;
};

std::string part_name(const Part& part) {
  std::string name = std::filesystem::path(part.file).stem().string();
  std::erase(name, '_');
  return name + "Shard" + std::to_string(part.shard);
}

void PrintTo(const Part& part, std::ostream* out) { *out << part_name(part); }

class WholeMutationTest : public testing::TestWithParam<Part> {
 protected:
  WholeMutationTest() {
    registry_ = make_registry();
    auto kernels = std::make_shared<module::KernelTable>();
    auto delegates = std::make_shared<module::DelegateTable>();
    EXPECT_TRUE(reference::add_reference_kernels(*kernels).ok());
    EXPECT_TRUE(reference::add_reference_delegates(*delegates).ok());
    options_.kernels = std::move(kernels);
    options_.delegates = std::move(delegates);
    options_.max_instructions = kMaxInstructions;
    bytes_ = read_file(GetParam().file);
  }

  [[nodiscard]] std::shared_ptr<DeviceRegistry> make_registry() const {
    loader::RegistryOptions options;
    options.path = folder_.write("devices.toml", kRegistryFile).string();
    options.environment = [](std::string_view) { return std::nullopt; };
    options.install_folder = BERTH_TEST_PLUGIN_DIR;
    auto loaded = loader::load_registry(options);
    if (!loaded.has_value()) throw std::runtime_error(loaded.error().message());
    return loaded->registry();
  }

  // Takes these bytes as far as they go; the furthest stage at which all went well, or the first that failed.
  Stage run(std::span<const std::byte> bytes) {
    const auto program = program::Program::from_bytes(bytes, "mutant.pte");
    if (!program.has_value()) return refused(program.error(), Stage::kOpen);
    auto module = module::Module::load(*program, registry_, options_);
    if (!module.has_value()) return refused(module.error(), Stage::kOpen);
    Stage worst = Stage::kRan;
    for (const std::string_view method : (*module)->method_names()) {
      worst = std::min(worst, run_method(**module, method));
    }
    return worst;
  }

  // Nothing is left; what was large is let go.
  void expect_clean() {
    for (const auto& report : registry_->leaks()) {
      ADD_FAILURE() << "left on " << report.id.to_string() << ": " << report.usage.front().bytes << " bytes of "
                    << report.usage.front().owner;
    }
    for (const DeviceId& id : registry_->ids()) {
      const auto device = registry_->find_open(id);
      if (device == nullptr || device->statistics().peak_bytes <= kLarge) continue;
      registry_ = make_registry();
      return;
    }
  }

  test::TempDir folder_;
  std::shared_ptr<DeviceRegistry> registry_;
  module::ModuleOptions options_;
  std::vector<std::byte> bytes_;

 private:
  Stage run_method(module::Module& module, std::string_view method) {
    if (const Status status = module.load_method(method); !status.ok()) return refused(status, Stage::kLoad);
    const auto inputs = test::ones_for(module, method);
    if (!inputs.has_value()) return refused(inputs.error(), Stage::kInputs);
    const auto outputs = module.execute(method, *inputs);
    if (!outputs.has_value()) return refused(outputs.error(), Stage::kExecute);
    const Status unloaded = module.unload_method(method);
    EXPECT_TRUE(unloaded.ok()) << unloaded.message();
    return Stage::kRan;
  }

  static Stage refused(const Status& status, Stage stage) {
    EXPECT_FALSE(status.info().what.empty()) << status.message();
    EXPECT_FALSE(status.info().where.empty()) << status.message();
    EXPECT_NE(status.origin(), Origin::kInternal) << status.message();
    return stage;
  }
};

TEST_P(WholeMutationTest, EndsInAStatusOrARun) {
  const auto [file, shard, shards] = GetParam();
  ASSERT_EQ(run(bytes_), Stage::kRan) << "the file itself must run";
  const std::uint64_t before = peak_resident();
  std::array<std::size_t, kStages> counts{};
  const auto count = [&](std::span<const std::byte> bytes) {
    ++counts[static_cast<std::size_t>(run(bytes))];
    expect_clean();
  };
  for (std::size_t size = shard; size < bytes_.size(); size += shards) {
    SCOPED_TRACE("truncated to " + std::to_string(size) + " bytes");
    count(std::span(bytes_).first(size));
  }
  for (std::size_t bit = shard; bit < bytes_.size() * 8; bit += shards) {
    SCOPED_TRACE("bit " + std::to_string(bit % 8) + " of byte " + std::to_string(bit / 8) + " flipped");
    bytes_[bit / 8] ^= std::byte{1} << bit % 8;
    count(bytes_);
    bytes_[bit / 8] ^= std::byte{1} << bit % 8;
  }
  for (std::size_t stage = 0; stage < kStages; ++stage) {
    RecordProperty(kStageNames[stage], static_cast<int>(counts[stage]));
  }
  EXPECT_LT(peak_resident() - before, kGiB);
  EXPECT_GT(counts[static_cast<std::size_t>(Stage::kOpen)], bytes_.size() / shards);
  EXPECT_GT(counts[static_cast<std::size_t>(Stage::kRan)], 0U);
}

std::vector<Part> parts() {
  constexpr std::size_t kShards = 4;
  std::vector<Part> all;
  for (const char* const file : {"add_cuda0.pte", "state_cuda0.pte"}) {
    for (std::size_t shard = 0; shard < kShards; ++shard) all.push_back({file, shard, kShards});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Files, WholeMutationTest, testing::ValuesIn(parts()),
                         [](const auto& part) { return part_name(part.param); });

}  // namespace
}  // namespace berth
