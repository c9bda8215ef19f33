// aten::permute_copy.out, view_copy.out and expand_copy.out: the same elements in other sizes, of any type.
#include <array>
#include <cstring>

#include "kernels/arguments.h"
#include "kernels/element_copy.h"
#include "kernels/kernel_lists.h"

namespace berth::reference::detail {
namespace {

void copy_to(const Tensor& source, const Strides& strides, const Tensor& out) {
  if (out.numel() == 0) return;
  copy_elements({source.bytes().data(), strides}, {out.mutable_bytes().data(), out.strides()}, out.sizes(),
                out.element_size());
}

// permute_copy.out(Tensor self, int[] dims, out, out)
Status permute_copy_out(KernelContext& context, std::span<Value* const> values) {
  const Arguments arguments(context, values);
  BERTH_RETURN_IF_ERROR(arguments.expect_count(4));
  BERTH_ASSIGN_OR_STATUS(const Tensor* self, arguments.tensor(0));
  BERTH_ASSIGN_OR_STATUS(const IntList dims, arguments.ints(1));
  BERTH_ASSIGN_OR_STATUS(Tensor * out, arguments.out(2));
  BERTH_RETURN_IF_ERROR(arguments.expect_type(2, *out, self->scalar_type()));
  const Strides own = self->strides();
  Sizes sizes;
  Strides strides = {};
  std::array<bool, module::kMaxRank> seen = {};
  bool permutes = dims.size() == self->rank();
  for (std::size_t i = 0; permutes && i < dims.size(); ++i) {
    BERTH_ASSIGN_OR_STATUS(const std::size_t from, arguments.dimension(1, dims[i], self->rank()));
    permutes = !seen[from];
    seen[from] = true;
    sizes.push_back(self->size(from));
    strides[i] = own[from];
  }
  if (!permutes) {
    return arguments.bad(1, "each of the " + std::to_string(self->rank()) + " dimensions once", ints_text(dims));
  }
  BERTH_RETURN_IF_ERROR(arguments.resize_apart(*out, 2, sizes, {self}));
  copy_to(*self, strides, *out);
  return {};
}

// view_copy.out(Tensor self, int[] size, out, out). One size may be -1: whatever is left.
Status view_copy_out(KernelContext& context, std::span<Value* const> values) {
  const Arguments arguments(context, values);
  BERTH_RETURN_IF_ERROR(arguments.expect_count(4));
  BERTH_ASSIGN_OR_STATUS(const Tensor* self, arguments.tensor(0));
  BERTH_ASSIGN_OR_STATUS(const IntList wanted, arguments.ints(1));
  BERTH_ASSIGN_OR_STATUS(Tensor * out, arguments.out(2));
  BERTH_RETURN_IF_ERROR(arguments.expect_contiguous(0, *self));
  BERTH_RETURN_IF_ERROR(arguments.expect_type(2, *out, self->scalar_type()));
  BERTH_RETURN_IF_ERROR(arguments.expect_contiguous(2, *out));
  const auto sizes = view_sizes(wanted, self->numel());
  if (!sizes.has_value()) {
    return arguments.bad(1, "sizes of " + std::to_string(self->numel()) + " elements", ints_text(wanted));
  }
  BERTH_RETURN_IF_ERROR(arguments.resize_apart(*out, 2, *sizes, {self}));
  if (out->numel() > 0) std::memcpy(out->mutable_bytes().data(), self->bytes().data(), out->nbytes());
  return {};
}

// expand_copy.out(Tensor self, int[] size, bool implicit, out, out). -1 keeps the dimension.
Status expand_copy_out(KernelContext& context, std::span<Value* const> values) {
  const Arguments arguments(context, values);
  BERTH_RETURN_IF_ERROR(arguments.expect_count(5));
  BERTH_ASSIGN_OR_STATUS(const Tensor* self, arguments.tensor(0));
  BERTH_ASSIGN_OR_STATUS(const IntList wanted, arguments.ints(1));
  BERTH_ASSIGN_OR_STATUS(Tensor * out, arguments.out(3));
  BERTH_RETURN_IF_ERROR(arguments.expect_type(3, *out, self->scalar_type()));
  Sizes sizes;
  const std::size_t rank = self->rank();
  bool fits = wanted.size() >= rank && wanted.size() <= module::kMaxRank;
  for (std::size_t i = 0; fits && i < wanted.size(); ++i) {
    const bool kept = wanted[i] == -1 && i + rank >= wanted.size();
    const std::int64_t size = kept ? self->size(i + rank - wanted.size()) : wanted[i];
    fits = size >= 0 && size <= INT32_MAX;
    sizes.push_back(static_cast<std::int32_t>(size));
  }
  if (!fits || !broadcasts_to(self->sizes(), sizes.span())) {
    return arguments.bad(1, "sizes that " + self->describe() + " expands to", ints_text(wanted));
  }
  BERTH_RETURN_IF_ERROR(arguments.resize_apart(*out, 3, sizes, {self}));
  copy_to(*self, broadcast_strides(*self, sizes.rank()), *out);
  return {};
}

constexpr std::array<KernelEntry, 3> kKernels = {{{"aten::permute_copy", "out", permute_copy_out},
                                                  {"aten::view_copy", "out", view_copy_out},
                                                  {"aten::expand_copy", "out", expand_copy_out}}};

}  // namespace

KernelList reshape_kernels() noexcept { return kKernels; }

}  // namespace berth::reference::detail
