#include "delegates/program_delegate.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "berth/module/module.h"
#include "berth/program/program.h"
#include "delegates/failure.h"

namespace berth::reference::detail {
namespace {

using module::ExecContext;
using module::Module;
using module::Tensor;
using module::Value;

class ProgramDelegate final : public module::Delegate {
 public:
  ProgramDelegate(std::unique_ptr<Module> program, const program::MethodPlan& method)
      : module_(std::move(program)),
        method_(&method),
        staging_(method.inputs.size()),
        inputs_(method.inputs.size()),
        results_(method.outputs.size()) {}

  // Arguments: the method's inputs, then its outputs.
  Status execute(ExecContext& context, std::span<Value* const> args) override {
    if (args.size() != inputs_.size() + results_.size()) {
      return program_fault("wrong number of arguments", std::to_string(inputs_.size() + results_.size()),
                           std::to_string(args.size()));
    }
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      Status status = set_input(context, i, *args[i]);
      if (!status.ok()) return status.at("argument " + std::to_string(i));
    }
    BERTH_RETURN_IF_ERROR(module_->execute(method_->name, inputs_, results_));
    for (std::size_t i = 0; i < results_.size(); ++i) {
      const std::size_t index = inputs_.size() + i;
      Status status = give_result(context, results_[i], *args[index]);
      if (!status.ok()) return status.at("argument " + std::to_string(index));
    }
    return {};
  }

 private:
  // Host tensors are given as they are; others as a copy.
  Status set_input(ExecContext& context, std::size_t index, const Value& arg) {
    const Tensor* const tensor = arg.to_tensor();
    if (tensor == nullptr || !tensor->on_device()) {
      inputs_[index].alias(arg);
      return {};
    }
    const program::ValuePlan& plan = method_->values[static_cast<std::size_t>(method_->inputs[index])];
    if (plan.type != module::ValueType::kTensor) {
      return program_fault("the nested program takes no tensor here", module::value_type_name(plan.type),
                           arg.describe());
    }
    if (staging_[index].is_none()) {
      BERTH_RETURN_IF_ERROR(make_staging(method_->tensors[static_cast<std::size_t>(plan.integer)], staging_[index]));
    }
    Tensor& copy = *staging_[index].to_tensor();
    BERTH_RETURN_IF_ERROR(fit(*tensor, copy));
    inputs_[index].alias(staging_[index]);
    return context.read(*tensor, copy.mutable_bytes());
  }

  // Host memory for an input at its largest sizes.
  Status make_staging(const program::TensorPlan& plan, Value& staging) const {
    BERTH_ASSIGN_OR_STATUS(Tensor tensor, Tensor::empty(plan.scalar_type, plan.sizes, module_->registry()->host(),
                                                        plan.dim_order, plan.dynamism));
    staging = Value::of_tensor(std::move(tensor));
    return {};
  }

  // Gives `target` the sizes of `source`. They must have one type and dim order.
  static Status fit(const Tensor& source, Tensor& target) {
    if (source.scalar_type() != target.scalar_type() || !std::ranges::equal(source.dim_order(), target.dim_order())) {
      return program_fault("the layouts of the outer and the nested program differ", target.describe(),
                           source.describe());
    }
    return target.resize(source.sizes());
  }

  static Status give_result(ExecContext& context, const Value& result, Value& arg) {
    const Tensor* const tensor = result.to_tensor();
    if (tensor == nullptr) {
      if (result.type() != arg.type()) {
        return program_fault("the nested program gives another type", arg.describe(), result.describe());
      }
      arg.alias(result);
      return {};
    }
    Tensor* const out = arg.to_tensor();
    if (out == nullptr) return program_fault("the nested program gives a tensor", "a tensor", arg.describe());
    BERTH_RETURN_IF_ERROR(fit(*tensor, *out));
    return context.write(*out, tensor->bytes());
  }

  std::unique_ptr<Module> module_;
  const program::MethodPlan* method_;  // of module_'s program
  std::vector<Value> staging_;         // host copies of inputs on devices; none until there is one
  std::vector<Value> inputs_;
  std::vector<Value> results_;
};

module::ModuleOptions nested_options(const module::InitContext& context) {
  module::ModuleOptions options;
  options.kernels = context.kernels;
  options.delegates = context.delegates;
  options.copy_operators = context.copy_operators;
  options.delegate_options.assign(context.options.begin(), context.options.end());
  options.log = context.log;
  options.depth = context.depth + 1;
  return options;
}

}  // namespace

Result<std::unique_ptr<module::Delegate>> make_program_delegate(std::span<const std::byte> blob,
                                                                std::span<const program::CompileSpec> /*specs*/,
                                                                module::InitContext& context) {
  const std::string name =
      std::string(context.program_name) + ": program in method '" + std::string(context.method) + "'";
  BERTH_ASSIGN(const std::shared_ptr<const program::Program> nested, program::Program::from_bytes(blob, name));
  if (nested->methods().size() != 1) {
    return fail(
        program_fault("the blob is a program of another shape", "1 method", std::to_string(nested->methods().size())));
  }
  const program::MethodPlan& method = nested->methods().front();
  BERTH_ASSIGN(std::unique_ptr<Module> loaded, Module::load(nested, context.registry, nested_options(context)));
  BERTH_FAIL_IF_ERROR(loaded->load_method(method.name));
  return std::make_unique<ProgramDelegate>(std::move(loaded), method);
}

}  // namespace berth::reference::detail
