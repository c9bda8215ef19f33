// What tests of Module share: a registry with two fake devices, a few kernels, and a delegate that adds.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "berth/module/module.h"
#include "berth/test/fake_driver.h"
#include "berth/test/program_builder.h"

namespace berth::module {

using test::FakeCall;
using test::FakeControl;
using test::kCuda;
using test::MethodBuilder;
using test::ProgramBuilder;
using test::TensorSpec;

// What the test delegate saw, kept by the test.
struct DelegateLog {
  int made = 0;
  int destroyed = 0;
  int executed = 0;
  std::vector<std::string> targets;
  std::vector<std::string> blobs;
  std::uint64_t live_bytes_at_destruction = 0;
};

class ModuleTest : public testing::Test {
 protected:
  ModuleTest();

  // Registers more in these before the first load().
  KernelTable kernels_;
  DelegateTable delegates_;

  [[nodiscard]] ModuleOptions options() const;
  // The program must be good.
  [[nodiscard]] std::unique_ptr<Module> load(const ProgramBuilder& builder);
  [[nodiscard]] std::unique_ptr<Module> load(const ProgramBuilder& builder, ModuleOptions options);
  // tests/data/device/NAME.pte
  [[nodiscard]] std::unique_ptr<Module> load_file(std::string_view name);
  [[nodiscard]] std::int64_t live_blocks() const { return cuda0_->live_blocks + cuda1_->live_blocks; }

  std::shared_ptr<FakeControl> cuda0_ = std::make_shared<FakeControl>();
  std::shared_ptr<FakeControl> cuda1_ = std::make_shared<FakeControl>();
  std::shared_ptr<Device> device0_ = test::make_fake_device(cuda0_, "cuda:0");
  std::shared_ptr<Device> device1_ = test::make_fake_device(cuda1_, "cuda:1");
  std::shared_ptr<DeviceRegistry> registry_ = std::make_shared<DeviceRegistry>();
  std::shared_ptr<DelegateLog> log_ = std::make_shared<DelegateLog>();
};

// Host tensors and what is in any tensor.
[[nodiscard]] Value floats(std::vector<std::int32_t> sizes, std::vector<float> elements);
[[nodiscard]] std::vector<float> floats_of(const Value& value);
[[nodiscard]] std::string message_of(const Status& status);

// add: y = a + b on the host. Values: inputs a, b; output y.
void build_host_add(ProgramBuilder& builder);
// As the exporter writes a delegate on cuda:0 that adds: two copies there, one back. Memory ids 1 (host), 2 (cuda:0).
void build_device_add(ProgramBuilder& builder, std::string_view method = "forward");

// An array of the corpus beside its programs, e.g. "add_cuda0.forward.input0".
[[nodiscard]] Tensor corpus_array(std::string_view name);

}  // namespace berth::module
