// The kinds of memory and the heaps that a mock device shows. The grammar of the options is in README.md.
//
//   kinds = kind { ";" kind }         kind  = word { "," word }
//   word  = "local" | "visible" | "coherent" | "address" | "flat" | key "=" value
//   key   = "heap" | "size_multiple" | "min_alignment" | "max_alignment" | "max_allocation"
//   heaps = size { ";" size }
#pragma once

#include <berth/plugin.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace berth::mock {

struct Kind {
  std::uint32_t flags = 0;  // BERTH_KIND_*
  std::uint32_t heap = 0;
  std::uint64_t size_multiple = 1;
  std::uint64_t min_alignment = 64;
  std::uint64_t max_alignment = std::uint64_t{1} << 21;
  std::uint64_t max_allocation = BERTH_NO_LIMIT;

  bool has(std::uint32_t flag) const { return (flags & flag) != 0; }
};

// What a device made of plain host memory shows: local, visible, coherent, with flat addresses.
inline constexpr std::uint32_t kPlainKind = BERTH_KIND_DEVICE_LOCAL | BERTH_KIND_HOST_VISIBLE |
                                            BERTH_KIND_HOST_COHERENT | BERTH_KIND_HAS_ADDRESS | BERTH_KIND_FLAT_ADDRESS;

// Blank text: one plain kind. Fields that the text does not give are those of `base`.
// Throws plugin::Failure INVALID_ARGUMENT.
std::vector<Kind> parse_kinds(std::string_view text, const Kind& base);

// Blank text: one heap of `capacity`. Throws plugin::Failure INVALID_ARGUMENT.
std::vector<std::uint64_t> parse_heaps(std::string_view text, std::uint64_t capacity);

// Refuses kinds that contradict themselves or name a heap that does not exist: plugin::Failure INVALID_ARGUMENT.
void check_kinds(const std::vector<Kind>& kinds, std::size_t heap_count);

}  // namespace berth::mock
