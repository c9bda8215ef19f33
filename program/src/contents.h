// What a Program owns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "arena.h"
#include "berth/program/program.h"
#include "block.h"
#include "file_bytes.h"

namespace berth::program {

namespace detail {

struct NamedBytes {
  std::string_view key;
  std::span<const std::byte> bytes;
};

}  // namespace detail

struct Program::Contents {
  std::string name;
  std::uint64_t file_bytes = 0;
  std::span<const MethodPlan> methods;
  std::span<const detail::NamedBytes> named_data;
  bool legacy = false;
  std::uint32_t unplaced_tags = 0;
  // The memory behind all of the above.
  detail::Block block;
  detail::Mapping mapping;
  detail::Arena arena;
};

}  // namespace berth::program
