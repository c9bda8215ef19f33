// The reference delegates: the two that official exporters can target without hardware. They compute on the host and
// reach device tensors through copies only, so they run on every device that a plugin serves.
#pragma once

#include "berth/core/api.h"
#include "berth/core/status.h"
#include "berth/module/delegate_table.h"

namespace berth::reference {

// Adds both to `table`. kInvalidArgument (origin kUsage) when one of the ids is taken. Not to be called while another
// thread reads `table`.
//
//   BackendWithCompilerDemo  its blob is text: one aten.add.Tensor over a fixed number of elements. Arguments: in, in,
//                            out; or in, out when both operands are one value.
//   ExecutorBackend          its blob is a whole program with one method, whose inputs and outputs are the arguments in
//                            this order. It runs with the kernels and delegates of the outer program; at most
//                            module::kMaxDepth programs deep.
BERTH_API Status add_reference_delegates(module::DelegateTable& table);

}  // namespace berth::reference
