#include "shape.h"

#include <string>

namespace berth::program::detail {

namespace {

template <typename T>
std::string join(std::span<const T> items) {
  std::string text = "[";
  for (std::size_t i = 0; i < items.size(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(items[i]);
  return text + "]";
}

}  // namespace

std::string list_text(std::span<const std::int32_t> items) { return join(items); }
std::string list_text(std::span<const std::uint8_t> items) { return join(items); }

Complaint shape_complaint(std::span<const std::int32_t> sizes, std::span<const std::uint8_t> order) {
  if (sizes.data() == nullptr || order.data() == nullptr) {
    return {.what = sizes.data() == nullptr ? "the tensor has no sizes" : "the tensor has no dim order",
            .expected = "sizes and dim order"};
  }
  if (sizes.size() > kLargestRank) {
    return {.what = "the tensor has too many dimensions",
            .expected = "at most " + std::to_string(kLargestRank),
            .found = std::to_string(sizes.size())};
  }
  if (sizes.size() != order.size()) {
    return {.what = "sizes and dim order of the tensor differ in length",
            .expected = std::to_string(sizes.size()) + " dimensions in the dim order",
            .found = std::to_string(order.size())};
  }
  for (const std::int32_t size : sizes) {
    if (size >= 0) continue;
    return {
        .what = "the tensor has a negative size", .expected = "sizes of at least 0", .found = "sizes " + join(sizes)};
  }
  return {.what = "the dim order of the tensor is no permutation of its dimensions",
          .expected = "each of the " + std::to_string(sizes.size()) + " dimensions once",
          .found = "dim order " + join(order)};
}

Complaint bytes_complaint(std::span<const std::int32_t> sizes, ScalarType type) {
  return {.what = "the tensor has more bytes than can be counted",
          .expected = "less than 2^63 bytes",
          .found = "sizes " + join(sizes) + " of " + scalar_type_name(type)};
}

}  // namespace berth::program::detail
