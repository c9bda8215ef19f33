// Arguments: the arguments of one kernel call, read with checks. Every failure is kInvalidProgram naming operator,
// argument, expected and found. Allocates only to describe a failure. Lives as long as the call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

#include "berth/core/result.h"
#include "berth/module/kernel.h"
#include "berth/module/tensor.h"
#include "berth/module/value.h"
#include "kernels/element_type.h"
#include "kernels/sizes.h"

namespace berth::reference::detail {

using module::IntList;
using module::KernelContext;
using module::Tensor;
using module::TensorList;
using module::Value;

class Arguments {
 public:
  Arguments(KernelContext& context, std::span<Value* const> values) noexcept : context_(&context), values_(values) {}

  [[nodiscard]] KernelContext& context() const noexcept { return *context_; }
  [[nodiscard]] Value& value(std::size_t index) const noexcept { return *values_[index]; }

  // First in every kernel: the other functions take indices below `count`.
  Status expect_count(std::size_t count) const;

  // A tensor whose elements the host can read.
  [[nodiscard]] Result<const Tensor*> tensor(std::size_t index) const;
  // As tensor(); null when the value is none.
  [[nodiscard]] Result<const Tensor*> optional_tensor(std::size_t index) const;
  // A tensor whose elements the host can write. Its contents and sizes are the kernel's to set.
  [[nodiscard]] Result<Tensor*> writable(std::size_t index) const;
  // writable(index), after checking that the last argument, `index + 1`, repeats it.
  [[nodiscard]] Result<Tensor*> out(std::size_t index) const;
  // Int or bool.
  [[nodiscard]] Result<std::int64_t> integer(std::size_t index) const;
  // As integer(); `otherwise` when the value is none.
  [[nodiscard]] Result<std::int64_t> integer_or(std::size_t index, std::int64_t otherwise) const;
  // Int, bool or double.
  [[nodiscard]] Result<double> number(std::size_t index) const;
  [[nodiscard]] Result<bool> boolean(std::size_t index) const;
  [[nodiscard]] Result<IntList> ints(std::size_t index) const;
  // As ints(); empty when the value is none.
  [[nodiscard]] Result<IntList> optional_ints(std::size_t index) const;
  // Without holes; every item can be read.
  [[nodiscard]] Result<TensorList> tensors(std::size_t index) const;
  // A number as an element: what a double cannot become without loss of meaning is refused for integer types.
  template <typename T>
  [[nodiscard]] Result<T> scalar(std::size_t index) const {
    if constexpr (std::is_floating_point_v<T>) {
      BERTH_ASSIGN(const double real, number(index));
      return static_cast<T>(real);
    } else {
      BERTH_ASSIGN(const std::int64_t integral, integer(index));
      return convert_element<T>(integral);
    }
  }

  // Checks of tensors; `index` is the argument that is blamed.
  Status expect_type(std::size_t index, const Tensor& tensor, module::ScalarType type) const;
  Status expect_rank(std::size_t index, const Tensor& tensor, std::size_t rank) const;
  Status expect_sizes(std::size_t index, const Tensor& tensor, std::span<const std::int32_t> sizes) const;
  // The default dim order, in which the last dimension is the densest.
  Status expect_contiguous(std::size_t index, const Tensor& tensor) const;
  // A dimension of a tensor of `rank` dimensions, counted from the end when negative; a scalar counts as one dimension.
  [[nodiscard]] Result<std::size_t> dimension(std::size_t index, std::int64_t dimension, std::size_t rank) const;

  // Resizes the out at `index` and checks that its bytes overlap none of `inputs`, some of
  // which may be null.
  Status resize_apart(Tensor& out, std::size_t index, const Sizes& sizes,
                      std::initializer_list<const Tensor*> inputs) const;
  // As resize_apart(), but an input may also be the very elements of out: kernels that read an element before they
  // write it, and no other afterwards.
  Status resize_in_place(Tensor& out, std::size_t index, const Sizes& sizes,
                         std::initializer_list<const Tensor*> inputs) const;

  // The checks of both alone.
  Status expect_apart(const Tensor& out, std::size_t index, std::initializer_list<const Tensor*> inputs) const;
  Status expect_in_place(const Tensor& out, std::size_t index, std::initializer_list<const Tensor*> inputs) const;

  // "argument 1: expected <expected>, found <the argument>".
  [[nodiscard]] Status bad(std::size_t index, std::string expected) const;
  [[nodiscard]] Status bad(std::size_t index, std::string expected, std::string found) const;

 private:
  [[nodiscard]] Result<Tensor*> host_tensor(std::size_t index, bool write) const;
  [[nodiscard]] Status overlaps(std::size_t index, const Tensor& out) const;
  KernelContext* context_;
  std::span<Value* const> values_;
};

// Calls `body(std::type_identity<T>())`, which answers a Status, with the T of `Types` that `tensor` holds; blames
// argument `index` when it holds another.
template <typename... Ts, typename Body>
Status for_element_type(TypeList<Ts...> types, const Arguments& arguments, std::size_t index, const Tensor& tensor,
                        Body&& body) {
  Status status;
  const bool found = visit_element_type(types, tensor.scalar_type(), [&](auto identity) { status = body(identity); });
  return found ? status : arguments.bad(index, "a tensor of " + type_names(types), tensor.describe());
}

}  // namespace berth::reference::detail
