// Asking a driver for a native handle, the same way for devices, buffers and queues.
#pragma once

#include <string>

#include "berth/core/native_handle.h"
#include "berth/core/result.h"
#include "device_state.h"
#include "guard.h"
#include "rules.h"

namespace berth::detail {

// `ask` fills the handle; `what` is "the device", "the buffer" or "the queue". The device is usable.
template <typename Ask>
[[nodiscard]] Result<NativeHandle> native_handle(const DeviceState& state, const DeviceId& id, const char* what,
                                                 Ask ask) {
  const std::string where = state.label(id) + ", native handle of " + what;
  if (!state.properties().can(Capability::kNative)) {
    return fail({.code = Code::kUnsupported,
                 .origin = Origin::kDevice,
                 .where = where,
                 .what = "the plugin gives no native handles"});
  }
  NativeHandle handle;
  if (Status status = ask(handle); !status.ok()) return fail(state.failed(id, status, where));
  if (handle.api.empty()) {
    ErrorInfo fault =
        plugin_fault(rules::kNativeNamed, "the plugin answered success without naming its API", "an API name", "none");
    fault.where = where;
    return fail(std::move(fault));
  }
  return handle;
}

}  // namespace berth::detail
