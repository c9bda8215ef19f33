#include "kernels/arguments.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace berth::reference::detail {
namespace {

struct ByteRange {
  std::uintptr_t begin;
  std::uintptr_t end;
  explicit ByteRange(std::span<const std::byte> bytes) noexcept
      : begin(reinterpret_cast<std::uintptr_t>(bytes.data())), end(begin + bytes.size()) {}
};

bool disjoint(const Tensor& a, const Tensor& b) noexcept {
  const ByteRange x(a.bytes());
  const ByteRange y(b.bytes());
  return x.begin == x.end || y.begin == y.end || x.end <= y.begin || y.end <= x.begin;
}

bool same_elements(const Tensor& a, const Tensor& b) noexcept {
  return a.bytes().data() == b.bytes().data() && a.scalar_type() == b.scalar_type() &&
         std::ranges::equal(a.sizes(), b.sizes()) && a.strides() == b.strides();
}

// Elements are read through typed pointers.
bool aligned(const Tensor& tensor) noexcept {
  const std::uint32_t size = tensor.element_size();
  return size == 0 || reinterpret_cast<std::uintptr_t>(tensor.bytes().data()) % size == 0;
}

}  // namespace

Status Arguments::bad(std::size_t index, std::string expected, std::string found) const {
  return context_->bad_argument(index, std::move(expected), std::move(found));
}

Status Arguments::bad(std::size_t index, std::string expected) const {
  return bad(index, std::move(expected), value(index).describe());
}

Status Arguments::expect_count(std::size_t count) const {
  if (values_.size() == count) return {};
  return context_->bad_call("expected " + std::to_string(count) + " arguments, found " +
                            std::to_string(values_.size()));
}

Result<Tensor*> Arguments::host_tensor(std::size_t index, bool write) const {
  Tensor* const tensor = value(index).to_tensor();
  if (tensor == nullptr) return fail(bad(index, "a tensor"));
  const std::uint64_t bytes = write ? tensor->mutable_bytes().size() : tensor->bytes().size();
  if (bytes != tensor->nbytes() || (write && tensor->read_only())) {
    return fail(bad(index, write ? "a tensor that the host can write" : "a tensor that the host can read"));
  }
  if (!aligned(*tensor)) {
    return fail(bad(index, "elements at a multiple of " + std::to_string(tensor->element_size()) + " bytes"));
  }
  return tensor;
}

Result<const Tensor*> Arguments::tensor(std::size_t index) const {
  BERTH_ASSIGN(Tensor * tensor, host_tensor(index, false));
  return tensor;
}

Result<const Tensor*> Arguments::optional_tensor(std::size_t index) const {
  if (value(index).is_none()) return nullptr;
  return tensor(index);
}

Result<Tensor*> Arguments::writable(std::size_t index) const { return host_tensor(index, true); }

Result<Tensor*> Arguments::out(std::size_t index) const {
  BERTH_ASSIGN(Tensor * tensor, host_tensor(index, true));
  if (value(index + 1).to_tensor() != tensor) {
    return fail(bad(index + 1, "the same tensor as argument " + std::to_string(index)));
  }
  return tensor;
}

Result<std::int64_t> Arguments::integer(std::size_t index) const {
  const Value& item = value(index);
  if (item.is_int()) return item.to_int();
  if (item.is_bool()) return item.to_bool() ? 1 : 0;
  return fail(bad(index, "an int"));
}

Result<std::int64_t> Arguments::integer_or(std::size_t index, std::int64_t otherwise) const {
  if (value(index).is_none()) return otherwise;
  return integer(index);
}

Result<double> Arguments::number(std::size_t index) const {
  const Value& item = value(index);
  if (item.is_int() || item.is_bool() || item.is_double()) return item.to_number();
  return fail(bad(index, "a number"));
}

Result<bool> Arguments::boolean(std::size_t index) const {
  const Value& item = value(index);
  if (!item.is_bool()) return fail(bad(index, "a bool"));
  return item.to_bool();
}

Result<IntList> Arguments::ints(std::size_t index) const {
  const Value& item = value(index);
  if (item.type() != module::ValueType::kIntList) return fail(bad(index, "an int list"));
  return item.to_ints();
}

Result<IntList> Arguments::optional_ints(std::size_t index) const {
  if (value(index).is_none()) return IntList();
  return ints(index);
}

Result<TensorList> Arguments::tensors(std::size_t index) const {
  const Value& item = value(index);
  if (item.type() != module::ValueType::kTensorList) return fail(bad(index, "a tensor list"));
  const TensorList list = item.to_tensors();
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Tensor* const tensor = list[i];
    if (tensor == nullptr || tensor->bytes().size() != tensor->nbytes() || !aligned(*tensor)) {
      return fail(bad(index, "a list of tensors that the host can read"));
    }
  }
  return list;
}

Status Arguments::expect_type(std::size_t index, const Tensor& tensor, module::ScalarType type) const {
  if (tensor.scalar_type() == type) return {};
  return bad(index, std::string("a tensor of ") + program::scalar_type_name(type), tensor.describe());
}

Status Arguments::expect_rank(std::size_t index, const Tensor& tensor, std::size_t rank) const {
  if (tensor.rank() == rank) return {};
  return bad(index, "a tensor of " + std::to_string(rank) + " dimensions", tensor.describe());
}

Status Arguments::expect_sizes(std::size_t index, const Tensor& tensor, std::span<const std::int32_t> sizes) const {
  if (std::ranges::equal(tensor.sizes(), sizes)) return {};
  return bad(index, "a tensor of sizes " + sizes_text(sizes), tensor.describe());
}

Status Arguments::expect_contiguous(std::size_t index, const Tensor& tensor) const {
  if (tensor.shape().contiguous()) return {};
  std::string order;
  for (const std::uint8_t dimension : tensor.dim_order()) {
    order += (order.empty() ? "" : ", ") + std::to_string(dimension);
  }
  return bad(index, "a tensor in the default dim order", tensor.describe() + " in dim order [" + order + "]");
}

Result<std::size_t> Arguments::dimension(std::size_t index, std::int64_t dimension, std::size_t rank) const {
  const auto count = static_cast<std::int64_t>(std::max<std::size_t>(rank, 1));
  if (dimension < -count || dimension >= count) {
    return fail(bad(index, "a dimension from " + std::to_string(-count) + " to " + std::to_string(count - 1),
                    std::to_string(dimension)));
  }
  return static_cast<std::size_t>(dimension < 0 ? dimension + count : dimension);
}

Status Arguments::overlaps(std::size_t index, const Tensor& out) const {
  return bad(index, "an out that does not share memory with an input", out.describe());
}

Status Arguments::expect_apart(const Tensor& out, std::size_t index,
                               std::initializer_list<const Tensor*> inputs) const {
  for (const Tensor* input : inputs) {
    if (input != nullptr && !disjoint(out, *input)) return overlaps(index, out);
  }
  return {};
}

Status Arguments::resize_apart(Tensor& out, std::size_t index, const Sizes& sizes,
                               std::initializer_list<const Tensor*> inputs) const {
  BERTH_RETURN_IF_ERROR(context_->resize(out, sizes.span()));
  return expect_apart(out, index, inputs);
}

Status Arguments::expect_in_place(const Tensor& out, std::size_t index,
                                  std::initializer_list<const Tensor*> inputs) const {
  for (const Tensor* input : inputs) {
    if (input != nullptr && !disjoint(out, *input) && !same_elements(out, *input)) return overlaps(index, out);
  }
  return {};
}

Status Arguments::resize_in_place(Tensor& out, std::size_t index, const Sizes& sizes,
                                  std::initializer_list<const Tensor*> inputs) const {
  BERTH_RETURN_IF_ERROR(context_->resize(out, sizes.span()));
  return expect_in_place(out, index, inputs);
}

}  // namespace berth::reference::detail
