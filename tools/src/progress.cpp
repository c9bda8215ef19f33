#include "progress.h"

#include <system_error>
#include <utility>

namespace berth::cli {
namespace {

constexpr std::chrono::seconds kFirst{1};
constexpr std::chrono::seconds kNext{5};

}  // namespace

Progress::Progress(ErrorStream& err, std::string what)
    : err_(err), what_(std::move(what)), start_(std::chrono::steady_clock::now()) {
  try {
    thread_ = std::thread([this] { watch(); });
  } catch (const std::system_error&) {
    // No more threads here: the work itself matters, its progress does not.
  }
}

Progress::~Progress() {
  if (!thread_.joinable()) return;
  {
    std::lock_guard lock(mutex_);
    done_ = true;
  }
  done_changed_.notify_all();
  thread_.join();
}

void Progress::now(std::string what) {
  std::lock_guard lock(mutex_);
  what_ = std::move(what);
}

void Progress::watch() {
  std::unique_lock lock(mutex_);
  auto next = start_ + kFirst;
  while (!done_changed_.wait_until(lock, next, [this] { return done_; })) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - start_);
    err_.line("... " + what_ + " (" + std::to_string(seconds.count()) + " s)");
    next += kNext;
  }
}

}  // namespace berth::cli
