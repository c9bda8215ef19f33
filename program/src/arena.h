// Arena: memory for the flat arrays of one program. Hands out pieces of one block and never frees them singly; when the
// block is used up it takes another. Nothing in it is destroyed, so only trivially destructible types may live here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <type_traits>

namespace berth::program::detail {

class Arena {
 public:
  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena() {
    while (chunks_ != nullptr) {
      Chunk* next = chunks_->next;
      std::free(chunks_);
      chunks_ = next;
    }
  }

  // The first memory to hand out; the caller owns it and keeps it for as long as the arena lives.
  void start_with(std::span<std::byte> memory) {
    next_ = block_ = memory.data();
    end_ = memory.data() + memory.size();
  }

  // `count` objects, uninitialised. Null when there is no memory; not null when `count` is 0 and memory was handed out.
  template <typename T>
  [[nodiscard]] T* allocate(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= kAlignment);
    return static_cast<T*>(allocate_bytes(count * sizeof(T)));
  }

  // Gives back everything from `objects` on, the start of an allocation from the current block. What was taken from
  // other blocks since stays until the arena dies.
  template <typename T>
  void give_back(T* objects) {
    auto* memory = reinterpret_cast<std::byte*>(objects);
    if (memory >= block_ && memory < end_) next_ = memory;
  }

  // Gives back the end of what the last allocate() handed out: only `used` of the objects are kept.
  template <typename T>
  void keep_of_last(T* objects, std::size_t used) {
    next_ = reinterpret_cast<std::byte*>(objects) + round_up(used * sizeof(T));
  }

 private:
  struct Chunk {
    Chunk* next;
  };
  static constexpr std::size_t kAlignment = 8;
  static constexpr std::size_t kChunkBytes = 32 * 1024;
  static constexpr std::size_t round_up(std::size_t bytes) { return (bytes + kAlignment - 1) & ~(kAlignment - 1); }

  void* allocate_bytes(std::size_t bytes) {
    bytes = round_up(bytes);
    if (bytes > static_cast<std::size_t>(end_ - next_)) [[unlikely]] {
      if (!grow(bytes)) return nullptr;
    }
    void* memory = next_;
    next_ += bytes;
    return memory;
  }

  [[gnu::cold, gnu::noinline]] bool grow(std::size_t bytes) {
    const std::size_t capacity = bytes > kChunkBytes ? bytes : kChunkBytes;
    auto* chunk = static_cast<Chunk*>(std::malloc(sizeof(Chunk) + capacity));
    if (chunk == nullptr) return false;
    chunk->next = chunks_;
    chunks_ = chunk;
    next_ = block_ = reinterpret_cast<std::byte*>(chunk + 1);
    end_ = next_ + capacity;
    return true;
  }

  std::byte* block_ = nullptr;  // the current one
  std::byte* next_ = nullptr;
  std::byte* end_ = nullptr;
  Chunk* chunks_ = nullptr;
};

}  // namespace berth::program::detail
