// executorch_prim::et_view.default, which shows a tensor in other sizes, and et_copy_index.tensor, which collects the
// results of a loop.
#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <string>

#include "kernels/arguments.h"
#include "kernels/kernel_lists.h"

namespace berth::reference::detail {
namespace {

// et_view.default(Tensor self, int[] size, Tensor out): out shows self's bytes from now on; nothing is copied.
Status et_view(KernelContext& context, std::span<Value* const> values) {
  const Arguments arguments(context, values);
  BERTH_RETURN_IF_ERROR(arguments.expect_count(3));
  BERTH_ASSIGN_OR_STATUS(const Tensor* self, arguments.tensor(0));
  BERTH_RETURN_IF_ERROR(arguments.expect_contiguous(0, *self));
  BERTH_ASSIGN_OR_STATUS(const IntList wanted, arguments.ints(1));
  Tensor* const out = arguments.value(2).to_tensor();
  if (out == nullptr) return arguments.bad(2, "a tensor");
  BERTH_RETURN_IF_ERROR(arguments.expect_type(2, *out, self->scalar_type()));
  BERTH_RETURN_IF_ERROR(arguments.expect_contiguous(2, *out));
  const auto sizes = view_sizes(wanted, self->numel());
  if (!sizes.has_value()) {
    return arguments.bad(1, "sizes of " + std::to_string(self->numel()) + " elements", ints_text(wanted));
  }
  context.rebind(*out, *self);
  return context.resize(*out, sizes->span());
}

// Makes room for entry `index` of `target`, which keeps the entries before it.
Status make_room(const Arguments& arguments, Tensor& target, const Tensor& source, std::int64_t index) {
  Sizes sizes;
  const auto rows = static_cast<std::int32_t>(index + 1);
  sizes.push_back(target.dynamism() == module::Dynamism::kStatic || index > 0 ? std::max(target.size(0), rows) : rows);
  for (const std::int32_t size : source.sizes()) sizes.push_back(size);
  if (index > 0 && !std::ranges::equal(sizes.span().subspan(1), target.sizes().subspan(1))) {
    return arguments.bad(1, "the sizes of the entries before it", source.describe());
  }
  return arguments.resize_apart(target, 0, sizes, {&source});
}

// et_copy_index.tensor(Tensor target, Tensor source, int index): target[index] = source, with target growing along.
Status et_copy_index(KernelContext& context, std::span<Value* const> values) {
  const Arguments arguments(context, values);
  BERTH_RETURN_IF_ERROR(arguments.expect_count(3));
  BERTH_ASSIGN_OR_STATUS(Tensor * target, arguments.writable(0));
  BERTH_RETURN_IF_ERROR(arguments.expect_contiguous(0, *target));
  BERTH_ASSIGN_OR_STATUS(const Tensor* source, arguments.tensor(1));
  BERTH_RETURN_IF_ERROR(arguments.expect_type(1, *source, target->scalar_type()));
  BERTH_RETURN_IF_ERROR(arguments.expect_contiguous(1, *source));
  BERTH_RETURN_IF_ERROR(arguments.expect_rank(0, *target, source->rank() + 1));
  BERTH_ASSIGN_OR_STATUS(const std::int64_t index, arguments.integer(2));
  if (index < 0 || index >= std::numeric_limits<std::int32_t>::max()) {
    return arguments.bad(2, "an index from 0 to 2147483646");
  }
  BERTH_RETURN_IF_ERROR(make_room(arguments, *target, *source, index));
  const std::uint64_t bytes = source->nbytes();
  if (bytes > 0) {
    std::memcpy(target->mutable_bytes().data() + static_cast<std::uint64_t>(index) * bytes, source->bytes().data(),
                bytes);
  }
  return {};
}

constexpr std::array<KernelEntry, 2> kKernels = {
    {{"executorch_prim::et_view", "default", et_view}, {"executorch_prim::et_copy_index", "tensor", et_copy_index}}};

}  // namespace

KernelList prim_tensor_kernels() noexcept { return kKernels; }

}  // namespace berth::reference::detail
