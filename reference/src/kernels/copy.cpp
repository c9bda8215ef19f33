// Operators that copy a whole tensor: aten::copy_, aten::clone.out, dim_order_ops::_to_dim_order_copy.out and
// dim_order_ops::_clone_dim_order.out. The target's type and dim order are those of the out that the program made.
#include <array>

#include "kernels/arguments.h"
#include "kernels/element_copy.h"
#include "kernels/element_type.h"
#include "kernels/kernel_lists.h"

namespace berth::reference::detail {
namespace {

// The type of `source` must convert to that of `out`, the argument at `index`.
Status convert(const Arguments& arguments, const Tensor& source, const Tensor& out, std::size_t index) {
  if (convert_elements(source, out)) return {};
  return arguments.bad(index, "a type that " + source.describe() + " converts to", out.describe());
}

// copy_(Tensor self, Tensor src, bool non_blocking, self): src is broadcast to self and converted.
Status copy_in_place(KernelContext& context, std::span<Value* const> values) {
  const Arguments arguments(context, values);
  BERTH_RETURN_IF_ERROR(arguments.expect_count(4));
  BERTH_ASSIGN_OR_STATUS(const Tensor* self, arguments.writable(0));
  BERTH_ASSIGN_OR_STATUS(const Tensor* source, arguments.tensor(1));
  if (arguments.value(3).to_tensor() != self) return arguments.bad(3, "the same tensor as argument 0");
  if (!broadcasts_to(source->sizes(), self->sizes())) {
    return arguments.bad(1, "sizes that broadcast to " + sizes_text(self->sizes()), source->describe());
  }
  BERTH_RETURN_IF_ERROR(arguments.expect_in_place(*self, 0, {source}));
  return convert(arguments, *source, *self, 0);
}

// clone.out(Tensor self, MemoryFormat? memory_format, out, out)
Status clone_out(KernelContext& context, std::span<Value* const> values) {
  const Arguments arguments(context, values);
  BERTH_RETURN_IF_ERROR(arguments.expect_count(4));
  BERTH_ASSIGN_OR_STATUS(const Tensor* self, arguments.tensor(0));
  BERTH_ASSIGN_OR_STATUS(Tensor * out, arguments.out(2));
  BERTH_RETURN_IF_ERROR(arguments.expect_type(2, *out, self->scalar_type()));
  BERTH_RETURN_IF_ERROR(arguments.resize_in_place(*out, 2, Sizes::of(self->sizes()), {self}));
  return convert(arguments, *self, *out, 2);
}

// The dim order that an operator asks for must be the one its out has; none asks for nothing.
Status expect_dim_order(const Arguments& arguments, std::size_t index, const Tensor& out) {
  BERTH_ASSIGN_OR_STATUS(const IntList order, arguments.optional_ints(index));
  if (arguments.value(index).is_none()) return {};
  const std::span<const std::uint8_t> own = out.dim_order();
  bool equal = order.size() == own.size();
  for (std::size_t i = 0; equal && i < own.size(); ++i) equal = order[i] == own[i];
  return equal ? Status() : arguments.bad(index, "the dim order of the out, " + out.describe(), ints_text(order));
}

// _to_dim_order_copy.out and _clone_dim_order.out(Tensor self, bool non_blocking, int[]? dim_order, out, out)
template <bool Converts>
Status dim_order_copy_out(KernelContext& context, std::span<Value* const> values) {
  const Arguments arguments(context, values);
  BERTH_RETURN_IF_ERROR(arguments.expect_count(5));
  BERTH_ASSIGN_OR_STATUS(const Tensor* self, arguments.tensor(0));
  BERTH_ASSIGN_OR_STATUS(Tensor * out, arguments.out(3));
  BERTH_RETURN_IF_ERROR(expect_dim_order(arguments, 2, *out));
  if (!Converts) BERTH_RETURN_IF_ERROR(arguments.expect_type(3, *out, self->scalar_type()));
  BERTH_RETURN_IF_ERROR(arguments.resize_in_place(*out, 3, Sizes::of(self->sizes()), {self}));
  return convert(arguments, *self, *out, 3);
}

constexpr std::array<KernelEntry, 4> kKernels = {
    {{"aten::copy_", "", copy_in_place},
     {"aten::clone", "out", clone_out},
     {"dim_order_ops::_to_dim_order_copy", "out", dim_order_copy_out<true>},
     {"dim_order_ops::_clone_dim_order", "out", dim_order_copy_out<false>}}};

}  // namespace

KernelList copy_kernels() noexcept { return kKernels; }

}  // namespace berth::reference::detail
