#include "plugin/saved_signals.h"

#include <cstring>

namespace berth::loader::detail {
namespace {

// The kernel knows 64 signals; what the C library's larger set holds beyond them is arbitrary.
bool equal(const sigset_t& a, const sigset_t& b) {
  constexpr std::size_t kKernelBytes = 8;
  return std::memcmp(&a, &b, kKernelBytes) == 0;
}

bool equal(const struct sigaction& a, const struct sigaction& b) {
  // The handler is a union of two function pointers of one size; sa_sigaction covers both.
  return a.sa_sigaction == b.sa_sigaction && a.sa_flags == b.sa_flags && equal(a.sa_mask, b.sa_mask);
}

std::string signal_text(int number) {
  const char* name = sigabbrev_np(number);
  return name == nullptr ? "signal " + std::to_string(number) : "SIG" + std::string(name);
}

bool can_be_set(int number) { return number != SIGKILL && number != SIGSTOP; }

}  // namespace

SavedSignals::SavedSignals() {
  for (int number = 1; number < static_cast<int>(actions_.size()); ++number) {
    Action& saved = actions_[static_cast<std::size_t>(number)];
    // The two that the C library keeps to itself answer EINVAL.
    saved.known = can_be_set(number) && sigaction(number, nullptr, &saved.action) == 0;
  }
  pthread_sigmask(SIG_BLOCK, nullptr, &mask_);
}

void SavedSignals::restore(std::vector<std::string>& changes) const {
  std::string changed;
  for (int number = 1; number < static_cast<int>(actions_.size()); ++number) {
    const Action& saved = actions_[static_cast<std::size_t>(number)];
    struct sigaction now {};
    if (!saved.known || sigaction(number, nullptr, &now) != 0 || equal(saved.action, now)) continue;
    sigaction(number, &saved.action, nullptr);
    changed += (changed.empty() ? "" : ", ") + signal_text(number);
  }
  if (!changed.empty()) changes.push_back("the signal actions of " + changed);

  sigset_t mask{};
  pthread_sigmask(SIG_BLOCK, nullptr, &mask);
  if (equal(mask, mask_)) return;
  pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
  changes.emplace_back("the signal mask");
}

}  // namespace berth::loader::detail
