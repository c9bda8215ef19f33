// The header of a .npy file: a Python dictionary with the keys descr, fortran_order and shape, in any order.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "berth/core/result.h"

namespace berth::cli {

struct NpyHeader {
  std::string descr;  // "<f4"
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
};

// Parses the dictionary. The answer's text says what is wrong with it.
[[nodiscard]] Result<NpyHeader> parse_npy_header(std::string_view text);

}  // namespace berth::cli
