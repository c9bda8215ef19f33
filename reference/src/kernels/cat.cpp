// aten::cat.out: tensors of one type, joined along a dimension.
#include <array>
#include <limits>
#include <string>

#include "kernels/arguments.h"
#include "kernels/element_copy.h"
#include "kernels/kernel_lists.h"

namespace berth::reference::detail {
namespace {

// PyTorch lets tensors of sizes [0] join anything.
bool is_skipped(const Tensor& tensor) noexcept { return tensor.rank() == 1 && tensor.size(0) == 0; }

bool fits(const Tensor& tensor, const Sizes& sizes, std::size_t dimension) noexcept {
  if (tensor.rank() != sizes.rank()) return false;
  for (std::size_t i = 0; i < sizes.rank(); ++i) {
    if (i != dimension && tensor.size(i) != sizes[i]) return false;
  }
  return true;
}

struct Joined {
  Sizes sizes;
  std::size_t dimension;
};

// The sizes of the result: those of the first tensor that counts, with the sum of all along the dimension.
Result<Joined> join(const Arguments& arguments, TensorList list, const Tensor& out) {
  BERTH_ASSIGN(const std::int64_t dim, arguments.integer(1));
  const Tensor* first = list[0];
  for (std::size_t i = 0; is_skipped(*first) && i < list.size(); ++i) first = list[i];
  if (first->rank() == 0) return fail(arguments.bad(0, "tensors with dimensions", first->describe()));
  BERTH_ASSIGN(const std::size_t dimension, arguments.dimension(1, dim, first->rank()));
  Joined joined{Sizes::of(first->sizes()), dimension};
  std::int64_t total = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Tensor& tensor = *list[i];
    const bool same_type = tensor.scalar_type() == out.scalar_type();
    if (!same_type || (!is_skipped(tensor) && !fits(tensor, joined.sizes, dimension))) {
      return fail(arguments.bad(0,
                                "tensors of one type and the same sizes but in dimension " + std::to_string(dimension),
                                tensor.describe() + " at " + std::to_string(i)));
    }
    total += is_skipped(tensor) ? 0 : tensor.size(dimension);
  }
  if (total > std::numeric_limits<std::int32_t>::max()) {
    return fail(arguments.bad(0, "at most 2147483647 elements in a dimension", std::to_string(total)));
  }
  joined.sizes[dimension] = static_cast<std::int32_t>(total);
  return joined;
}

// cat.out(Tensor[] tensors, int dim, out, out)
Status cat_out(KernelContext& context, std::span<Value* const> values) {
  const Arguments arguments(context, values);
  BERTH_RETURN_IF_ERROR(arguments.expect_count(4));
  BERTH_ASSIGN_OR_STATUS(const TensorList list, arguments.tensors(0));
  if (list.empty()) return arguments.bad(0, "at least one tensor");
  BERTH_ASSIGN_OR_STATUS(Tensor * out, arguments.out(2));
  BERTH_ASSIGN_OR_STATUS(const Joined joined, join(arguments, list, *out));
  BERTH_RETURN_IF_ERROR(context.resize(*out, joined.sizes.span()));
  for (std::size_t i = 0; i < list.size(); ++i) BERTH_RETURN_IF_ERROR(arguments.expect_apart(*out, 2, {list[i]}));

  const Strides strides = out->strides();
  std::byte* target = out->mutable_bytes().data();
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Tensor& tensor = *list[i];
    if (tensor.numel() == 0) continue;
    copy_elements({tensor.bytes().data(), tensor.strides()}, {target, strides}, tensor.sizes(), tensor.element_size());
    target += tensor.size(joined.dimension) * strides[joined.dimension] * tensor.element_size();
  }
  return {};
}

constexpr std::array<KernelEntry, 1> kKernels = {{{"aten::cat", "out", cat_out}}};

}  // namespace

KernelList cat_kernels() noexcept { return kKernels; }

}  // namespace berth::reference::detail
