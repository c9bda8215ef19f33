#include "plugin/saved_thread_modes.h"

namespace berth::loader::detail {
namespace {

// Rounding, trapping and, where the processor has them, flush-to-zero modes; sticky exception flags may change.
bool equal_modes(const std::fenv_t& a, const std::fenv_t& b) {
#if defined(__x86_64__)
  constexpr unsigned int kStickyFlags = 0x3f;
  return a.__control_word == b.__control_word && (a.__mxcsr & ~kStickyFlags) == (b.__mxcsr & ~kStickyFlags);
#elif defined(__aarch64__)
  return a.__fpcr == b.__fpcr;
#else
#error "say here which fields of fenv_t are modes on this processor"
#endif
}

std::string process_locale() {
  const char* name = std::setlocale(LC_ALL, nullptr);
  return name == nullptr ? std::string() : name;
}

}  // namespace

SavedThreadModes::SavedThreadModes() : locale_(process_locale()), thread_locale_(uselocale(nullptr)) {
  std::fegetenv(&floating_point_);
}

void SavedThreadModes::restore(std::vector<std::string>& changes) const {
  const bool thread_locale_changed = uselocale(nullptr) != thread_locale_;
  if (thread_locale_changed) uselocale(thread_locale_);
  const bool locale_changed = process_locale() != locale_;
  if (locale_changed) std::setlocale(LC_ALL, locale_.c_str());
  if (locale_changed || thread_locale_changed) changes.emplace_back("the locale");

  std::fenv_t now{};
  std::fegetenv(&now);
  if (equal_modes(now, floating_point_)) return;
  std::fesetenv(&floating_point_);
  changes.emplace_back("the floating-point environment");
}

}  // namespace berth::loader::detail
