// The container around the flatbuffer of a .pte file: identifier, extended header, segment area.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "berth/core/status.h"

namespace berth::program::detail {

struct Container {
  std::span<const std::byte> flatbuffer;
  std::span<const std::byte> segments;  // the segment area; offsets of segments count from its start
};

// Checks identifier and extended header and sets `out`. `head` holds at least the flatbuffer part, aligned to 16;
// `whole` is the whole file, which is `head` itself or a mapping. kInvalidProgram says what is wrong.
[[nodiscard]] Status read_container(std::string_view file, std::span<const std::byte> head,
                                    std::span<const std::byte> whole, Container& out);

// How many of a file's bytes must be read into memory when its segments are mapped: the flatbuffer part, or the whole
// file when the header does not say. For read_file.
[[nodiscard]] std::uint64_t flatbuffer_part(std::span<const std::byte> first_bytes, std::uint64_t file_bytes);

}  // namespace berth::program::detail
