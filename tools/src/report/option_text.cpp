#include "report/option_text.h"

#include <type_traits>

#include "report/text.h"

namespace berth::cli {

std::string option_text(const loader::OptionValue& value) {
  return std::visit(
      [](const auto& item) -> std::string {
        using Item = std::decay_t<decltype(item)>;
        if constexpr (std::is_same_v<Item, bool>) {
          return item ? "true" : "false";
        } else if constexpr (std::is_same_v<Item, std::string>) {
          return "\"" + item + "\"";
        } else if constexpr (std::is_same_v<Item, double>) {
          return number_text(item);
        } else {
          return std::to_string(item);
        }
      },
      value);
}

std::string options_text(const std::vector<loader::PluginOption>& options) {
  if (options.empty()) return "none";
  std::string text;
  for (const loader::PluginOption& option : options) {
    text += text.empty() ? "{ " : ", ";
    text += option.key + " = " + option_text(option.value);
  }
  return text + " }";
}

std::string selector_text(const loader::DeviceSelector& selector) {
  const std::string source = selector.environment.empty() ? "" : " (from " + selector.environment + ")";
  if (selector.ordinal.has_value()) return "ordinal " + std::to_string(*selector.ordinal) + source;
  if (selector.uuid.has_value()) return "uuid " + *selector.uuid;
  if (selector.pci.has_value()) return "pci " + *selector.pci;
  return "ordinal unknown" + source;
}

}  // namespace berth::cli
