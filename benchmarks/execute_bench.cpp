// What running a method costs beyond its kernels and copies: nanoseconds for each instruction, with do-nothing kernels,
// copies and delegates. Rounds are interleaved, each program twice: the second is the A/A line.
//
//   execute_bench [--check]      --check: exit code 1 when an instruction costs more than the bar
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "alternating.h"
#include "berth/core/device_driver.h"
#include "berth/core/device_registry.h"
#include "berth/module/module.h"

namespace {

using berth::AllocationRequest;
using berth::MemoryBlock;
using berth::Status;
using berth::module::Module;
using berth::module::Tensor;
using berth::module::Value;

constexpr double kBar = 40;  // nanoseconds

// A device that moves nothing.
class NoDriver final : public berth::DeviceDriver {
 public:
  NoDriver() {
    properties_.capabilities = static_cast<std::uint64_t>(berth::Capability::kFill);
    properties_.kinds.push_back({.min_alignment = 64, .max_alignment = 4096});
    properties_.heaps.push_back({});
  }
  [[nodiscard]] const berth::DeviceProperties& properties() const noexcept override { return properties_; }
  Status allocate(const AllocationRequest& request, MemoryBlock& out) noexcept override {
    out = {.handle = ++last_, .address = 0, .size = request.bytes, .kind = 0, .has_address = false};
    return {};
  }
  Status free(const MemoryBlock&) noexcept override { return {}; }
  Status copy_to_device(const MemoryBlock&, std::uint64_t, const void*, std::uint64_t) noexcept override { return {}; }
  Status copy_to_host(void*, const MemoryBlock&, std::uint64_t, std::uint64_t) noexcept override { return {}; }
  Status fill(const MemoryBlock&, std::uint64_t, std::uint64_t, std::uint8_t) noexcept override { return {}; }

 private:
  berth::DeviceProperties properties_;
  std::uint64_t last_ = 0;
};

std::shared_ptr<berth::DeviceRegistry> make_registry() {
  auto registry = std::make_shared<berth::DeviceRegistry>();
  for (std::int32_t index = 0; index < 2; ++index) {
    berth::DeviceOptions options;
    options.id = {"cuda", index};
    options.identity.key = "bench/" + std::to_string(index);
    const auto device = berth::Device::create(std::move(options), std::make_unique<NoDriver>());
    (void)registry->add({"cuda", index}, [device] { return device; });
  }
  return registry;
}

Status no_kernel(berth::module::KernelContext&, std::span<Value* const>) { return {}; }

class NoDelegate final : public berth::module::Delegate {
 public:
  Status execute(berth::module::ExecContext&, std::span<Value* const>) override { return {}; }
};

struct Run {
  std::string name;
  std::unique_ptr<Module> module;
  std::vector<Value> inputs;
  std::vector<Value> outputs;
  std::size_t instructions = 0;
};

Run prepare(const std::string& name, const std::shared_ptr<berth::DeviceRegistry>& registry, bool copies) {
  const std::string file = BERTH_BENCH_SOURCE_DIR "/tests/data/device/" + name + ".pte";
  const auto program = berth::program::Program::open(file).value();
  const auto& plan = program->methods()[0];
  auto kernels = std::make_shared<berth::module::KernelTable>();
  auto delegates = std::make_shared<berth::module::DelegateTable>();
  auto copy_operators = std::make_shared<berth::module::CopyOperators>();
  for (const auto& entry : plan.operators) {
    const bool copy = berth::module::CopyOperators::standard().find(entry.name, entry.overload) != nullptr;
    (void)(copy ? copy_operators->add(entry.name, entry.overload, no_kernel)
                : kernels->add(entry.name, entry.overload, no_kernel));
  }
  for (const auto& entry : plan.delegates) {
    (void)delegates->add(entry.id, [](auto, auto, auto&) -> berth::Result<std::unique_ptr<berth::module::Delegate>> {
      return std::make_unique<NoDelegate>();
    });
  }
  berth::module::ModuleOptions options;
  options.kernels = std::move(kernels);
  options.delegates = std::move(delegates);
  if (!copies) options.copy_operators = std::move(copy_operators);
  Run run;
  run.name = name + (copies ? ", copies" : "");
  run.module = Module::load(program, registry, std::move(options)).value();
  for (const std::int32_t index : plan.inputs) {
    const auto& tensor = plan.tensors[static_cast<std::size_t>(plan.values[static_cast<std::size_t>(index)].integer)];
    run.inputs.push_back(Value::of_tensor(Tensor::empty(tensor.scalar_type, tensor.sizes).value()));
  }
  run.outputs.resize(plan.outputs.size());
  for (const auto& chain : plan.chains) run.instructions += chain.size();
  return run;
}

}  // namespace

int main(int argc, char** argv) {
  const bool check = argc > 1 && std::strcmp(argv[1], "--check") == 0;
  const auto registry = make_registry();
  std::vector<Run> runs;
  for (const bool copies : {false, true}) {
    for (const char* name : {"add_cuda0", "chain_cuda0_cuda1", "chain_same_device", "transformer_2dev"}) {
      runs.push_back(prepare(name, registry, copies));
    }
  }
  bool failed = false;
  std::vector<berth::bench::Variant> variants;
  for (int twice = 0; twice < 2; ++twice) {
    for (Run& run : runs) {
      variants.push_back({run.name, [&run, &failed](std::size_t operations) {
                            for (std::size_t i = 0; i < operations; ++i) {
                              failed = !run.module->execute("forward", run.inputs, run.outputs).ok() || failed;
                            }
                          }});
    }
  }
  const std::vector<double> medians = berth::bench::alternate(variants, 200, 1000);
  std::printf("%-28s %12s %10s %14s %6s\n", "program", "instructions", "run ns", "ns/instruction", "A/A");
  bool slow = false;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const double each = medians[i] / static_cast<double>(runs[i].instructions);
    const bool copies = i >= runs.size() / 2;
    slow = slow || (!copies && each > kBar);
    std::printf("%-28s %12zu %10.1f %14.1f %6.2f\n", runs[i].name.c_str(), runs[i].instructions, medians[i], each,
                medians[runs.size() + i] / medians[i]);
  }
  std::printf("bar: %.0f ns for an instruction, inputs and outputs included, without copies%s\n", kBar,
              failed ? "; A RUN FAILED" : "");
  return failed || (check && slow) ? 1 : 0;
}
