// Part of ProcessStateGuard: signal actions and the calling thread's signal mask.
#pragma once

#include <array>
#include <csignal>
#include <string>
#include <vector>

namespace berth::loader::detail {

class SavedSignals {
 public:
  SavedSignals();
  // Puts back what has changed; adds a line to `changes` for each kind of change.
  void restore(std::vector<std::string>& changes) const;

 private:
  struct Action {
    bool known = false;
    struct sigaction action {};
  };
  std::array<Action, 65> actions_;  // by signal number
  sigset_t mask_{};
};

}  // namespace berth::loader::detail
