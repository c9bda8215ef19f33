#include "kernel_fixture.h"

#include <algorithm>
#include <cstring>

#include "berth/reference/kernels.h"

namespace berth::reference {
namespace {

class PlainScratch final : public module::ScratchMemory {
 public:
  Result<std::span<std::byte>> take(std::uint64_t bytes) override {
    blocks_.push_back(std::make_unique<std::byte[]>(bytes));
    return std::span<std::byte>(blocks_.back().get(), bytes);
  }

 private:
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
};

}  // namespace

Value zeros(ScalarType type, std::vector<std::int32_t> sizes, Dynamism dynamism, std::vector<std::uint8_t> dim_order) {
  return Value::of_tensor(Tensor::empty(type, sizes, nullptr, dim_order, dynamism).value());
}

Value reordered(const Value& value, std::vector<std::uint8_t> dim_order) {
  const Tensor& source = *value.to_tensor();
  Tensor target = Tensor::empty(source.scalar_type(), source.sizes(), nullptr, dim_order).value();
  const auto strides = target.strides();
  const std::uint32_t size = source.element_size();
  for (std::int64_t i = 0; i < source.numel(); ++i) {
    std::int64_t rest = i;
    std::int64_t offset = 0;
    for (std::size_t d = source.rank(); d-- > 0; rest /= source.size(d)) offset += rest % source.size(d) * strides[d];
    std::memcpy(target.mutable_bytes().data() + offset * size, source.bytes().data() + i * size, size);
  }
  return Value::of_tensor(std::move(target));
}

Value view_of(const Value& value, std::vector<std::int32_t> sizes, std::uint64_t offset) {
  const Tensor& source = *value.to_tensor();
  return Value::of_tensor(Tensor::borrow(source.scalar_type(), sizes, source.mutable_bytes().subspan(offset)).value());
}

std::vector<std::int32_t> sizes_of(const Value& value) {
  const auto sizes = value.to_tensor()->sizes();
  return {sizes.begin(), sizes.end()};
}

std::vector<Value*> pointers_to(std::vector<Value>& values) {
  std::vector<Value*> pointers(values.size());
  std::ranges::transform(values, pointers.begin(), [](Value& value) { return &value; });
  return pointers;
}

KernelTest::KernelTest() {
  const Status status = add_reference_kernels(table_);
  EXPECT_TRUE(status.ok()) << status.message();
}

Status KernelTest::call(std::string_view name, const std::vector<Value*>& arguments) {
  const std::size_t dot = name.find('.');
  const std::string_view overload = dot == std::string_view::npos ? std::string_view() : name.substr(dot + 1);
  const module::Kernel kernel = table_.find(name.substr(0, dot), overload);
  if (kernel == nullptr) return Status({.code = Code::kNotFound, .what = "no kernel " + std::string(name)});
  PlainScratch scratch;
  module::CopyReport copies;
  module::KernelContext context(name, scratch, copies, nullptr, 0);
  return kernel(context, arguments);
}

Status KernelTest::run(std::string_view name, const std::vector<Value>& inputs, Value& out) {
  std::vector<Value> values = inputs;
  std::vector<Value*> arguments = pointers_to(values);
  arguments.push_back(&out);
  arguments.push_back(&out);
  return call(name, arguments);
}

std::string KernelTest::message(std::string_view name, const std::vector<Value>& inputs, Value& out) {
  return run(name, inputs, out).message();
}

}  // namespace berth::reference
