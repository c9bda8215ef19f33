#include "npy/array.h"

#include <array>
#include <cstring>
#include <utility>

namespace berth::cli {
namespace {

// Calls `visit(c_index, tensor_index)` for every element: its place in C order and in the tensor's own order.
template <typename Visit>
void for_each_element(const module::Shape& shape, Visit visit) {
  const auto strides = shape.strides();
  std::array<std::int32_t, module::kMaxRank> position = {};
  const auto count = static_cast<std::size_t>(shape.numel());
  std::int64_t tensor_index = 0;
  for (std::size_t c_index = 0; c_index < count; ++c_index) {
    visit(c_index, static_cast<std::size_t>(tensor_index));
    for (std::size_t d = shape.rank; d-- > 0;) {
      tensor_index += strides[d];
      if (++position[d] < shape.sizes[d]) break;
      tensor_index -= strides[d] * shape.sizes[d];
      position[d] = 0;
    }
  }
}

}  // namespace

std::string ArrayType::describe() const {
  std::string text = program::scalar_type_name(scalar_type);
  text += "[";
  for (std::size_t i = 0; i < sizes.size(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(sizes[i]);
  return text + "]";
}

std::vector<std::byte> to_tensor_order(std::span<const std::byte> bytes, const module::Shape& shape,
                                       std::size_t element_size) {
  if (shape.contiguous()) return {bytes.begin(), bytes.end()};
  std::vector<std::byte> result(bytes.size());
  for_each_element(shape, [&](std::size_t c_index, std::size_t tensor_index) {
    std::memcpy(&result[tensor_index * element_size], &bytes[c_index * element_size], element_size);
  });
  return result;
}

std::vector<std::byte> to_c_order(std::span<const std::byte> bytes, const module::Shape& shape,
                                  std::size_t element_size) {
  if (shape.contiguous()) return {bytes.begin(), bytes.end()};
  std::vector<std::byte> result(bytes.size());
  for_each_element(shape, [&](std::size_t c_index, std::size_t tensor_index) {
    std::memcpy(&result[c_index * element_size], &bytes[tensor_index * element_size], element_size);
  });
  return result;
}

Result<Array> array_of(const module::Tensor& tensor) {
  Array array;
  array.type = {tensor.scalar_type(), {tensor.sizes().begin(), tensor.sizes().end()}};
  std::vector<std::byte> bytes(tensor.nbytes());
  if (!bytes.empty()) BERTH_FAIL_IF_ERROR(tensor.read(bytes));
  array.bytes = to_c_order(bytes, tensor.shape(), tensor.element_size());
  return array;
}

}  // namespace berth::cli
