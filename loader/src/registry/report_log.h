// ReportLog: the growing load report, and warnings to the caller's log. Any thread.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "berth/core/log.h"
#include "berth/loader/load_report.h"

namespace berth::loader::detail {

class ReportLog {
 public:
  explicit ReportLog(std::shared_ptr<LogSink> sink) : sink_(std::move(sink)) {}

  void add(LoadRecord record) {
    const std::lock_guard guard(lock_);
    report_.records.push_back(std::move(record));
  }
  [[nodiscard]] LoadReport report() const {
    const std::lock_guard guard(lock_);
    return report_;
  }
  void warn(const std::string& text) const {
    if (sink_ != nullptr) sink_->log(LogLevel::kWarning, text);
  }

 private:
  std::shared_ptr<LogSink> sink_;
  mutable std::mutex lock_;
  LoadReport report_;
};

}  // namespace berth::loader::detail
