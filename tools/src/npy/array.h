// Array: elements in C order (last dimension fastest), as NumPy files hold them and as people count them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "berth/core/result.h"
#include "berth/module/shape.h"
#include "berth/module/tensor.h"

namespace berth::cli {

// What an array holds, without its elements.
struct ArrayType {
  program::ScalarType scalar_type = program::ScalarType::kFloat;
  std::vector<std::int32_t> sizes;  // empty: a scalar

  // "float32[2, 3]".
  [[nodiscard]] std::string describe() const;
};

struct Array {
  ArrayType type;
  std::vector<std::byte> bytes;  // exactly as many as the type says
};

// Between C order and the order in which a tensor of `shape` keeps its elements. `bytes` are as many as the shape has;
// so are those of the answer.
[[nodiscard]] std::vector<std::byte> to_tensor_order(std::span<const std::byte> bytes, const module::Shape& shape,
                                                     std::size_t element_size);
[[nodiscard]] std::vector<std::byte> to_c_order(std::span<const std::byte> bytes, const module::Shape& shape,
                                                std::size_t element_size);

// The elements of a tensor, read through its device. Errors as Tensor::read.
[[nodiscard]] Result<Array> array_of(const module::Tensor& tensor);

}  // namespace berth::cli
