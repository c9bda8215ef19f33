// Style: colour for people on a terminal; plain text when off.
#pragma once

#include <string>
#include <string_view>

namespace berth::cli {

struct Style {
  bool colour = false;

  [[nodiscard]] std::string title(std::string_view text) const { return wrap("\033[1m", text); }
  [[nodiscard]] std::string good(std::string_view text) const { return wrap("\033[32m", text); }
  [[nodiscard]] std::string warning(std::string_view text) const { return wrap("\033[33m", text); }
  [[nodiscard]] std::string bad(std::string_view text) const { return wrap("\033[31m", text); }

 private:
  [[nodiscard]] std::string wrap(std::string_view code, std::string_view text) const {
    if (!colour) return std::string(text);
    return std::string(code).append(text).append("\033[0m");
  }
};

}  // namespace berth::cli
