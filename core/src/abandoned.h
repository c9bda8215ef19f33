// Objects of drivers that may not be called any more, in a forked child or while the process exits: they are kept for
// ever instead of being destroyed, in a list that leak checkers can see.
#pragma once

#include <memory>

namespace berth::detail {

// Never destroys `object`, also without memory for the list.
void abandon(const void* object) noexcept;
void abandon(const std::shared_ptr<void>& object) noexcept;

template <typename T>
void abandon(std::unique_ptr<T> object) noexcept {
  abandon(static_cast<const void*>(object.release()));
}

}  // namespace berth::detail
