// Who a method's memory belongs to in the books of a device.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace berth::module::detail {

// "add_cuda0.pte/forward". Cut off where it is absurdly long.
class OwnerText {
 public:
  OwnerText(std::string_view file_name, std::string_view method) noexcept {
    append(file_name);
    append("/");
    append(method);
  }
  [[nodiscard]] std::string_view view() const noexcept { return {text_, size_}; }

 private:
  void append(std::string_view part) noexcept {
    const std::size_t count = std::min(part.size(), sizeof(text_) - size_);
    std::copy_n(part.data(), count, text_ + size_);
    size_ += count;
  }
  char text_[256];
  std::size_t size_ = 0;
};

}  // namespace berth::module::detail
