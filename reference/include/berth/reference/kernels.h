// The reference kernels: host functions for the operators of the example programs, written to be read and to be right,
// not to be fast. They compute on host tensors only; ../module/copy_operators.h has the operators that reach devices.
#pragma once

#include "berth/core/api.h"
#include "berth/core/status.h"
#include "berth/module/kernel_table.h"

namespace berth::reference {

// Adds every reference kernel to `table`. kInvalidArgument (origin kUsage) when one of their names is taken; those
// before it are in the table then. Not to be called while another thread reads `table`.
//
//   elementwise     aten::add.out, mul.out, relu.out, gelu.out, eq.Scalar_out, eq.Tensor_out, where.self_out
//   products        aten::mm.out, bmm.out, addmm.out, convolution.out (1d and 2d)
//   normalisation   aten::_softmax.out, _log_softmax.out, native_layer_norm.out, max_pool2d_with_indices.out
//   reductions      aten::sum.IntList_out, mean.out, mean.dtype_out, argmax.out
//   movement        aten::permute_copy.out, view_copy.out, expand_copy.out, slice_copy.Tensor_out, cat.out, clone.out,
//                   copy_, embedding.out, index_put.out, scalar_tensor.out,
//                   dim_order_ops::_to_dim_order_copy.out, _clone_dim_order.out
//   shapes          aten::sym_size.int, sym_numel, _local_scalar_dense,
//                   executorch_prim::{add,sub,mul,floordiv,truediv,mod,neg,eq,gt,lt,ge,le,sym_float,sym_max,sym_min,
//                   ceil,round,trunc}.Scalar, floordiv.int, mod.int, et_view.default, et_copy_index.tensor
//
// Every kernel checks count and types of its arguments, ranks, extents and overlap before it writes, resizes its out
// within the out's capacity, and answers kInvalidProgram (origin kInput) with operator, argument, expected and found.
// Both operands of an elementwise operator must have one dtype: exporters insert the conversions. Elementwise operators
// and those that move elements take any dim order; the others say when they need the default one.
BERTH_API Status add_reference_kernels(module::KernelTable& table);

}  // namespace berth::reference
