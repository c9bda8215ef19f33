// MethodMeta: what a method takes, gives and needs, without loading it (the counterpart of upstream's MethodMeta, with
// device of every tensor). A small view on a Program, which it keeps alive. Any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "berth/core/api.h"
#include "berth/core/result.h"
#include "berth/program/method_plan.h"
#include "berth/program/program.h"

namespace berth::program {

class BERTH_API MethodMeta {
 public:
  // kInvalidArgument (origin kUsage) lists the methods there are.
  [[nodiscard]] static Result<MethodMeta> create(std::shared_ptr<const Program> program, std::string_view method);

  [[nodiscard]] std::string_view name() const noexcept { return plan_->name; }
  [[nodiscard]] std::size_t num_inputs() const noexcept { return plan_->inputs.size(); }
  [[nodiscard]] std::size_t num_outputs() const noexcept { return plan_->outputs.size(); }
  // kInvalidArgument when `index` is too large, and for the tensor calls when the value is no tensor.
  [[nodiscard]] Result<ValueType> input_type(std::size_t index) const;
  [[nodiscard]] Result<ValueType> output_type(std::size_t index) const;
  [[nodiscard]] Result<const TensorPlan*> input_tensor(std::size_t index) const;
  [[nodiscard]] Result<const TensorPlan*> output_tensor(std::size_t index) const;
  // Planned buffers without the reserved slot 0: index i is memory id i + 1.
  [[nodiscard]] std::size_t num_planned_buffers() const noexcept { return plan_->planned_buffers.size(); }
  [[nodiscard]] Result<std::uint64_t> planned_buffer_bytes(std::size_t index) const;
  [[nodiscard]] Result<ProgramDevice> planned_buffer_device(std::size_t index) const;
  // "aten::add.out" and so on, in file order.
  [[nodiscard]] std::size_t num_operators() const noexcept { return plan_->operators.size(); }
  [[nodiscard]] Result<std::string> operator_name(std::size_t index) const;
  [[nodiscard]] std::size_t num_delegates() const noexcept { return plan_->delegates.size(); }
  [[nodiscard]] Result<std::string_view> delegate_id(std::size_t index) const;
  // The whole plan, for tools.
  [[nodiscard]] const MethodPlan& plan() const noexcept { return *plan_; }
  [[nodiscard]] const std::shared_ptr<const Program>& program() const noexcept { return program_; }

 private:
  MethodMeta(std::shared_ptr<const Program> program, const MethodPlan* plan);
  std::shared_ptr<const Program> program_;
  const MethodPlan* plan_;
};

}  // namespace berth::program
