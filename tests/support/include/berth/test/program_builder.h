// ProgramBuilder: writes .pte files for tests, good ones and contradictory ones. It checks nothing: what is asked for
// is what stands in the file. Link berth_test_program.
//
//   ProgramBuilder builder;
//   MethodBuilder& forward = builder.method("forward");
//   const int host = forward.buffer(32), device = forward.buffer(16, kCuda, 0);
//   const int x = forward.tensor({.sizes = {2, 2}, .memory_id = host});
//   const int y = forward.tensor({.sizes = {2, 2}, .memory_id = device, .device_type = kCuda});
//   forward.inputs({x}).outputs({y}).call("et_copy::_h2d_copy.out", {x, y, y});
//   auto program = program::Program::from_bytes(builder.build(), "test.pte");
//
// Not covered by a function: edit wire(), the object form of the generated schema (link berth_program_wire_headers and
// include program_generated.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace berth::program::wire {
struct ProgramT;
struct ExecutionPlanT;
}  // namespace berth::program::wire

namespace berth::test {

inline constexpr std::int8_t kCpu = 0;
inline constexpr std::int8_t kCuda = 1;

struct TensorSpec {
  std::int8_t scalar_type = 6;  // float
  std::vector<std::int32_t> sizes = {};
  std::optional<std::vector<std::uint8_t>> dim_order = {};  // none: 0, 1, 2, ...
  int memory_id = -1;                                       // -1: not planned; otherwise written as it is
  std::uint64_t offset = 0;
  std::uint32_t data_index = 0;  // from ProgramBuilder::constant or ::state
  std::uint64_t state_list = 0;
  std::int8_t device_type = kCpu;
  std::int8_t device_index = 0;
  std::int8_t dynamism = 0;  // 1: bound, 2: unbound
  std::string name = {};
  bool external = false;
  std::int32_t storage_offset = 0;
};

class MethodBuilder {
 public:
  explicit MethodBuilder(program::wire::ExecutionPlanT& plan, bool inline_data, program::wire::ProgramT& program,
                         std::vector<std::vector<std::byte>>& blobs);

  // Each adds a value and returns its index.
  int tensor(const TensorSpec& spec);
  int none();
  int integer(std::int64_t value);
  int boolean(bool value);
  int real(double value);
  int text(std::string_view value);
  int int_list(std::vector<std::int64_t> value_indices);
  int double_list(std::vector<double> items);
  int bool_list(std::vector<bool> items);
  int tensor_list(std::vector<std::int32_t> value_indices);
  int optional_tensor_list(std::vector<std::int32_t> value_indices);

  // Adds a planned buffer and returns its memory id (1, 2, ...).
  int buffer(std::int64_t bytes, std::int8_t device_type = kCpu, std::int8_t device_index = 0);
  // Adds an entry to the list of buffer devices, whatever is in it already.
  void buffer_device(std::int32_t buffer, std::int8_t device_type, std::int8_t device_index);
  // Adds a delegate and returns its index. Compile specs are key and text.
  int delegate(std::string_view id, std::string_view blob,
               const std::vector<std::pair<std::string, std::string>>& compile_specs = {});

  MethodBuilder& inputs(std::vector<std::int32_t> values);
  MethodBuilder& outputs(std::vector<std::int32_t> values);

  // Instructions, added to the last chain. `op` is "aten::add.out"; the overload is what follows the last dot.
  MethodBuilder& call(std::string_view op, std::vector<std::int32_t> args);
  MethodBuilder& delegate_call(int delegate, std::vector<std::int32_t> args);
  MethodBuilder& move(std::int32_t from, std::int32_t to);
  MethodBuilder& jump_false(std::int32_t condition, std::int32_t destination);
  MethodBuilder& free_value(std::int32_t value);
  MethodBuilder& next_chain();

  [[nodiscard]] program::wire::ExecutionPlanT& wire() { return plan_; }

 private:
  int op_index(std::string_view op);
  program::wire::ExecutionPlanT& plan_;
  bool inline_data_;
  program::wire::ProgramT& program_;
  std::vector<std::vector<std::byte>>& blobs_;
};

class ProgramBuilder {
 public:
  // Where constants and delegates' blobs are: in segments after the flatbuffer, or (as programs of before 2024 have
  // them) in constant_buffer and inline in the flatbuffer.
  enum class Layout { kSegments, kInline };

  explicit ProgramBuilder(Layout layout = Layout::kSegments);
  ~ProgramBuilder();
  ProgramBuilder(const ProgramBuilder&) = delete;
  ProgramBuilder& operator=(const ProgramBuilder&) = delete;

  // Adds a method, with one empty chain and no planned buffers. The reference stays valid.
  MethodBuilder& method(std::string_view name);
  // Stores a constant or the initial bytes of a state and returns its data index (1, 2, ...).
  std::uint32_t constant(std::span<const std::byte> bytes);
  std::uint32_t state(std::span<const std::byte> bytes);
  void named_data(std::string_view key, std::span<const std::byte> bytes);

  [[nodiscard]] program::wire::ProgramT& wire() { return *program_; }

  // The bytes of the file; `edit` may change the object form first, when all segments are in it. May be called again.
  [[nodiscard]] std::vector<std::byte> build(const std::function<void(program::wire::ProgramT&)>& edit = {}) const;

 private:
  Layout layout_;
  std::unique_ptr<program::wire::ProgramT> program_;
  std::vector<std::unique_ptr<MethodBuilder>> methods_;
  std::vector<std::vector<std::byte>> constants_;
  std::vector<std::vector<std::byte>> states_;
  std::vector<std::vector<std::byte>> blobs_;
  std::vector<std::pair<std::string, std::vector<std::byte>>> named_;
};

// The bytes of numbers, as they stand in a file.
template <typename T>
[[nodiscard]] std::vector<std::byte> bytes_of(const std::vector<T>& numbers) {
  const auto bytes = std::as_bytes(std::span<const T>(numbers));
  return {bytes.begin(), bytes.end()};
}

}  // namespace berth::test
