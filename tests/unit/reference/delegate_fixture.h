// What tests of delegates share: a registry with a fake cuda:0, the reference kernels and delegates, and programs that
// call one delegate.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "berth/module/module.h"
#include "berth/test/fake_driver.h"
#include "berth/test/program_builder.h"

namespace berth::reference {

using module::CopyCause;
using module::CopyDirection;
using module::Module;
using module::Tensor;
using module::Value;
using test::kCuda;
using test::MethodBuilder;
using test::ProgramBuilder;

class DelegateTest : public testing::Test {
 protected:
  DelegateTest();

  // The failure of the factory of `id` with this blob, "OK" when it makes a delegate.
  std::string blob_message(std::string_view id, std::string_view blob);
  // The program must be good.
  std::unique_ptr<Module> load(const ProgramBuilder& builder);
  // The delegate's own words about a call of "forward"; the Module's prefix is cut off.
  static std::string run_message(Module& program, const std::vector<Value>& inputs);

  std::shared_ptr<test::FakeControl> control_ = std::make_shared<test::FakeControl>();
  std::shared_ptr<Device> device_ = test::make_fake_device(control_, "cuda:0");
  std::shared_ptr<DeviceRegistry> registry_ = std::make_shared<DeviceRegistry>();
  module::ModuleOptions options_;
};

// A program whose method "forward" calls one delegate with unplanned tensors in the order of the specs; the last
// `outputs` of them are its outputs. Its target is the device of the first.
void build_call(ProgramBuilder& builder, std::string_view delegate, std::string_view blob,
                std::vector<test::TensorSpec> arguments, std::size_t outputs = 1);
[[nodiscard]] std::string as_blob(const ProgramBuilder& builder);

}  // namespace berth::reference
