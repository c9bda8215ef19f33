// FileBytes: a file in memory of our own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "berth/core/result.h"
#include "block.h"

namespace berth::program::detail {

// A read-only mapping; unmapped when it dies.
class Mapping {
 public:
  Mapping() = default;
  Mapping(const void* data, std::size_t bytes) noexcept : data_(data), bytes_(bytes) {}
  Mapping(Mapping&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  Mapping& operator=(Mapping&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping();

  [[nodiscard]] std::span<const std::byte> bytes() const noexcept {
    return {static_cast<const std::byte*>(data_), bytes_};
  }

 private:
  const void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

struct FileBytes {
  Block block;                   // holds what was read, from its start
  std::size_t read = 0;          // bytes in `block`
  std::uint64_t file_bytes = 0;  // of the whole file
  Mapping mapping;               // of the whole file, when it was mapped; else empty

  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return {block.data(), read}; }
};

// Says how many bytes of a large file must be read into memory, given its first ones; the rest is mapped.
using PrivatePart = std::uint64_t (*)(std::span<const std::byte> first_bytes, std::uint64_t file_bytes);

// Reads the file with one read into a block that stays warm (SPEED: a file of up to 256 KiB costs open, read, close and
// nothing else). With `private_part`, a larger file is read that far and mapped whole. Failures: kNotFound,
// kNoPermission, kIoError, kOutOfHostMemory, all of origin kInput.
[[nodiscard]] Result<FileBytes> read_file(const char* path, PrivatePart private_part = nullptr);

}  // namespace berth::program::detail
