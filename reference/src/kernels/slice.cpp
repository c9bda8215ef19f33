// aten::slice_copy.Tensor_out: every step-th index of one dimension, of any element type.
#include <algorithm>
#include <array>
#include <limits>

#include "kernels/arguments.h"
#include "kernels/element_copy.h"
#include "kernels/kernel_lists.h"

namespace berth::reference::detail {
namespace {

// An end of a slice, as Python reads it: from the back when negative, then moved into the dimension.
std::int64_t bound(std::int64_t index, std::int64_t size) noexcept {
  if (index < 0) index += size;
  return std::clamp<std::int64_t>(index, 0, size);
}

// slice_copy.Tensor_out(Tensor self, int dim, int? start, int? end, int step, out, out)
Status slice_copy_out(KernelContext& context, std::span<Value* const> values) {
  const Arguments arguments(context, values);
  BERTH_RETURN_IF_ERROR(arguments.expect_count(7));
  BERTH_ASSIGN_OR_STATUS(const Tensor* self, arguments.tensor(0));
  if (self->rank() == 0) return arguments.bad(0, "a tensor with dimensions");
  BERTH_ASSIGN_OR_STATUS(const std::int64_t dim, arguments.integer(1));
  BERTH_ASSIGN_OR_STATUS(const std::size_t dimension, arguments.dimension(1, dim, self->rank()));
  BERTH_ASSIGN_OR_STATUS(const std::int64_t first, arguments.integer_or(2, 0));
  BERTH_ASSIGN_OR_STATUS(const std::int64_t last, arguments.integer_or(3, std::numeric_limits<std::int64_t>::max()));
  BERTH_ASSIGN_OR_STATUS(const std::int64_t step, arguments.integer(4));
  if (step <= 0) return arguments.bad(4, "a step above 0");
  BERTH_ASSIGN_OR_STATUS(Tensor * out, arguments.out(5));
  BERTH_RETURN_IF_ERROR(arguments.expect_type(5, *out, self->scalar_type()));

  const std::int64_t size = self->size(dimension);
  const std::int64_t start = bound(first, size);
  const std::int64_t length = std::max<std::int64_t>(bound(last, size) - start, 0);
  const std::int64_t count = length / step + (length % step == 0 ? 0 : 1);
  Sizes sizes = Sizes::of(self->sizes());
  sizes[dimension] = static_cast<std::int32_t>(count);
  BERTH_RETURN_IF_ERROR(arguments.resize_apart(*out, 5, sizes, {self}));
  if (out->numel() == 0) return {};
  Strides strides = self->strides();
  const std::byte* const source = self->bytes().data() + start * strides[dimension] * self->element_size();
  if (count > 1) strides[dimension] *= step;
  copy_elements({source, strides}, {out->mutable_bytes().data(), out->strides()}, out->sizes(), out->element_size());
  return {};
}

constexpr std::array<KernelEntry, 1> kKernels = {{{"aten::slice_copy", "Tensor_out", slice_copy_out}}};

}  // namespace

KernelList slice_kernels() noexcept { return kKernels; }

}  // namespace berth::reference::detail
