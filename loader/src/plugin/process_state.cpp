#include "plugin/process_state.h"

#include <mutex>
#include <utility>

#include "plugin/per_process.h"
#include "plugin/saved_environment.h"
#include "plugin/saved_files.h"
#include "plugin/saved_signals.h"
#include "plugin/saved_thread_modes.h"

namespace berth::loader::detail {
namespace {

// The process has one state, hence one lock for all registries.
constinit PerProcess<std::mutex> state_lock;

}  // namespace

struct ProcessStateGuard::Saved {
  std::unique_lock<std::mutex> lock{state_lock.get()};
  SavedSignals signals;
  SavedThreadModes modes;
  SavedFiles files;
  SavedEnvironment environment;
};

ProcessStateGuard::ProcessStateGuard() : saved_(std::make_unique<Saved>()) {}

ProcessStateGuard::~ProcessStateGuard() { restore(); }

std::vector<std::string> ProcessStateGuard::restore() {
  std::vector<std::string> changes;
  const std::unique_ptr<Saved> saved = std::exchange(saved_, nullptr);
  if (saved == nullptr) return changes;
  saved->signals.restore(changes);
  saved->modes.restore(changes);
  saved->files.restore(changes);
  saved->environment.restore(changes);
  return changes;
}

}  // namespace berth::loader::detail
