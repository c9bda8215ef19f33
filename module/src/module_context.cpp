#include "module_context.h"

namespace berth::module::detail {

std::optional<std::span<const std::byte>> ModuleContext::find(std::string_view key) const noexcept {
  if (const auto own = program->named_data(key)) return own;
  if (const program::NamedTensor* const tensor = find_tensor(key)) return tensor->data;
  return std::nullopt;
}

const program::NamedTensor* ModuleContext::find_tensor(std::string_view key) const noexcept {
  for (const auto& file : options.data_files) {
    if (const program::NamedTensor* const tensor = file->find(key)) return tensor;
  }
  return nullptr;
}

}  // namespace berth::module::detail
