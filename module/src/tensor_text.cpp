#include "tensor_text.h"

namespace berth::module {
namespace detail {
namespace {

std::string list_text(auto items) {
  std::string text = "[";
  for (const auto item : items) {
    if (text.size() > 1) text += ", ";
    text += std::to_string(item);
  }
  return text + "]";
}

}  // namespace

std::string sizes_text(std::span<const std::int32_t> sizes) { return list_text(sizes); }
std::string order_text(std::span<const std::uint8_t> order) { return list_text(order); }

std::string layout_text(ScalarType type, std::span<const std::int32_t> sizes) {
  return program::scalar_type_name(type) + sizes_text(sizes);
}

std::string describe_layout(const Tensor& tensor) { return layout_text(tensor.scalar_type(), tensor.sizes()); }

std::string place_text(const Device* device) { return device == nullptr ? "the host" : device->id().to_string(); }

}  // namespace detail

std::string Tensor::describe() const {
  return detail::describe_layout(*this) + " on " + detail::place_text(storage_.device);
}

}  // namespace berth::module
