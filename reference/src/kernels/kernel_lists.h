// The kernels by the file that defines them, and the type of their entries. A new kernel is an entry in its file's
// list; a new file is a line here and in kernels.cpp.
#pragma once

#include <span>

#include "berth/module/kernel.h"

namespace berth::reference::detail {

struct KernelEntry {
  const char* name;
  const char* overload;
  module::Kernel kernel;
};
using KernelList = std::span<const KernelEntry>;

[[nodiscard]] KernelList add_mul_kernels() noexcept;
[[nodiscard]] KernelList activation_kernels() noexcept;
[[nodiscard]] KernelList comparison_kernels() noexcept;
[[nodiscard]] KernelList where_kernels() noexcept;
[[nodiscard]] KernelList matrix_product_kernels() noexcept;
[[nodiscard]] KernelList convolution_kernels() noexcept;
[[nodiscard]] KernelList max_pool_kernels() noexcept;
[[nodiscard]] KernelList softmax_kernels() noexcept;
[[nodiscard]] KernelList layer_norm_kernels() noexcept;
[[nodiscard]] KernelList reduction_kernels() noexcept;
[[nodiscard]] KernelList argmax_kernels() noexcept;
[[nodiscard]] KernelList copy_kernels() noexcept;
[[nodiscard]] KernelList reshape_kernels() noexcept;
[[nodiscard]] KernelList slice_kernels() noexcept;
[[nodiscard]] KernelList cat_kernels() noexcept;
[[nodiscard]] KernelList embedding_kernels() noexcept;
[[nodiscard]] KernelList index_put_kernels() noexcept;
[[nodiscard]] KernelList shape_query_kernels() noexcept;
[[nodiscard]] KernelList prim_arithmetic_kernels() noexcept;
[[nodiscard]] KernelList prim_comparison_kernels() noexcept;
[[nodiscard]] KernelList prim_tensor_kernels() noexcept;

}  // namespace berth::reference::detail
