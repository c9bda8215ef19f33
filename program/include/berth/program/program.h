// Program: a verified ExecuTorch program (.pte). Opening reads the flatbuffer part into memory of our own, verifies it
// (FlatBuffers' verifier, then our semantic checks) and lays every method out as a MethodPlan; nothing of it is taken
// on trust afterwards. Immutable: one shared_ptr<const Program> serves many Modules on many threads.
//
// All failures have origin kInput and name the file, the method, the value or buffer, what was expected and found:
//   kNotFound, kNoPermission, kIoError   the file cannot be read
//   kInvalidProgram                      it is malformed, contradicts itself or clobbers a value (plan check)
//   kOutOfHostMemory                     it needs more than can be had
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
#include "berth/program/method_plan.h"

namespace berth::program {

struct ProgramOptions {
  // Map segments of large files instead of reading them. Trusts the file not to change while the Program lives.
  bool map_segments = false;
};

class BERTH_API Program {
 public:
  // Reads and verifies a .pte file. A .bpte file is refused with a hint to open it as a BundledProgram.
  [[nodiscard]] static Result<std::shared_ptr<const Program>> open(const std::filesystem::path& file,
                                                                   const ProgramOptions& options = {});
  // The same from bytes. `bytes` are copied. `name` stands for the file in messages.
  [[nodiscard]] static Result<std::shared_ptr<const Program>> from_bytes(std::span<const std::byte> bytes,
                                                                         std::string_view name);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // The file, or the name given to from_bytes; for messages.
  [[nodiscard]] const std::string& name() const noexcept;
  [[nodiscard]] std::uint64_t file_bytes() const noexcept;
  [[nodiscard]] std::span<const MethodPlan> methods() const noexcept;
  // Null when there is no such method.
  [[nodiscard]] const MethodPlan* find_method(std::string_view method) const noexcept;
  // As find_method, with an error that lists the names (kInvalidArgument, origin kUsage).
  [[nodiscard]] Result<const MethodPlan*> method(std::string_view method) const;
  // Device planning was off when this was exported: device tags say nothing about memory (DESIGN: "Legacy programs").
  // Tags were replaced by the host in every TensorPlan. unplaced_tags() counts the tensors this happened to.
  [[nodiscard]] bool legacy() const noexcept;
  [[nodiscard]] std::uint32_t unplaced_tags() const noexcept;
  // The bytes stored under `key` for delegates; empty optional when there are none.
  [[nodiscard]] std::optional<std::span<const std::byte>> named_data(std::string_view key) const noexcept;
  [[nodiscard]] std::vector<std::string_view> named_data_keys() const;

  struct Contents;  // private to program/
 private:
  friend struct ProgramAccess;
  explicit Program(const Contents* contents) noexcept : contents_(contents) {}
  const Contents* contents_;  // in the same allocation
};

}  // namespace berth::program
