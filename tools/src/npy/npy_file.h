// NumPy array files (.npy), formats 1.0 to 3.0.
//
// Written through xtensor. Read by code of our own: xtensor 0.24 takes the bytes of the header's length as signed, so
// it misreads headers of 128 bytes and more; it allocates what a header claims before it looks whether the file has as
// much, wraps negative and huge extents, and hands out uninitialised memory for a truncated file.
#pragma once

#include <cstdint>
#include <string>

#include "berth/core/result.h"
#include "npy/array.h"

namespace berth::cli {

// All failures have origin kInput and name the file, what was expected and found:
//   kNotFound, kNoPermission, kIoError  the file cannot be read
//   kInvalidData                        it is no .npy file, is damaged, or holds what tensors cannot hold (objects,
//                                       structures, text, complex numbers), big-endian or Fortran-ordered elements
// The elements are not looked at, but are known to be there in the file.
[[nodiscard]] Result<ArrayType> read_npy_type(const std::string& path);
// The whole array. Also kOutOfHostMemory.
[[nodiscard]] Result<Array> read_npy(const std::string& path);

// Writes `array` to `path`, replacing what is there. Half and bfloat16 elements are written as float32, which holds all
// of their values. kUnsupported (origin kUsage): NumPy has no such element type; kIoError (origin kUsage): the file
// cannot be written.
Status write_npy(const std::string& path, const Array& array);

}  // namespace berth::cli
