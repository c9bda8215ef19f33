// Device drivers do not survive fork(): a child that uses a parent's device hangs or worse. A counter that a
// pthread_atfork handler raises in the child lets every device refuse, without a system call on the way.
#pragma once

#include <cstdint>

#include "berth/core/api.h"

namespace berth {

// 0 in the first process, one more in each forked child. Any thread, never fails.
[[nodiscard]] BERTH_API std::uint32_t fork_generation() noexcept;

}  // namespace berth
