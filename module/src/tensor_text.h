// Tensors as text for messages.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "berth/module/tensor.h"

namespace berth::module::detail {

// "[2, 3]"
[[nodiscard]] std::string sizes_text(std::span<const std::int32_t> sizes);
// "[0, 2, 3, 1]"
[[nodiscard]] std::string order_text(std::span<const std::uint8_t> order);
// "float32[2, 3]"
[[nodiscard]] std::string layout_text(ScalarType type, std::span<const std::int32_t> sizes);
[[nodiscard]] std::string describe_layout(const Tensor& tensor);
// "host" or "cuda:0".
[[nodiscard]] std::string place_text(const Device* device);

}  // namespace berth::module::detail
