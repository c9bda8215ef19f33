// RunObserver: follows loading and running of methods, for tracing. Called on the thread that loads or runs; the begin
// and end of events nest. Observers do not call back into the Module and do not throw.
#pragma once

#include <cstdint>
#include <string_view>

#include "berth/core/api.h"
#include "berth/core/status.h"
#include "berth/module/copy_report.h"

namespace berth::module {

enum class RunEventKind : std::uint8_t { kLoad, kRun, kInstruction, kDelegate, kCopy };

struct RunEvent {
  RunEventKind kind = RunEventKind::kRun;
  std::string_view method = {};
  // kInstruction: the operator ("aten::add"), or "move", "jump", "free"; kDelegate: the delegate's id; kCopy: the
  // cause.
  std::string_view name = {};
  std::uint32_t chain = 0;                                 // kInstruction, kDelegate
  std::uint32_t instruction = 0;                           // kInstruction, kDelegate
  CopyDirection direction = CopyDirection::kHostToDevice;  // kCopy
  std::uint64_t bytes = 0;                                 // kCopy
};

class BERTH_API RunObserver {
 public:
  virtual ~RunObserver();
  virtual void begin(const RunEvent& event) noexcept = 0;
  virtual void end(const RunEvent& event, const Status& status) noexcept = 0;
};

}  // namespace berth::module
