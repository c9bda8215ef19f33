#include "module_fixture.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace berth::module {
namespace {

// out = a + b, float, equal sizes.
Status add_out(KernelContext& context, std::span<Value* const> args) {
  const Tensor* const a = args[0]->to_tensor();
  const Tensor* const b = args[1]->to_tensor();
  Tensor* const out = args[2]->to_tensor();
  if (a == nullptr || b == nullptr || out == nullptr) return context.bad_call("expected tensors");
  BERTH_RETURN_IF_ERROR(context.resize(*out, a->sizes()));
  const auto target = out->mutable_data<float>();
  const auto left = a->data<float>();
  const auto right = b->data<float>();
  if (left.size() != right.size() || target.size() != left.size()) return context.bad_call("sizes differ");
  for (std::size_t i = 0; i < target.size(); ++i) target[i] = left[i] + right[i];
  return {};
}

// out[i] = list[i], as floats.
Status list_out(KernelContext& context, std::span<Value* const> args) {
  const IntList list = args[0]->to_ints();
  const auto target = args[1]->to_tensor()->mutable_data<float>();
  if (target.size() != list.size()) return context.bad_call("sizes differ");
  for (std::size_t i = 0; i < list.size(); ++i) target[i] = static_cast<float>(list[i]);
  return {};
}

// int = size of dimension 0.
Status rows(KernelContext&, std::span<Value* const> args) {
  args[1]->set_int(args[0]->to_tensor()->size(0));
  return {};
}

// out shows the bytes of self.
Status view(KernelContext& context, std::span<Value* const> args) {
  context.rebind(*args[1]->to_tensor(), *args[0]->to_tensor());
  return context.resize(*args[1]->to_tensor(), args[0]->to_tensor()->sizes());
}

Status throwing(KernelContext&, std::span<Value* const>) { throw std::runtime_error("a kernel's own trouble"); }

Status scratching(KernelContext& context, std::span<Value* const> args) {
  BERTH_ASSIGN_OR_STATUS(const std::span<float> scratch, context.scratch<float>(10000));
  const auto source = args[0]->to_tensor()->data<float>();
  std::copy(source.begin(), source.end(), scratch.begin());
  const auto target = args[1]->to_tensor()->mutable_data<float>();
  std::copy_n(scratch.begin(), target.size(), target.begin());
  return {};
}

// Adds its inputs into its last argument, through copies, so that it runs on every device. One input counts twice.
class AddDelegate final : public Delegate {
 public:
  AddDelegate(std::shared_ptr<DelegateLog> log, std::shared_ptr<Device> target)
      : log_(std::move(log)), target_(std::move(target)) {}
  ~AddDelegate() override {
    ++log_->destroyed;
    log_->live_bytes_at_destruction = target_->statistics().current_bytes;
  }
  Status execute(ExecContext& context, std::span<Value* const> args) override {
    ++log_->executed;
    Tensor& out = *args.back()->to_tensor();
    BERTH_RETURN_IF_ERROR(out.resize(args[0]->to_tensor()->sizes()));
    const std::size_t count = static_cast<std::size_t>(out.numel());
    BERTH_ASSIGN_OR_STATUS(const auto sum_bytes, context.scratch().take(count * sizeof(float)));
    BERTH_ASSIGN_OR_STATUS(const auto part_bytes, context.scratch().take(count * sizeof(float)));
    auto* const sum = reinterpret_cast<float*>(sum_bytes.data());
    auto* const part = reinterpret_cast<float*>(part_bytes.data());
    std::fill_n(sum, count, 0.0F);
    const std::size_t inputs = args.size() - 1;
    for (std::size_t i = 0; i < std::max<std::size_t>(2, inputs); ++i) {
      BERTH_RETURN_IF_ERROR(context.read(*args[std::min(i, inputs - 1)]->to_tensor(), part_bytes));
      for (std::size_t k = 0; k < count; ++k) sum[k] += part[k];
    }
    return context.write(out, sum_bytes);
  }

 private:
  std::shared_ptr<DelegateLog> log_;
  std::shared_ptr<Device> target_;
};

}  // namespace

ModuleTest::ModuleTest() {
  const auto opener = [](std::shared_ptr<Device> device) { return [device] { return device; }; };
  EXPECT_TRUE(registry_->add({"cuda", 0}, opener(device0_)).ok());
  EXPECT_TRUE(registry_->add({"cuda", 1}, opener(device1_)).ok());
  const std::pair<const char*, Kernel> kernels[] = {{"test::add", add_out},
                                                    {"test::list", list_out},
                                                    {"test::view", view},
                                                    {"test::throw", throwing},
                                                    {"test::scratch", scratching}};
  for (const auto& [name, kernel] : kernels) {
    EXPECT_TRUE(kernels_.add(name, "out", kernel).ok());
  }
  EXPECT_TRUE(kernels_.add("test::rows", "", rows).ok());
  const auto make = [log = log_](std::span<const std::byte> blob, std::span<const program::CompileSpec>,
                                 InitContext& context) -> Result<std::unique_ptr<Delegate>> {
    ++log->made;
    log->targets.push_back(context.target_id.to_string());
    log->blobs.emplace_back(reinterpret_cast<const char*>(blob.data()), blob.size());
    if (log->blobs.back() == "refuse") {
      return fail({.code = Code::kInvalidProgram, .origin = Origin::kInput, .what = "the blob is not understood"});
    }
    return std::make_unique<AddDelegate>(log, context.target);
  };
  EXPECT_TRUE(delegates_.add("BackendWithCompilerDemo", make).ok());
}

ModuleOptions ModuleTest::options() const {
  ModuleOptions options;
  options.kernels = std::make_shared<const KernelTable>(kernels_);
  options.delegates = std::make_shared<const DelegateTable>(delegates_);
  return options;
}

std::unique_ptr<Module> ModuleTest::load(const ProgramBuilder& builder) { return load(builder, options()); }

std::unique_ptr<Module> ModuleTest::load(const ProgramBuilder& builder, ModuleOptions options) {
  auto program = program::Program::from_bytes(builder.build(), "test.pte");
  if (!program.has_value()) throw std::runtime_error(program.error().message());
  auto module = Module::load(*program, registry_, std::move(options));
  if (!module.has_value()) throw std::runtime_error(module.error().message());
  return *std::move(module);
}

std::unique_ptr<Module> ModuleTest::load_file(std::string_view name) {
  const std::string path = std::string(BERTH_TEST_DATA_DIR "/") + std::string(name) + ".pte";
  auto module = Module::load(std::filesystem::path(path), registry_, options());
  if (!module.has_value()) throw std::runtime_error(module.error().message());
  return *std::move(module);
}

Value floats(std::vector<std::int32_t> sizes, std::vector<float> elements) {
  return Value::of_tensor(*Tensor::of<float>(sizes, std::span<const float>(elements)));
}

std::vector<float> floats_of(const Value& value) {
  const auto host = value.to_tensor()->clone_to_host();
  EXPECT_TRUE(host.has_value()) << host.error().message();
  return {host->data<float>().begin(), host->data<float>().end()};
}

std::string message_of(const Status& status) { return status.message(); }

void build_host_add(ProgramBuilder& builder) {
  MethodBuilder& forward = builder.method("forward");
  const int memory = forward.buffer(48);
  const int a = forward.tensor({.sizes = {2, 2}, .memory_id = memory});
  const int b = forward.tensor({.sizes = {2, 2}, .memory_id = memory, .offset = 16});
  const int y = forward.tensor({.sizes = {2, 2}, .memory_id = memory, .offset = 32});
  forward.inputs({a, b}).outputs({y}).call("test::add.out", {a, b, y, y});
}

void build_device_add(ProgramBuilder& builder, std::string_view method) {
  MethodBuilder& forward = builder.method(method);
  const int host = forward.buffer(48);
  const int device = forward.buffer(48, kCuda, 0);
  const auto on_host = [&](std::uint64_t offset) {
    return forward.tensor({.sizes = {2, 2}, .memory_id = host, .offset = offset});
  };
  const auto on_device = [&](std::uint64_t offset) {
    return forward.tensor({.sizes = {2, 2}, .memory_id = device, .offset = offset, .device_type = kCuda});
  };
  const int a = on_host(0), b = on_host(16), y = on_host(32);
  const int device_a = on_device(0), device_b = on_device(16), device_y = on_device(32);
  const int delegate = forward.delegate("BackendWithCompilerDemo", "add", {{"target_device", "cuda:0"}});
  forward.inputs({a, b})
      .outputs({y})
      .call("et_copy::_h2d_copy.out", {a, device_a, device_a})
      .call("et_copy::_h2d_copy.out", {b, device_b, device_b})
      .delegate_call(delegate, {device_a, device_b, device_y})
      .call("et_copy::_d2h_copy.out", {device_y, y, y});
}

Tensor corpus_array(std::string_view name) {
  std::ifstream file(std::string(BERTH_TEST_DATA_DIR "/") + std::string(name) + ".npy", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const std::size_t header_size = static_cast<unsigned char>(bytes.at(8)) + 256u * static_cast<unsigned char>(bytes[9]);
  const std::string header = bytes.substr(10, header_size);
  const std::size_t open = header.find('(');
  std::istringstream shape(header.substr(open + 1, header.find(')') - open - 1));
  std::vector<std::int32_t> sizes;
  for (std::string item; std::getline(shape, item, ',');) {
    if (item.find_first_of("0123456789") != std::string::npos) sizes.push_back(std::stoi(item));
  }
  const std::string type = header.substr(header.find("'descr': '") + 10, 3);
  const ScalarType scalar = type == "<i8"   ? ScalarType::kLong
                            : type == "<i4" ? ScalarType::kInt
                            : type == "|b1" ? ScalarType::kBool
                                            : ScalarType::kFloat;
  const auto data = std::as_bytes(std::span(bytes)).subspan(10 + header_size);
  return *Tensor::from_data(scalar, sizes, data);
}

}  // namespace berth::module
