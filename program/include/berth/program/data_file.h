// DataFile: a verified tensor data file (.ptd): named constants kept beside a program. Immutable, any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "berth/core/api.h"
#include "berth/core/result.h"
#include "berth/program/scalar_type.h"

namespace berth::program {

// What a data file says about one tensor. The layout is absent for opaque data (delegates' own).
struct NamedTensor {
  std::string_view key;
  std::span<const std::byte> data;
  bool has_layout = false;
  ScalarType scalar_type = ScalarType::kFloat;
  std::span<const std::int32_t> sizes;
  std::span<const std::uint8_t> dim_order;
};

class BERTH_API DataFile {
 public:
  // kInvalidData (origin kInput) when it is malformed, also when it has the table layout of before June 2025.
  [[nodiscard]] static Result<std::shared_ptr<const DataFile>> open(const std::filesystem::path& file);
  [[nodiscard]] static Result<std::shared_ptr<const DataFile>> from_bytes(std::span<const std::byte> bytes,
                                                                          std::string_view name);
  ~DataFile();
  DataFile(const DataFile&) = delete;
  DataFile& operator=(const DataFile&) = delete;

  [[nodiscard]] const std::string& name() const noexcept;
  [[nodiscard]] std::span<const NamedTensor> tensors() const noexcept;
  // Null when there is no such key. Exact match only.
  [[nodiscard]] const NamedTensor* find(std::string_view key) const noexcept;

 private:
  struct Contents;
  static Result<std::shared_ptr<const DataFile>> read(std::unique_ptr<Contents> contents, std::size_t bytes);
  explicit DataFile(std::unique_ptr<Contents> contents);
  std::unique_ptr<Contents> contents_;
};

}  // namespace berth::program
