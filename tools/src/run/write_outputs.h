// --output-dir: every output of a run as a file.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "berth/core/result.h"
#include "run/compare.h"

namespace berth::cli {

// Writes `<prefix>.outputN.npy` into `folder`, which is made if need be: tensors, and numbers and bools as arrays of
// rank 0; strings go to `<prefix>.outputN.txt`; other values are left out. Returns the files. Failures have origin
// kUsage.
[[nodiscard]] Result<std::vector<std::string>> write_outputs(const std::string& folder, const std::string& prefix,
                                                             std::span<const OutputValue> outputs);

}  // namespace berth::cli
