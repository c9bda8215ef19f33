#include "berth/reference/kernels.h"

#include "berth/reference/delegates.h"
#include "kernel_fixture.h"

namespace berth::reference {
namespace {

TEST(ReferenceTablesTest, ListTheirKernels) {
  module::KernelTable table;
  ASSERT_TRUE(add_reference_kernels(table).ok());
  const std::vector<std::string> expected = {"aten::_local_scalar_dense",
                                             "aten::_log_softmax.out",
                                             "aten::_softmax.out",
                                             "aten::add.out",
                                             "aten::addmm.out",
                                             "aten::argmax.out",
                                             "aten::bmm.out",
                                             "aten::cat.out",
                                             "aten::clone.out",
                                             "aten::convolution.out",
                                             "aten::copy_",
                                             "aten::embedding.out",
                                             "aten::eq.Scalar_out",
                                             "aten::eq.Tensor_out",
                                             "aten::expand_copy.out",
                                             "aten::gelu.out",
                                             "aten::index_put.out",
                                             "aten::max_pool2d_with_indices.out",
                                             "aten::mean.dtype_out",
                                             "aten::mean.out",
                                             "aten::mm.out",
                                             "aten::mul.out",
                                             "aten::native_layer_norm.out",
                                             "aten::permute_copy.out",
                                             "aten::relu.out",
                                             "aten::scalar_tensor.out",
                                             "aten::slice_copy.Tensor_out",
                                             "aten::sum.IntList_out",
                                             "aten::sym_numel",
                                             "aten::sym_size.int",
                                             "aten::view_copy.out",
                                             "aten::where.self_out",
                                             "dim_order_ops::_clone_dim_order.out",
                                             "dim_order_ops::_to_dim_order_copy.out",
                                             "executorch_prim::add.Scalar",
                                             "executorch_prim::ceil.Scalar",
                                             "executorch_prim::eq.Scalar",
                                             "executorch_prim::et_copy_index.tensor",
                                             "executorch_prim::et_view.default",
                                             "executorch_prim::floordiv.Scalar",
                                             "executorch_prim::floordiv.int",
                                             "executorch_prim::ge.Scalar",
                                             "executorch_prim::gt.Scalar",
                                             "executorch_prim::le.Scalar",
                                             "executorch_prim::lt.Scalar",
                                             "executorch_prim::mod.Scalar",
                                             "executorch_prim::mod.int",
                                             "executorch_prim::mul.Scalar",
                                             "executorch_prim::neg.Scalar",
                                             "executorch_prim::round.Scalar",
                                             "executorch_prim::sub.Scalar",
                                             "executorch_prim::sym_float.Scalar",
                                             "executorch_prim::sym_max.Scalar",
                                             "executorch_prim::sym_min.Scalar",
                                             "executorch_prim::truediv.Scalar",
                                             "executorch_prim::trunc.Scalar"};
  EXPECT_EQ(table.names(), expected);
}

TEST(ReferenceTablesTest, RefuseToBeAddedTwice) {
  module::KernelTable kernels;
  ASSERT_TRUE(add_reference_kernels(kernels).ok());
  EXPECT_EQ(add_reference_kernels(kernels).code(), Code::kInvalidArgument);
  module::DelegateTable delegates;
  ASSERT_TRUE(add_reference_delegates(delegates).ok());
  EXPECT_EQ(delegates.ids(), (std::vector<std::string>{"BackendWithCompilerDemo", "ExecutorBackend"}));
  EXPECT_EQ(add_reference_delegates(delegates).code(), Code::kInvalidArgument);
}

}  // namespace
}  // namespace berth::reference
