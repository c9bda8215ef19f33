// Block: bytes of our own, aligned to 16. Blocks of middling size are kept when they are given back and handed out
// again, because glibc returns memory of that size to the system at once and every load would then fault its pages in
// anew (40 us instead of 8 for a program of 100 KB). At most four blocks of at most 512 KiB are kept per process.
#pragma once

#include <cstddef>
#include <utility>

namespace berth::program::detail {

class Block {
 public:
  Block() = default;
  Block(Block&& other) noexcept : header_(std::exchange(other.header_, nullptr)) {}
  Block& operator=(Block&& other) noexcept {
    std::swap(header_, other.header_);
    return *this;
  }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  ~Block() {
    if (header_ != nullptr) release();
  }

  // At least `bytes` uninitialised bytes; an empty block when there is no memory. Any thread.
  [[nodiscard]] static Block allocate(std::size_t bytes) noexcept;

  [[nodiscard]] bool empty() const noexcept { return header_ == nullptr; }
  [[nodiscard]] std::byte* data() const noexcept { return reinterpret_cast<std::byte*>(header_ + 1); }
  // Of a block that is not empty.
  [[nodiscard]] std::size_t capacity() const noexcept { return header_->capacity; }

 private:
  struct alignas(16) Header {
    std::size_t capacity;
  };
  friend class BlockCache;
  explicit Block(Header* header) noexcept : header_(header) {}
  void release() noexcept;
  Header* header_ = nullptr;
};

}  // namespace berth::program::detail
