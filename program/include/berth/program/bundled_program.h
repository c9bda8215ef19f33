// BundledProgram: a .bpte file, a program with its own test cases. Immutable, any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "berth/core/api.h"
#include "berth/core/result.h"
#include "berth/program/program.h"
#include "berth/program/scalar_type.h"

namespace berth::program {

struct BundledTensor {
  ScalarType scalar_type = ScalarType::kFloat;
  std::span<const std::int32_t> sizes;
  std::span<const std::uint8_t> dim_order;
  std::span<const std::byte> data;  // exactly as many as sizes and type say
};

using BundledValue = std::variant<BundledTensor, std::int64_t, bool, double>;

struct BundledTestCase {
  std::string_view method;
  std::vector<BundledValue> inputs;
  std::vector<BundledValue> expected_outputs;
};

class BERTH_API BundledProgram {
 public:
  // True when the file starts as a .bpte does (identifier BP08); false for anything else, also unreadable files.
  [[nodiscard]] static bool is_bundled(const std::filesystem::path& file);
  // kInvalidProgram when the outer file or the program in it is malformed, or a test case's data does not fit its
  // sizes.
  [[nodiscard]] static Result<std::shared_ptr<const BundledProgram>> open(const std::filesystem::path& file);
  [[nodiscard]] static Result<std::shared_ptr<const BundledProgram>> from_bytes(std::span<const std::byte> bytes,
                                                                                std::string_view name);
  ~BundledProgram();
  BundledProgram(const BundledProgram&) = delete;
  BundledProgram& operator=(const BundledProgram&) = delete;

  [[nodiscard]] const std::shared_ptr<const Program>& program() const noexcept;
  [[nodiscard]] std::span<const BundledTestCase> test_cases() const noexcept;

 private:
  struct Contents;
  static Result<std::shared_ptr<const BundledProgram>> read(std::unique_ptr<Contents> contents, std::size_t bytes);
  explicit BundledProgram(std::unique_ptr<Contents> contents);
  std::unique_ptr<Contents> contents_;
};

}  // namespace berth::program
