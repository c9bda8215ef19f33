// Method: one loaded method. Everything a run needs is resolved when it is loaded; a run looks nothing up and, in
// steady state, allocates nothing.
//
// The work is spread over files by phase: method.cpp (load and end), method_storage.cpp (what tensors point to),
// method_inputs.cpp and method_outputs.cpp (before and after a run), method_run.cpp (the instructions).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "arena.h"
#include "berth/module/kernel.h"
#include "berth/module/module.h"
#include "berth/program/method_plan.h"
#include "delegate_slot.h"
#include "method_body.h"
#include "module_context.h"
#include "planned_slots.h"
#include "scratch.h"

namespace berth::module::detail {

// Where one output's bytes come from.
struct OutputSlot {
  Tensor* tensor = nullptr;               // an unplanned output's; null for all others
  std::shared_ptr<DeviceBuffer> storage;  // Module's own, unless the caller gave some
  std::uint64_t bytes = 0;                // upper bound
  bool given = false;                     // by set_output: `tensor` is bound to `caller`
  TensorStorage caller;
};

class Method final : public KernelContext::Rebinding {
 public:
  // Every failure names program and method; what was taken is given back.
  [[nodiscard]] static Result<std::unique_ptr<Method>> load(ModuleContext& context, const program::MethodPlan& plan,
                                                            const LoadOptions& options);
  Method(const Method&) = delete;
  Method& operator=(const Method&) = delete;
  ~Method() override;

  Status run(std::span<const Value> inputs, std::span<Value> outputs);
  Status set_output(std::size_t index, const Value& storage);
  // Ends the delegates and frees planned memory; the first failure of a free. Nothing but the destructor may follow.
  Status release();
  [[nodiscard]] std::vector<PlannedBufferInfo> planned_buffers() const { return planned_.report(context_, plan_); }
  [[nodiscard]] const program::MethodPlan& plan() const noexcept { return plan_; }

 private:
  Method(ModuleContext& context, const program::MethodPlan& plan) noexcept;

  // Loading.
  Status load_steps(const LoadOptions& options);
  Status check_external_data() const;
  Status keep_planned_devices();
  Status place_tensors();
  Status bind_storage(const program::TensorPlan& plan, Tensor& tensor);
  Status bind_constant(const program::TensorPlan& plan, std::span<const std::byte> data, Tensor& tensor);
  Status fill_planned(std::span<const std::byte> data, const Tensor& tensor);
  Status prepare_output_slots(std::span<std::uint8_t> given);
  // Leaves the slot as it is on failure.
  Status allocate_output(OutputSlot& slot);
  // For memory that is not planned.
  [[nodiscard]] Owner owner_on(Device& device) const noexcept;
  Status init_delegates();

  // Before and after a run.
  Status set_inputs(std::span<const Value> inputs);
  Status set_input(std::size_t index, const Value& given);
  Status set_tensor_input(const program::TensorPlan& plan, Tensor& tensor, const Tensor& given);
  Status copy_input(Tensor& tensor, const Tensor& given);
  Status share_input(Tensor& tensor, const Tensor& given);
  void release_inputs() noexcept;
  Status bind_outputs();
  void give_outputs(std::span<Value> outputs);
  void restore_bindings() noexcept;

  // Running.
  Status run_guarded(std::span<const Value> inputs, std::span<Value> outputs);
  Status run_chains();
  template <bool kObserved>
  Status run_chain(std::size_t chain, std::uint64_t& left);
  // Runs one instruction; a jump changes `next`.
  Status step(const Instruction& instruction, const program::InstructionPlan& plan, std::size_t& next);
  Status call_kernel(const Instruction& instruction, const program::InstructionPlan& plan);
  Status check_host_arguments(std::span<Value* const> args) const;
  Status read_condition(const Value& value, bool& out);
  Status free_value(const Value& value);
  void before_rebind(Tensor& tensor) override;

  // Texts for messages.
  [[nodiscard]] std::string where() const;
  [[nodiscard]] RunEvent instruction_event(std::size_t chain, std::size_t index) const;
  [[nodiscard]] std::string instruction_text(std::size_t chain, std::size_t index) const;
  [[nodiscard]] std::string tensor_text(const Tensor& tensor) const;  // "value 3 'name'"

  // A tensor before a kernel or a FreeCall changed what it points to; with its sizes, which fit that storage.
  struct Rebound {
    Tensor* tensor;
    Tensor before;
  };

  ModuleContext& context_;
  const program::MethodPlan& plan_;
  Arena arena_;
  std::vector<std::shared_ptr<Device>> kept_;  // that tensors name and no buffer of the method holds
  PlannedSlots planned_;
  std::vector<std::unique_ptr<DeviceBuffer>> constants_;  // constants that had to be copied
  Scratch scratch_;
  MethodBody body_;
  std::span<OutputSlot> outputs_;
  std::span<DelegateSlot> delegates_;
  std::vector<Rebound> rebound_;           // at most once each in a run
  std::span<std::uint8_t> rebound_marks_;  // for each tensor: it is in there
  KernelContext kernel_context_;
  bool has_unplanned_ = false;  // tensors
  bool checked_ = false;        // tensors without storage exist: look at every kernel's arguments
  bool running_ = false;
};

}  // namespace berth::module::detail
