#include "delegate_fixture.h"

#include <stdexcept>
#include <utility>

#include "berth/reference/delegates.h"
#include "berth/reference/kernels.h"

namespace berth::reference {

DelegateTest::DelegateTest() {
  EXPECT_TRUE(registry_->add({"cuda", 0}, [device = device_] { return device; }).ok());
  auto kernels = std::make_shared<module::KernelTable>();
  EXPECT_TRUE(add_reference_kernels(*kernels).ok());
  options_.kernels = std::move(kernels);
  auto delegates = std::make_shared<module::DelegateTable>();
  EXPECT_TRUE(add_reference_delegates(*delegates).ok());
  options_.delegates = std::move(delegates);
}

std::string DelegateTest::blob_message(std::string_view id, std::string_view blob) {
  module::InitContext context;
  context.method = "forward";
  context.program_name = "outer.pte";
  context.registry = registry_;
  context.kernels = options_.kernels;
  context.delegates = options_.delegates;
  const auto made = (*options_.delegates->find(id))(std::as_bytes(std::span(blob)), {}, context);
  return made.status().message();
}

std::unique_ptr<Module> DelegateTest::load(const ProgramBuilder& builder) {
  auto program = program::Program::from_bytes(builder.build(), "outer.pte");
  if (!program.has_value()) throw std::runtime_error(program.error().message());
  auto loaded = Module::load(*program, registry_, options_);
  if (!loaded.has_value()) throw std::runtime_error(loaded.error().message());
  return *std::move(loaded);
}

std::string DelegateTest::run_message(Module& program, const std::vector<Value>& inputs) {
  const auto outputs = program.execute("forward", inputs);
  if (outputs.has_value()) return "OK";
  ErrorInfo info = outputs.error().info();
  const std::size_t argument = info.where.rfind("argument ");
  info.where = argument == std::string::npos ? "" : info.where.substr(argument);
  return Status(std::move(info)).message();
}

void build_call(ProgramBuilder& builder, std::string_view delegate, std::string_view blob,
                std::vector<test::TensorSpec> arguments, std::size_t outputs) {
  MethodBuilder& forward = builder.method("forward");
  forward.buffer(0);
  std::vector<std::int32_t> values;
  values.reserve(arguments.size());
  for (const test::TensorSpec& spec : arguments) values.push_back(forward.tensor(spec));
  const auto first_output = values.end() - static_cast<std::ptrdiff_t>(outputs);
  const bool on_host = arguments.front().device_type == test::kCpu;
  const std::string target = on_host ? "cpu:0" : "cuda:0";
  const int index = forward.delegate(delegate, blob, {{"target_device", target}});
  forward.inputs({values.begin(), first_output}).outputs({first_output, values.end()}).delegate_call(index, values);
}

std::string as_blob(const ProgramBuilder& builder) {
  const std::vector<std::byte> bytes = builder.build();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace berth::reference
