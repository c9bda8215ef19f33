// ErrorStream: standard error, shared by failures, log messages (also from threads of plugins) and progress: whole
// lines, one at a time. Any thread.
#pragma once

#include <mutex>
#include <ostream>
#include <string_view>

namespace berth::cli {

class ErrorStream {
 public:
  explicit ErrorStream(std::ostream& out) : out_(out) {}
  ErrorStream(const ErrorStream&) = delete;
  ErrorStream& operator=(const ErrorStream&) = delete;

  void line(std::string_view text) {
    std::lock_guard lock(mutex_);
    out_ << text << std::endl;
  }

 private:
  std::mutex mutex_;
  std::ostream& out_;
};

}  // namespace berth::cli
