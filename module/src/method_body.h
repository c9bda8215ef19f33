// MethodBody: values, tensors, call arguments and instructions of one loaded method, resolved to pointers, so that
// running a method looks nothing up. All arrays lie in the method's one Arena: small methods load in well under a
// microsecond, which a vector for each would already exceed.
#pragma once

#include <cstdint>
#include <span>

#include "arena.h"
#include "berth/core/result.h"
#include "berth/module/copy_operators.h"
#include "berth/module/delegate_table.h"
#include "berth/module/kernel_table.h"
#include "berth/module/tensor.h"
#include "berth/module/value.h"
#include "berth/program/method_plan.h"

namespace berth::module::detail {

struct Instruction {
  program::InstructionType type = program::InstructionType::kKernelCall;
  bool copies = false;  // a copy operator: may see tensors on devices
  std::uint32_t arg_count = 0;
  std::uint32_t target = 0;  // operator, delegate, or destination instruction in the chain
  Kernel kernel = nullptr;
  Value* const* args = nullptr;
  Value* from = nullptr;  // move: the source; jump: the condition; free: the value
  Value* to = nullptr;    // move

  [[nodiscard]] std::span<Value* const> arguments() const noexcept { return {args, arg_count}; }
};

// The binding that a move's destination has when a run starts.
struct MoveTarget {
  Value* value = nullptr;
  Value initial;
};

class MethodBody {
 public:
  MethodBody() noexcept = default;
  MethodBody(const MethodBody&) = delete;
  MethodBody& operator=(const MethodBody&) = delete;
  ~MethodBody();

  // Bytes of Arena that resolve() and build() use.
  [[nodiscard]] std::size_t measure(const program::MethodPlan& plan) noexcept;
  // Finds every operator and delegate; the first thing that loading does. kMissingOperator (else kMissingDelegate)
  // lists all that nobody has.
  [[nodiscard]] Status resolve(const program::MethodPlan& plan, const KernelTable* kernels, const CopyOperators& copies,
                               const DelegateTable* delegates, Arena& arena);
  // Values, tensors (without storage, on the host) and instructions. After resolve().
  void build(const program::MethodPlan& plan, Arena& arena) noexcept;

  std::span<Value> values;
  std::span<Tensor> tensors;
  std::span<std::span<const Instruction>> chains;
  std::span<MoveTarget> moves;
  bool frees = false;  // has a FreeCall

 private:
  struct Counts {
    std::size_t items = 0;  // of lists of value indices
    std::size_t args = 0;
    std::size_t instructions = 0;
    std::size_t moves = 0;
  };
  struct Operator {
    Kernel kernel = nullptr;
    bool copies = false;
  };
  [[nodiscard]] Value make_value(const program::ValuePlan& plan, Value**& items) noexcept;
  void make_chains(const program::MethodPlan& plan, Instruction* next, Value** args) noexcept;
  [[nodiscard]] Instruction make_instruction(const program::InstructionPlan& plan, Value**& args) noexcept;

  Counts counts_;
  std::span<Operator> operators_;
};

}  // namespace berth::module::detail
