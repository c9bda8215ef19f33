// Whether an output is what was expected.
#pragma once

#include <string>

#include "berth/core/result.h"
#include "npy/array.h"
#include "npy/element.h"
#include "report/run_report.h"
#include "run/value_spec.h"

namespace berth::cli {

// Floating-point numbers match within absolute + relative * |expected|, or when both are NaN or the same infinity;
// everything else matches exactly.
struct Tolerance {
  double relative = 1e-4;
  double absolute = 1e-5;
};

// An output on the host.
struct OutputValue {
  std::variant<std::monostate, Element, Array> value;  // none, a scalar, a tensor
  std::string type;                                    // "int", "float32[2, 3]", "none", "int list"
};

// `where` names the output in messages. kInvalidArgument (origin kUsage) when the two are of different kinds or dtypes:
// names expected and found. Another shape is an answer, not an error. Errors of read_npy pass through.
[[nodiscard]] Result<Comparison> compare(const std::string& where, const OutputValue& output, const ValueSpec& expected,
                                         const Tolerance& tolerance);

}  // namespace berth::cli
