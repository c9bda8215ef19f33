// From what the user gives to the Values that a method takes: arrays checked against the program, brought into the
// program's dim order and, for inputs that must be on a device already, staged there.
#pragma once

#include <span>
#include <vector>

#include "berth/module/module.h"
#include "report/run_report.h"
#include "run/value_spec.h"

namespace berth::cli {

struct PreparedInputs {
  std::vector<module::Value> values;
  std::vector<InputRow> rows;
  module::CopyCount staged;  // copies to devices
};

// `specs` empty means ones for tensors and, for other values, those that the program was made with. The method's
// devices must be known to the module's registry. Errors:
//   kInvalidArgument (origin kUsage)  wrong number of inputs; wrong kind of value, dtype or shape; nothing given where
//                                     the program needs a value that cannot be made up
//   those of read_npy, of Tensor::from_data and of the device that an input is staged on
[[nodiscard]] Result<PreparedInputs> prepare_inputs(module::Module& module, const program::MethodPlan& plan,
                                                    std::span<const ValueSpec> specs);

}  // namespace berth::cli
