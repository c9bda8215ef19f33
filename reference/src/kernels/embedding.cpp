// aten::embedding.out: rows of a table, of any element type, by int64 or int32 index.
#include <array>
#include <cstring>
#include <type_traits>

#include "kernels/arguments.h"
#include "kernels/kernel_lists.h"

namespace berth::reference::detail {
namespace {

template <typename Index>
Status gather(const Arguments& arguments, const Tensor& table, std::span<const Index> indices, const Tensor& out) {
  const std::int64_t rows = table.size(0);
  for (const Index index : indices) {
    if (index < 0 || index >= rows) {
      return arguments.bad(1, "row indices from 0 to " + std::to_string(rows - 1), "row " + std::to_string(index));
    }
  }
  const std::size_t row_bytes = static_cast<std::size_t>(table.size(1)) * table.element_size();
  if (row_bytes == 0) return {};
  const std::byte* const source = table.bytes().data();
  std::byte* target = out.mutable_bytes().data();
  for (const Index index : indices) {
    std::memcpy(target, source + static_cast<std::size_t>(index) * row_bytes, row_bytes);
    target += row_bytes;
  }
  return {};
}

// embedding.out(Tensor weight, Tensor indices, int padding_idx, bool scale_grad_by_freq, bool sparse, out, out): the
// three in the middle only matter for training.
Status embedding_out(KernelContext& context, std::span<Value* const> values) {
  const Arguments arguments(context, values);
  BERTH_RETURN_IF_ERROR(arguments.expect_count(7));
  BERTH_ASSIGN_OR_STATUS(const Tensor* table, arguments.tensor(0));
  BERTH_RETURN_IF_ERROR(arguments.expect_rank(0, *table, 2));
  BERTH_RETURN_IF_ERROR(arguments.expect_contiguous(0, *table));
  BERTH_ASSIGN_OR_STATUS(const Tensor* indices, arguments.tensor(1));
  BERTH_RETURN_IF_ERROR(arguments.expect_contiguous(1, *indices));
  BERTH_ASSIGN_OR_STATUS(Tensor * out, arguments.out(5));
  BERTH_RETURN_IF_ERROR(arguments.expect_type(5, *out, table->scalar_type()));
  BERTH_RETURN_IF_ERROR(arguments.expect_contiguous(5, *out));
  Sizes sizes = Sizes::of(indices->sizes());
  if (sizes.full()) return arguments.bad(1, "at most " + std::to_string(module::kMaxRank - 1) + " dimensions");
  sizes.push_back(table->size(1));
  return for_element_type(IndexTypes(), arguments, 1, *indices, [&]<typename T>(std::type_identity<T>) -> Status {
    BERTH_RETURN_IF_ERROR(arguments.resize_apart(*out, 5, sizes, {table, indices}));
    return gather<T>(arguments, *table, indices->data<T>(), *out);
  });
}

constexpr std::array<KernelEntry, 1> kKernels = {{{"aten::embedding", "out", embedding_out}}};

}  // namespace

KernelList embedding_kernels() noexcept { return kKernels; }

}  // namespace berth::reference::detail
