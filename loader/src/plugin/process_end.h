// The end of the process: plugins are not called any more once exit handlers run, since what they and their drivers
// keep in static objects may be gone.
#pragma once

namespace berth::loader::detail {

// Notices exit() from now on, before the destructors of static objects that exist by now. Idempotent.
void watch_process_end() noexcept;

// Whether exit handlers run, as far as watch_process_end was called before.
[[nodiscard]] bool process_is_ending() noexcept;

}  // namespace berth::loader::detail
