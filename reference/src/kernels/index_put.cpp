// aten::index_put.out: writes values where tensors of indices say. As in PyTorch, the indices broadcast to one shape;
// it takes the place of the indexed dimensions when these are neighbours, else it comes first. int64 and int32 indices.
#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>

#include "kernels/arguments.h"
#include "kernels/element_copy.h"
#include "kernels/kernel_lists.h"
#include "kernels/strided_loop.h"

namespace berth::reference::detail {
namespace {

struct Scatter {
  const Tensor* self;
  TensorList indices;        // one for each dimension, from the first on; holes and missing ones are not indexed
  Sizes index_sizes;         // what all indices broadcast to
  Sizes sizes;               // of the places that are written
  std::size_t index_at = 0;  // where index_sizes begin in `sizes`
  std::array<std::size_t, module::kMaxRank> open = {};  // the dimensions that are not indexed,
  std::size_t open_count = 0;                           // in order

  [[nodiscard]] const Tensor* index(std::size_t dimension) const noexcept {
    return dimension < indices.size() ? indices[dimension] : nullptr;
  }
};

Status check_index(const Arguments& arguments, std::size_t dimension, const Tensor& index, Scatter& scatter) {
  const bool integral =
      index.scalar_type() == module::ScalarType::kLong || index.scalar_type() == module::ScalarType::kInt;
  if (!integral || index.bytes().size() != index.nbytes()) {
    return arguments.bad(1, "indices of int64 or int32 that the host can read",
                         index.describe() + " for dimension " + std::to_string(dimension));
  }
  const auto sizes = broadcast(scatter.index_sizes.span(), index.sizes());
  if (!sizes.has_value()) {
    return arguments.bad(1, "indices that broadcast to one shape",
                         sizes_text(scatter.index_sizes.span()) + " and " + sizes_text(index.sizes()));
  }
  if (product(sizes->span()) > std::numeric_limits<std::int32_t>::max()) {
    return arguments.bad(1, "at most 2147483647 indices", sizes_text(sizes->span()));
  }
  scatter.index_sizes = *sizes;
  return {};
}

// The sizes of what is written, and which of self's dimensions the indices take.
Status plan_places(const Arguments& arguments, Scatter& scatter) {
  const std::size_t rank = scatter.self->rank();
  std::size_t first = rank;
  std::size_t last = 0;
  std::size_t indexed = 0;
  for (std::size_t i = 0; i < rank; ++i) {
    if (const Tensor* index = scatter.index(i)) {
      BERTH_RETURN_IF_ERROR(check_index(arguments, i, *index, scatter));
      first = std::min(first, i);
      last = i;
      ++indexed;
    } else {
      scatter.open[scatter.open_count++] = i;
    }
  }
  if (indexed == 0 || scatter.indices.size() > rank) {
    return arguments.bad(1, "indices for 1 to " + std::to_string(rank) + " dimensions", std::to_string(indexed));
  }
  scatter.index_at = last - first + 1 == indexed ? first : 0;
  if (scatter.open_count + scatter.index_sizes.rank() > module::kMaxRank) {
    return arguments.bad(1, "a result of at most 16 dimensions", sizes_text(scatter.index_sizes.span()));
  }
  for (std::size_t i = 0; i <= scatter.open_count; ++i) {
    if (i == scatter.index_at) {
      for (const std::int32_t size : scatter.index_sizes.span()) scatter.sizes.push_back(size);
    }
    if (i < scatter.open_count) scatter.sizes.push_back(scatter.self->size(scatter.open[i]));
  }
  return {};
}

// Adds what one index contributes to the offset of every place, counting negative indices from the end.
template <typename Index>
Status add_offsets(const Arguments& arguments, const Scatter& scatter, std::size_t dimension, std::int64_t stride,
                   std::span<std::int64_t> offsets) {
  const Tensor& index = *scatter.index(dimension);
  const std::int64_t size = scatter.self->size(dimension);
  const Index* const source = index.data<Index>().data();
  const Index* wrong = nullptr;
  StridedLoop<2>(scatter.index_sizes.span(),
                 {contiguous_strides(scatter.index_sizes.span()), broadcast_strides(index, scatter.index_sizes.rank())})
      .run([&](const auto& at) {
        const std::int64_t place = source[at[1]];
        if (place < -size || place >= size) {
          wrong = source + at[1];
        } else {
          offsets[static_cast<std::size_t>(at[0])] += (place < 0 ? place + size : place) * stride;
        }
      });
  if (wrong == nullptr) return {};
  return arguments.bad(1, "indices from " + std::to_string(-size) + " to " + std::to_string(size - 1),
                       std::to_string(*wrong) + " for dimension " + std::to_string(dimension));
}

// The offset in out, in elements, of the first element that each entry of the indices selects.
Result<std::span<std::int64_t>> place_offsets(const Arguments& arguments, const Scatter& scatter, const Tensor& out) {
  const auto count = static_cast<std::size_t>(product(scatter.index_sizes.span()));
  BERTH_ASSIGN(const std::span<std::int64_t> offsets, arguments.context().scratch<std::int64_t>(count));
  std::ranges::fill(offsets, 0);
  const Strides strides = out.strides();
  for (std::size_t i = 0; count > 0 && i < scatter.self->rank(); ++i) {
    const Tensor* const index = scatter.index(i);
    if (index == nullptr) continue;
    const bool wide = index->scalar_type() == module::ScalarType::kLong;
    BERTH_FAIL_IF_ERROR(wide ? add_offsets<std::int64_t>(arguments, scatter, i, strides[i], offsets)
                             : add_offsets<std::int32_t>(arguments, scatter, i, strides[i], offsets));
  }
  return offsets;
}

// Calls `body(offset in out, offset in values)` for each place that is written.
template <typename Body>
void for_each_place(const Scatter& scatter, std::span<const std::int64_t> offsets, const Tensor& values,
                    const Tensor& out, Body&& body) {
  Strides to_offsets = {};
  Strides to_out = {};
  const Strides index_strides = contiguous_strides(scatter.index_sizes.span());
  const Strides out_strides = out.strides();
  const std::size_t index_rank = scatter.index_sizes.rank();
  for (std::size_t i = 0; i < index_rank; ++i) to_offsets[scatter.index_at + i] = index_strides[i];
  for (std::size_t i = 0; i < scatter.open_count; ++i) {
    to_out[i < scatter.index_at ? i : i + index_rank] = out_strides[scatter.open[i]];
  }
  StridedLoop<3>(scatter.sizes.span(), {to_offsets, to_out, broadcast_strides(values, scatter.sizes.rank())})
      .run([&](const auto& at) { body(offsets[static_cast<std::size_t>(at[0])] + at[1], at[2]); });
}

Status write_values(const Arguments& arguments, const Scatter& scatter, std::span<const std::int64_t> offsets,
                    const Tensor& values, const Tensor& out, bool accumulate) {
  if (values.numel() == 0 || product(scatter.sizes.span()) == 0) return {};
  if (accumulate) {
    return for_element_type(RealOrBoolTypes(), arguments, 2, values, [&]<typename T>(std::type_identity<T>) -> Status {
      const T* const source = values.data<T>().data();
      T* const target = out.mutable_data<T>().data();
      for_each_place(scatter, offsets, values, out, [&](std::int64_t to, std::int64_t from) {
        target[to] = add_elements(read_element(target, to), read_element(source, from));
      });
      return {};
    });
  }
  const auto size = static_cast<std::int64_t>(out.element_size());
  const std::byte* const source = values.bytes().data();
  std::byte* const target = out.mutable_bytes().data();
  for_each_place(scatter, offsets, values, out, [&](std::int64_t to, std::int64_t from) {
    std::memcpy(target + to * size, source + from * size, static_cast<std::size_t>(size));
  });
  return {};
}

Result<Tensor*> checked_out(const Arguments& arguments, const Scatter& scatter, const Tensor& values) {
  BERTH_ASSIGN(Tensor * out, arguments.out(4));
  BERTH_FAIL_IF_ERROR(arguments.expect_type(4, *out, scatter.self->scalar_type()));
  BERTH_FAIL_IF_ERROR(arguments.resize_in_place(*out, 4, Sizes::of(scatter.self->sizes()), {scatter.self}));
  BERTH_FAIL_IF_ERROR(arguments.expect_apart(*out, 4, {&values}));
  for (std::size_t i = 0; i < scatter.indices.size(); ++i) {
    BERTH_FAIL_IF_ERROR(arguments.expect_apart(*out, 4, {scatter.index(i)}));
  }
  return out;
}

// index_put.out(Tensor self, Tensor?[] indices, Tensor values, bool accumulate, out, out)
Status index_put_out(KernelContext& context, std::span<Value* const> args) {
  const Arguments arguments(context, args);
  BERTH_RETURN_IF_ERROR(arguments.expect_count(6));
  Scatter scatter = {};
  BERTH_ASSIGN_OR_STATUS(scatter.self, arguments.tensor(0));
  const module::ValueType list = arguments.value(1).type();
  if (list != module::ValueType::kOptionalTensorList && list != module::ValueType::kTensorList) {
    return arguments.bad(1, "a list of optional tensors");
  }
  scatter.indices = arguments.value(1).to_tensors();
  BERTH_RETURN_IF_ERROR(plan_places(arguments, scatter));
  BERTH_ASSIGN_OR_STATUS(const Tensor* values, arguments.tensor(2));
  BERTH_RETURN_IF_ERROR(arguments.expect_type(2, *values, scatter.self->scalar_type()));
  if (!broadcasts_to(values->sizes(), scatter.sizes.span())) {
    return arguments.bad(2, "sizes that broadcast to " + sizes_text(scatter.sizes.span()));
  }
  BERTH_ASSIGN_OR_STATUS(const bool accumulate, arguments.boolean(3));
  BERTH_ASSIGN_OR_STATUS(Tensor * out, checked_out(arguments, scatter, *values));
  BERTH_ASSIGN_OR_STATUS(const auto offsets, place_offsets(arguments, scatter, *out));
  if (!convert_elements(*scatter.self, *out)) return arguments.bad(4, "a tensor of self's type");
  return write_values(arguments, scatter, offsets, *values, *out, accumulate);
}

constexpr std::array<KernelEntry, 1> kKernels = {{{"aten::index_put", "out", index_put_out}}};

}  // namespace

KernelList index_put_kernels() noexcept { return kKernels; }

}  // namespace berth::reference::detail
