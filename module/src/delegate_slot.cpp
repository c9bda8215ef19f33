#include "delegate_slot.h"

#include <algorithm>
#include <string>
#include <utility>

#include "berth/program/delegate_target.h"
#include "owner_text.h"

namespace berth::module::detail {
namespace {

// What a program can do wrong with a delegate's argument.
Status check_usable(const Tensor& tensor, bool writes) {
  const bool constant = writes && tensor.read_only();
  if (!constant && !tensor.lacks_storage()) return {};
  return Status({.code = Code::kInvalidProgram,
                 .origin = Origin::kInput,
                 .what = "a delegate's argument cannot be used",
                 .expected = constant ? "a tensor that can be written" : "a tensor with storage",
                 .found = tensor.describe() + (constant ? ", a constant" : " without storage")});
}

}  // namespace

Status DelegateSlot::init(ModuleContext& context, const program::DelegatePlan& plan, Scratch& scratch,
                          InitContext& init) {
  context_ = &context;
  scratch_ = &scratch;
  method_ = init.method;
  init.target_id = DeviceId();
  if (!context.program->legacy()) {
    BERTH_ASSIGN_OR_STATUS(auto target, program::delegate_target(plan));
    if (target) init.target_id = *std::move(target);
  }
  BERTH_ASSIGN_OR_STATUS(target_, context.devices.find(init.target_id));
  init.target = target_;
  const DelegateFactory& factory = *context.options.delegates->find(plan.id);
  scratch.reset();
  BERTH_ASSIGN_OR_STATUS(delegate_, factory(plan.blob, plan.compile_specs, init));
  if (delegate_ != nullptr) return {};
  return Status({.code = Code::kInternal, .origin = Origin::kUsage, .what = "the delegate's factory made nothing"});
}

Status DelegateSlot::execute(std::span<Value* const> args) {
  args_ = args;
  Status status = delegate_->execute(*this, args);
  if (queue_used_) {
    queue_used_ = false;
    const Status waited = queue_->synchronize();
    if (status.ok()) status = waited;
  }
  if (!bound_.empty()) {
    outgrown_.clear();
    if (status.ok()) return write_back();
    for (Bound& bound : bound_) bound.write_back = false;
  }
  return status;
}

void DelegateSlot::close() noexcept {
  delegate_.reset();
  queue_.reset();
  bound_.clear();
}

Result<Queue*> DelegateSlot::queue() {
  if (!queue_) {
    BERTH_ASSIGN(queue_, Queue::create(target_));
  }
  queue_used_ = true;
  return &*queue_;
}

Status DelegateSlot::read(const Tensor& tensor, std::span<std::byte> target) {
  BERTH_RETURN_IF_ERROR(check_usable(tensor, false));
  if (tensor.is_host() || tensor.nbytes() == 0) return tensor.read(target);
  return context_->traced_copy(method_, CopyDirection::kDeviceToHost, CopyCause::kDelegate, tensor.nbytes(),
                               [&] { return tensor.read(target); });
}

Status DelegateSlot::write(const Tensor& tensor, std::span<const std::byte> source) {
  BERTH_RETURN_IF_ERROR(check_usable(tensor, true));
  if (tensor.is_host() || tensor.nbytes() == 0) return tensor.write(source);
  return context_->traced_copy(method_, CopyDirection::kHostToDevice, CopyCause::kDelegate, tensor.nbytes(),
                               [&] { return tensor.write(source); });
}

Result<TensorMemory> DelegateSlot::bind(const Tensor& tensor, BindAccess access) {
  BERTH_FAIL_IF_ERROR(check_usable(tensor, access != BindAccess::kRead));
  const TensorMemory own = tensor.memory();
  if (own.device == nullptr || own.buffer == nullptr) return own;
  if (own.offset % std::max<std::uint64_t>(1, own.device->properties().bind_alignment) == 0) return own;
  BERTH_ASSIGN(Bound * bound, aligned_copy(tensor, *own.device));
  if (access != BindAccess::kWrite && own.bytes != 0) {
    BERTH_FAIL_IF_ERROR(
        context_->traced_copy(method_, CopyDirection::kDeviceToDevice, CopyCause::kAlignment, own.bytes,
                              [&] { return bound->buffer.copy_from(0, *own.buffer, own.offset, own.bytes); }));
  }
  bound->write_back = bound->write_back || access != BindAccess::kRead;
  const MemoryBlock& block = bound->buffer.block();
  return TensorMemory{.device = own.device,
                      .buffer = &bound->buffer,
                      .handle = block.handle,
                      .address = block.address,
                      .has_address = block.has_address,
                      .offset = 0,
                      .bytes = own.bytes};
}

Result<DelegateSlot::Bound*> DelegateSlot::aligned_copy(const Tensor& tensor, Device& device) {
  const auto kept = std::ranges::find(bound_, &tensor, &Bound::tensor);
  if (kept != bound_.end()) {
    if (kept->buffer.size() >= tensor.nbytes()) return &*kept;
    outgrown_.splice(outgrown_.end(), bound_, kept);
  }
  const std::shared_ptr<Device>& owner = tensor.memory().buffer->device();
  const DeviceProperties& properties = device.properties();
  const AllocationRequest request{
      .bytes = std::max(tensor.capacity(), tensor.nbytes()),
      .alignment = std::max({std::uint64_t{64}, properties.bind_alignment, properties.kinds[0].min_alignment})};
  const Owner name{.id = owner->intern_owner(OwnerText(context_->file_name, method_).view())};
  auto buffer = DeviceBuffer::allocate(owner, request, name);
  if (!buffer.has_value()) {
    return fail(std::move(buffer).error().at("aligned copy of " + argument_text(tensor) + " (" +
                                             std::to_string(request.bytes) + " bytes)"));
  }
  bound_.push_back({&tensor, *std::move(buffer), false});
  return &bound_.back();
}

std::string DelegateSlot::argument_text(const Tensor& tensor) const {
  const auto found = std::ranges::find(args_, &tensor, [](const Value* value) { return value->to_tensor(); });
  return found == args_.end() ? "a tensor in a list" : "argument " + std::to_string(found - args_.begin());
}

Status DelegateSlot::write_back() {
  for (Bound& bound : bound_) {
    if (!std::exchange(bound.write_back, false)) continue;
    const TensorMemory own = bound.tensor->memory();
    if (own.bytes == 0) continue;
    BERTH_RETURN_IF_ERROR(
        context_->traced_copy(method_, CopyDirection::kDeviceToDevice, CopyCause::kAlignment, own.bytes,
                              [&] { return own.buffer->copy_from(own.offset, bound.buffer, 0, own.bytes); }));
  }
  return {};
}

}  // namespace berth::module::detail
