// What tests of kernels share: calling a reference kernel with arguments, and host tensors to call it with.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "berth/core/status.h"
#include "berth/module/kernel.h"
#include "berth/module/kernel_table.h"
#include "berth/module/tensor.h"
#include "berth/module/value.h"

namespace berth::reference {

using module::Dynamism;
using module::ScalarType;
using module::Tensor;
using module::Value;

// A host tensor with these elements.
template <typename T>
Value tensor(std::initializer_list<std::int32_t> sizes, std::initializer_list<T> elements) {
  return Value::of_tensor(Tensor::of<T>(sizes, elements).value());
}
// A zero-filled host tensor. Kernels may give it other sizes within its bytes when it is dynamic.
Value zeros(ScalarType type, std::vector<std::int32_t> sizes, Dynamism dynamism = Dynamism::kStatic,
            std::vector<std::uint8_t> dim_order = {});
inline Value floats_out(std::vector<std::int32_t> sizes) { return zeros(ScalarType::kFloat, std::move(sizes)); }
// The same elements, in logical order, in another dim order.
Value reordered(const Value& tensor, std::vector<std::uint8_t> dim_order);
// A tensor that shows the bytes of `tensor` from byte `offset` on.
Value view_of(const Value& tensor, std::vector<std::int32_t> sizes, std::uint64_t offset = 0);

inline Value integer(std::int64_t number) { return Value::of_int(number); }
inline Value real(double number) { return Value::of_double(number); }
inline Value boolean(bool truth) { return Value::of_bool(truth); }
inline Value none() { return Value::none(); }
inline Value text(std::string_view characters) { return Value::of_string(characters); }
inline Value ints(std::initializer_list<std::int64_t> items) {
  return Value::of_ints(std::span(items.begin(), items.size()));
}

// The elements in logical order.
template <typename T>
std::vector<T> elements(const Value& value) {
  std::vector<T> result;
  const Tensor& tensor = *value.to_tensor();
  const auto strides = tensor.strides();
  for (std::int64_t i = 0; i < tensor.numel(); ++i) {
    std::int64_t rest = i;
    std::int64_t offset = 0;
    for (std::size_t d = tensor.rank(); d-- > 0; rest /= tensor.size(d)) offset += rest % tensor.size(d) * strides[d];
    result.push_back(tensor.data<T>()[static_cast<std::size_t>(offset)]);
  }
  return result;
}
std::vector<std::int32_t> sizes_of(const Value& value);
// As kernels take them.
std::vector<Value*> pointers_to(std::vector<Value>& values);

class KernelTest : public testing::Test {
 protected:
  KernelTest();
  // Calls "aten::add.out" with `inputs`, then `out` twice.
  Status run(std::string_view name, const std::vector<Value>& inputs, Value& out);
  // Calls it with exactly these arguments.
  Status call(std::string_view name, const std::vector<Value*>& arguments);
  // Of a call with run(): "OK" or the failure.
  std::string message(std::string_view name, const std::vector<Value>& inputs, Value& out);

  module::KernelTable table_;
};

}  // namespace berth::reference
