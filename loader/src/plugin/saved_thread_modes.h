// Part of ProcessStateGuard: the locale, and the calling thread's locale and floating-point environment.
#pragma once

#include <cfenv>
#include <clocale>
#include <string>
#include <vector>

namespace berth::loader::detail {

class SavedThreadModes {
 public:
  SavedThreadModes();
  // Puts back what has changed; adds a line to `changes` for each kind of change.
  void restore(std::vector<std::string>& changes) const;

 private:
  std::string locale_;
  locale_t thread_locale_;
  std::fenv_t floating_point_{};
};

}  // namespace berth::loader::detail
