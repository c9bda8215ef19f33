// What belongs to the whole process and what a plugin, its dependencies or its driver may therefore not change: saved
// before their code runs for the first time, compared and restored afterwards.
//
// Saved: signal actions, this thread's signal mask, locale and floating-point environment, the working directory,
// standard input, output and error, the environment. Guards exclude each other, so that a change is put down to the
// right plugin. A change that another thread of the program makes meanwhile is taken back as well: callers that set up
// such things should do so before they open devices.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace berth::loader::detail {

class ProcessStateGuard {
 public:
  // Waits for other guards, then saves.
  ProcessStateGuard();
  ProcessStateGuard(const ProcessStateGuard&) = delete;
  ProcessStateGuard& operator=(const ProcessStateGuard&) = delete;
  ~ProcessStateGuard();  // as restore()

  // Puts back what has changed and names it: "the signal actions of SIGFPE and SIGSEGV", "the locale". Lets other
  // guards in. Only the first call does anything.
  std::vector<std::string> restore();

 private:
  struct Saved;
  std::unique_ptr<Saved> saved_;
};

}  // namespace berth::loader::detail
