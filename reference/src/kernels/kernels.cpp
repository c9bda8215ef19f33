#include "berth/reference/kernels.h"

#include "kernels/kernel_lists.h"

namespace berth::reference {

Status add_reference_kernels(module::KernelTable& table) {
  using namespace detail;
  for (const KernelList list : {add_mul_kernels(),         activation_kernels(),      comparison_kernels(),
                                where_kernels(),           matrix_product_kernels(),  convolution_kernels(),
                                max_pool_kernels(),        softmax_kernels(),         layer_norm_kernels(),
                                reduction_kernels(),       argmax_kernels(),          copy_kernels(),
                                reshape_kernels(),         slice_kernels(),           cat_kernels(),
                                embedding_kernels(),       index_put_kernels(),       shape_query_kernels(),
                                prim_arithmetic_kernels(), prim_comparison_kernels(), prim_tensor_kernels()}) {
    for (const KernelEntry& entry : list) BERTH_RETURN_IF_ERROR(table.add(entry.name, entry.overload, entry.kernel));
  }
  return {};
}

}  // namespace berth::reference
