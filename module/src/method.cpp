#include "method.h"

#include <memory>
#include <string>

namespace berth::module::detail {

Method::Method(ModuleContext& context, const program::MethodPlan& plan) noexcept
    : context_(context),
      plan_(plan),
      scratch_(context.devices.registry()->host()),
      kernel_context_({}, scratch_, context.copies, nullptr, 0) {}

Method::~Method() {
  for (DelegateSlot& slot : delegates_) slot.close();
  std::destroy(delegates_.begin(), delegates_.end());
  std::destroy(outputs_.begin(), outputs_.end());
}

Result<std::unique_ptr<Method>> Method::load(ModuleContext& context, const program::MethodPlan& plan,
                                             const LoadOptions& options) {
  std::unique_ptr<Method> method(new Method(context, plan));
  RunObserver* const observer = context.options.observer.get();
  const RunEvent event{.kind = RunEventKind::kLoad, .method = plan.name};
  if (observer != nullptr) observer->begin(event);
  const Status status = method->load_steps(options);
  if (observer != nullptr) observer->end(event, status);
  if (!status.ok()) return fail(status.at(method->where()));
  return method;
}

Status Method::load_steps(const LoadOptions& options) {
  const ModuleOptions& tables = context_.options;
  BERTH_RETURN_IF_ERROR(arena_.reserve(
      body_.measure(plan_) + Arena::bytes_for<PlannedSlot>(plan_.planned_buffers.size()) +
      Arena::bytes_for<OutputSlot>(plan_.outputs.size()) + Arena::bytes_for<DelegateSlot>(plan_.delegates.size()) +
      Arena::bytes_for<std::uint8_t>(plan_.values.size()) + Arena::bytes_for<std::uint8_t>(plan_.tensors.size())));
  BERTH_RETURN_IF_ERROR(
      body_.resolve(plan_, tables.kernels.get(), *tables.copy_operators, tables.delegates.get(), arena_));
  BERTH_RETURN_IF_ERROR(check_external_data());
  body_.build(plan_, arena_);
  kernel_context_ = KernelContext({}, scratch_, context_.copies, body_.values.data(), body_.values.size());
  kernel_context_.set_rebinding(this);
  kernel_context_.set_observer(tables.observer.get(), plan_.name);
  checked_ = body_.frees || !body_.moves.empty();
  rebound_marks_ = arena_.make<std::uint8_t>(plan_.tensors.size());
  if (body_.frees) rebound_.reserve(plan_.tensors.size());
  const std::span<PlannedSlot> slots = arena_.make<PlannedSlot>(plan_.planned_buffers.size());
  BERTH_RETURN_IF_ERROR(options.planned_memory.empty()
                            ? planned_.allocate(context_, plan_, slots)
                            : planned_.adopt(context_, plan_, slots, options.planned_memory));
  if (!options.planned_memory.empty()) BERTH_RETURN_IF_ERROR(keep_planned_devices());
  BERTH_RETURN_IF_ERROR(place_tensors());
  BERTH_RETURN_IF_ERROR(prepare_output_slots(arena_.make<std::uint8_t>(plan_.values.size())));
  return init_delegates();
}

Status Method::init_delegates() {
  delegates_ = arena_.make<DelegateSlot>(plan_.delegates.size());
  if (delegates_.empty()) return {};
  InitContext init;
  init.method = plan_.name;
  init.program_name = context_.program->name();
  init.registry = context_.devices.registry();
  init.kernels = context_.options.kernels;
  init.delegates = context_.options.delegates;
  init.copy_operators = context_.options.copy_operators;
  init.log = context_.options.log;
  init.named_data = &context_;
  init.options = context_.options.delegate_options;
  init.scratch = &scratch_;
  init.depth = context_.options.depth;
  init.blob_keeper = context_.program;
  for (std::size_t i = 0; i < delegates_.size(); ++i) {
    const Status status = delegates_[i].init(context_, plan_.delegates[i], scratch_, init);
    if (!status.ok()) {
      return status.at("delegate " + std::to_string(i) + " (" + std::string(plan_.delegates[i].id) + ")");
    }
  }
  return {};
}

Status Method::release() {
  for (DelegateSlot& slot : delegates_) slot.close();
  Status first = planned_.release();
  for (const std::unique_ptr<DeviceBuffer>& constant : constants_) {
    const Status status = constant->release();
    if (!status.ok() && first.ok()) first = status.at("a constant");
  }
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    OutputSlot& slot = outputs_[i];
    // One that a caller still holds goes with its last holder.
    if (slot.storage == nullptr || slot.tensor == nullptr) continue;
    slot.tensor->unbind();
    if (slot.storage.use_count() != 1) continue;
    const Status status = slot.storage->release();
    if (!status.ok() && first.ok()) first = status.at("output " + std::to_string(i));
  }
  return first.at(where());
}

std::string Method::where() const { return context_.program->name() + ", method '" + std::string(plan_.name) + "'"; }

std::string Method::tensor_text(const Tensor& tensor) const {
  const auto index = static_cast<std::size_t>(&tensor - body_.tensors.data());
  std::string text = "a tensor";
  for (std::size_t i = 0; i < plan_.values.size(); ++i) {
    if (plan_.values[i].type != ValueType::kTensor || static_cast<std::size_t>(plan_.values[i].integer) != index) {
      continue;
    }
    text = "value " + std::to_string(i);
    break;
  }
  const std::string_view name = index < plan_.tensors.size() ? plan_.tensors[index].name : std::string_view();
  return name.empty() ? text : text + " '" + std::string(name) + "'";
}

}  // namespace berth::module::detail
