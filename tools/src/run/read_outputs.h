// The outputs of a run, brought to the host.
#pragma once

#include <span>
#include <vector>

#include "berth/module/copy_report.h"
#include "berth/module/value.h"
#include "report/run_report.h"
#include "run/compare.h"

namespace berth::cli {

struct ReadOutputs {
  std::vector<OutputValue> values;
  std::vector<OutputRow> rows;
  module::CopyCount read_back;  // copies from devices
};

// `method` is named in messages. Errors as Tensor::read, naming the output.
[[nodiscard]] Result<ReadOutputs> read_outputs(std::string_view method, std::span<const module::Value> outputs);

}  // namespace berth::cli
