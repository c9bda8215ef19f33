// Bounce: a bounded piece of host memory through which bytes go where no direct way exists. Small ranges use the
// stack; larger ones a heap block of at most kChunk bytes, and the stack again when there is no heap.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

namespace berth::detail {

class Bounce {
 public:
  static constexpr std::uint64_t kChunk = std::uint64_t{1} << 20;

  explicit Bounce(std::uint64_t bytes) noexcept {
    if (bytes <= sizeof stack_) return;
    const std::uint64_t wanted = std::min(bytes, kChunk);
    heap_.reset(new (std::nothrow) std::byte[wanted]);
    if (heap_ != nullptr) size_ = wanted;
  }
  Bounce(const Bounce&) = delete;
  Bounce& operator=(const Bounce&) = delete;

  [[nodiscard]] std::byte* data() noexcept { return heap_ != nullptr ? heap_.get() : stack_; }
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

 private:
  std::byte stack_[8192];
  std::unique_ptr<std::byte[]> heap_;
  std::uint64_t size_ = sizeof stack_;
};

}  // namespace berth::detail
