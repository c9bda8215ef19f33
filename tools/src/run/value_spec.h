// A value as the command line or a test case gives it: a file, a number, ... Not yet fitted to what a program takes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "berth/core/result.h"
#include "berth/program/bundled_program.h"
#include "npy/array.h"

namespace berth::cli {

// A .npy file, read once it is known to be of the right type.
struct ArrayFile {
  std::string path;
};

struct ValueSpec {
  std::string source;  // for reports: "int:3", "x.npy", "test case 0"
  std::variant<std::monostate, bool, std::int64_t, double, std::string, ArrayFile, Array> value;

  // "int 3", "float32[2, 3]", "none": for messages. Files are named by their path.
  [[nodiscard]] std::string describe() const;
};

// "int:3", "double:0.5", "bool:true", "string:x", "none"; everything else is the path of a .npy file. kInvalidArgument
// (origin kUsage) when what follows the colon is no such value. `option` is named in messages: "--input".
[[nodiscard]] Result<ValueSpec> parse_value_spec(std::string_view option, const std::string& text);

// A value of a .bpte test case, its elements in C order. kInvalidProgram when the tensor's description is impossible.
[[nodiscard]] Result<ValueSpec> value_spec_of(const program::BundledValue& value, std::string source);

}  // namespace berth::cli
