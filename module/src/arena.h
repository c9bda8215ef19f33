// Arena: one allocation that holds the arrays of a loaded method. Its size is measured first, then arrays are made one
// after the other; they are destroyed by whoever made them.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <type_traits>

#include "arena_blocks.h"
#include "berth/core/result.h"

namespace berth::module::detail {

class Arena {
 public:
  Arena() noexcept = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena() { give_arena_block(block_, bytes_); }

  static constexpr std::size_t kAlignment = 8;
  template <typename T>
  [[nodiscard]] static constexpr std::size_t bytes_for(std::size_t count) noexcept {
    static_assert(alignof(T) <= kAlignment);
    constexpr std::size_t kEach = sizeof(T);  // NOLINT(bugprone-sizeof-expression): arrays of pointers are meant
    return (count * kEach + kAlignment - 1) / kAlignment * kAlignment;
  }

  // Once, before the first make(). `bytes` is the sum of bytes_for all arrays that will be made.
  Status reserve(std::size_t bytes) {
    bytes_ = bytes;
    block_ = take_arena_block(bytes);
    if (block_ != nullptr) return {};
    return Status({.code = Code::kOutOfHostMemory,
                   .origin = Origin::kDevice,
                   .what = "a method's tables of " + std::to_string(bytes) + " bytes cannot be allocated"});
  }

  // Room for `count` objects, which the caller makes in it.
  template <typename T>
  [[nodiscard]] T* room(std::size_t count) noexcept {
    T* const first = reinterpret_cast<T*>(block_ + used_);
    used_ += bytes_for<T>(count);
    return first;
  }
  // `count` objects as `T()` makes them. Those with a constructor are not zeroed before it runs.
  template <typename T>
  [[nodiscard]] std::span<T> make(std::size_t count) noexcept {
    T* const first = room<T>(count);
    if constexpr (std::is_trivially_default_constructible_v<T>) {
      std::uninitialized_value_construct_n(first, count);
    } else {
      std::uninitialized_default_construct_n(first, count);
    }
    return {first, count};
  }

 private:
  std::byte* block_ = nullptr;
  std::size_t bytes_ = 0;
  std::size_t used_ = 0;
};

}  // namespace berth::module::detail
