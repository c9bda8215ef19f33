// Writes a small .ptd file: linear.weight float[2, 2], linear.bias int64[2], opaque 3 bytes without a layout.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "flat_tensor_generated.h"

namespace berth::program {

[[nodiscard]] std::vector<std::byte> write_data_file(const std::function<void(wire::data::FlatTensorT&)>& edit = {});

}  // namespace berth::program
