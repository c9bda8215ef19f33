// Part of PluginDriver, for its source files alone: calls that are guarded the first time, and allocation arguments.
#pragma once

#include <utility>

#include "plugin/plugin_call.h"
#include "plugin/plugin_driver.h"
#include "plugin/process_state.h"

namespace berth::loader::detail {

template <typename Call>
Status PluginDriver::guard_first(FirstUse use, const char* function, Call&& call) noexcept {
  if ((used_.load(std::memory_order_relaxed) & use) != 0) [[likely]] {
    return call_plugin(who(), function, std::forward<Call>(call));
  }
  ProcessStateGuard guard;
  Status status = call_plugin(who(), function, std::forward<Call>(call));
  if (status.ok()) used_.fetch_or(use, std::memory_order_relaxed);
  for (const std::string& change : guard.restore()) {
    instance_->warn(who() + " changed " + change + " in its first " + function + "; it was restored");
  }
  return status;
}

[[nodiscard]] inline berth_allocate_args to_abi(const AllocationRequest& request) noexcept {
  berth_allocate_args args{};
  args.struct_size = sizeof args;
  args.size = request.bytes;
  args.alignment = request.alignment;
  args.kind = request.kind;
  return args;
}

}  // namespace berth::loader::detail
