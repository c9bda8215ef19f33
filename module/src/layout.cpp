#include "layout.h"

#include <cstring>

namespace berth::module::detail {

bool same_order(std::span<const std::int32_t> sizes, std::span<const std::uint8_t> first,
                std::span<const std::uint8_t> second) noexcept {
  if (first.size() != second.size()) return false;
  if (first.empty() || std::memcmp(first.data(), second.data(), first.size()) == 0) return true;
  std::size_t a = 0;
  std::size_t b = 0;
  while (true) {
    while (a < first.size() && sizes[first[a]] == 1) ++a;
    while (b < second.size() && sizes[second[b]] == 1) ++b;
    if (a == first.size() || b == second.size()) return a == first.size() && b == second.size();
    if (first[a++] != second[b++]) return false;
  }
}

}  // namespace berth::module::detail
