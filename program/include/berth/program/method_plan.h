// MethodPlan: one method of a program as flat arrays, read once from the verified bytes. What Module loads from, what
// `berth inspect` prints and what the planner starts from. Everything that is a span or a view points into the Program,
// which must outlive it; a MethodPlan is immutable and may be read from any thread.
//
// Every index in here is in range, every span inside the file, every size computed without overflow: Program::open has
// checked it. Sizes and offsets are bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "berth/program/scalar_type.h"

namespace berth::program {

// A device as the file writes it: a type byte and an index. Type 0 is cpu and 1 is cuda; what others mean is said by
// the registry file ([types]).
struct ProgramDevice {
  std::uint8_t type = 0;
  std::uint8_t index = 0;

  [[nodiscard]] constexpr bool is_host() const noexcept { return type == 0; }
  friend constexpr bool operator==(const ProgramDevice&, const ProgramDevice&) = default;
};

enum class ValueType : std::uint8_t {
  kNone,
  kInt,
  kBool,
  kDouble,
  kTensor,
  kString,
  kIntList,             // items are value indices
  kDoubleList,          // items are doubles
  kBoolList,            // items are bools
  kTensorList,          // items are value indices
  kOptionalTensorList,  // items are value indices, -1 for none
};

// Where a tensor's bytes are.
enum class Storage : std::uint8_t {
  kUnplanned,     // nowhere yet: the caller or a delegate gives them
  kConstant,      // `data`, in the program
  kPlanned,       // planned buffer `memory_id` at `offset`
  kPlannedState,  // as kPlanned, with initial bytes `data`
  kExternal,      // a constant called `name` in a data file; planned as well if memory_id > 0
};

enum class Dynamism : std::uint8_t { kStatic, kBound, kUnbound };

struct TensorPlan {
  ScalarType scalar_type = ScalarType::kFloat;
  Storage storage = Storage::kUnplanned;
  Dynamism dynamism = Dynamism::kStatic;
  // As the file tags it. In a legacy program (Program::legacy) tags are ignored and this is the host.
  ProgramDevice device;
  std::uint32_t memory_id = 0;  // one-based, as in the file; 0 when not planned
  std::uint64_t offset = 0;     // inside the planned buffer
  // Of all elements at the upper-bound sizes; UINT64_MAX when an unplanned dynamic tensor has no countable bound.
  std::uint64_t bytes = 0;
  std::span<const std::int32_t> sizes;      // upper bounds where dynamic; rank at most 16
  std::span<const std::uint8_t> dim_order;  // a permutation, outermost dimension first
  std::span<const std::byte> data;          // kConstant, kPlannedState: `bytes` of them
  std::string_view name;                    // fully qualified, may be empty
};

struct ValuePlan {
  ValueType type = ValueType::kNone;
  // kInt: the number; kBool: 0 or 1; kTensor: index into MethodPlan::tensors; otherwise 0.
  std::int64_t integer = 0;
  double real = 0;                             // kDouble
  std::string_view text;                       // kString
  std::span<const std::int64_t> int_items;     // kIntList: value indices
  std::span<const std::int32_t> tensor_items;  // kTensorList, kOptionalTensorList: value indices
  std::span<const double> double_items;        // kDoubleList
  std::span<const std::uint8_t> bool_items;    // kBoolList: 0 or 1
};

enum class InstructionType : std::uint8_t { kKernelCall, kDelegateCall, kMoveCall, kJumpFalseCall, kFreeCall };

struct InstructionPlan {
  InstructionType type = InstructionType::kKernelCall;
  std::uint32_t target = 0;            // operator index, delegate index, or the destination instruction in the chain
  std::span<const std::int32_t> args;  // kKernelCall, kDelegateCall: value indices
  std::int32_t from = 0;               // kMoveCall; kJumpFalseCall: the condition; kFreeCall: the value
  std::int32_t to = 0;                 // kMoveCall
};

struct OperatorPlan {
  std::string_view name;      // "aten::add"
  std::string_view overload;  // "out", may be empty
};

struct CompileSpec {
  std::string_view key;
  std::span<const std::byte> value;
};

struct DelegatePlan {
  std::string_view id;
  std::span<const std::byte> blob;
  std::span<const CompileSpec> compile_specs;
};

struct PlannedBufferPlan {
  std::uint64_t bytes = 0;
  ProgramDevice device;
};

struct MethodPlan {
  std::string_view name;
  std::span<const ValuePlan> values;
  std::span<const TensorPlan> tensors;
  std::span<const std::int32_t> inputs;   // value indices
  std::span<const std::int32_t> outputs;  // value indices
  std::span<const OperatorPlan> operators;
  std::span<const DelegatePlan> delegates;
  std::span<const std::span<const InstructionPlan>> chains;  // run one after the other
  // Planned buffers without the reserved slot 0: entry i has memory id i + 1.
  std::span<const PlannedBufferPlan> planned_buffers;
};

}  // namespace berth::program
