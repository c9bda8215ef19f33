// Progress: tells on standard error that a piece of work is still going on once it has taken longer than a second, and
// again every five. Nothing is written for shorter work.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "error_stream.h"

namespace berth::cli {

class Progress {
 public:
  // `what` is what the user waits for: "opening the devices". Without a thread to be had nothing is shown.
  Progress(ErrorStream& err, std::string what);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  // What is going on now: "run 12 of 100".
  void now(std::string what);

 private:
  void watch();
  ErrorStream& err_;
  std::mutex mutex_;
  std::condition_variable done_changed_;
  bool done_ = false;
  std::string what_;
  std::chrono::steady_clock::time_point start_;
  std::thread thread_;
};

}  // namespace berth::cli
