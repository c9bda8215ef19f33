// What the tensors of a method point to once it is loaded: constants, planned memory with its initial values, external
// data, and the storage of unplanned outputs.
#include <algorithm>
#include <string>
#include <utility>

#include "method.h"
#include "owner_text.h"
#include "tensor_text.h"

namespace berth::module::detail {
namespace {

using program::NamedTensor;
using program::Storage;
using program::TensorPlan;

Status wrong_layout(const TensorPlan& plan, const NamedTensor& found) {
  return Status({.code = Code::kInvalidData,
                 .origin = Origin::kInput,
                 .what = "external constant '" + std::string(plan.name) + "' has another layout in the data file",
                 .expected = detail::layout_text(plan.scalar_type, plan.sizes) + " in dim order " +
                             detail::order_text(plan.dim_order),
                 .found = detail::layout_text(found.scalar_type, found.sizes) + " in dim order " +
                          detail::order_text(found.dim_order) + ", " + std::to_string(found.data.size()) + " bytes"});
}

bool fits(const TensorPlan& plan, const NamedTensor& found) {
  return found.has_layout && found.scalar_type == plan.scalar_type && std::ranges::equal(found.sizes, plan.sizes) &&
         std::ranges::equal(found.dim_order, plan.dim_order) && found.data.size() == plan.bytes;
}

bool aligned(const std::byte* data, std::uint32_t element_size) {
  return reinterpret_cast<std::uintptr_t>(data) % element_size == 0;
}

}  // namespace

Status Method::check_external_data() const {
  std::string missing;
  for (const TensorPlan& plan : plan_.tensors) {
    if (plan.storage != Storage::kExternal) continue;
    const NamedTensor* const found = context_.find_tensor(plan.name);
    if (found == nullptr) {
      if (!missing.empty()) missing += ", ";
      missing += "'" + std::string(plan.name) + "'";
    } else if (!fits(plan, *found)) {
      return wrong_layout(plan, *found);
    }
  }
  if (missing.empty()) return {};
  std::string files;
  for (const auto& file : context_.options.data_files) files += (files.empty() ? "" : ", ") + file->name();
  return Status({.code = Code::kInvalidData,
                 .origin = Origin::kInput,
                 .what = "external constants are missing: " + missing,
                 .expected = "a data file that has them",
                 .found = files.empty() ? "no data file" : files,
                 .next_step = "give the .ptd file that was exported with the program"});
}

// The caller's buffers may belong to other openings of the same hardware.
Status Method::keep_planned_devices() {
  for (const program::PlannedBufferPlan& entry : plan_.planned_buffers) {
    BERTH_ASSIGN_OR_STATUS(std::shared_ptr<Device> device, context_.devices.find(entry.device));
    kept_.push_back(std::move(device));
  }
  return {};
}

Status Method::place_tensors() {
  for (std::size_t i = 0; i < plan_.tensors.size(); ++i) {
    const TensorPlan& plan = plan_.tensors[i];
    Tensor& tensor = body_.tensors[i];
    const Status status = bind_storage(plan, tensor);
    if (!status.ok()) [[unlikely]] {
      return status.at(tensor_text(tensor));
    }
  }
  return {};
}

Status Method::bind_storage(const TensorPlan& plan, Tensor& tensor) {
  switch (plan.storage) {
    case Storage::kUnplanned: {
      has_unplanned_ = true;
      if (plan.device.is_host()) return {};
      BERTH_ASSIGN_OR_STATUS(const std::shared_ptr<Device> device, context_.devices.find(plan.device));
      TensorStorage nowhere;
      nowhere.device = device->is_host() ? nullptr : device.get();
      nowhere.capacity = plan.bytes;
      tensor.bind(std::move(nowhere));
      kept_.push_back(device);
      return {};
    }
    case Storage::kConstant:
      return bind_constant(plan, plan.data, tensor);
    case Storage::kPlanned:
      tensor.bind(planned_[plan.memory_id].part(plan.offset, plan.bytes));
      return {};
    case Storage::kPlannedState:
      tensor.bind(planned_[plan.memory_id].part(plan.offset, plan.bytes));
      return fill_planned(plan.data, tensor);
    case Storage::kExternal: {
      const std::span<const std::byte> data = context_.find_tensor(plan.name)->data;
      if (plan.memory_id == 0) return bind_constant(plan, data, tensor);
      tensor.bind(planned_[plan.memory_id].part(plan.offset, plan.bytes));
      return fill_planned(data, tensor);
    }
  }
  return {};
}

Status Method::bind_constant(const TensorPlan& plan, std::span<const std::byte> data, Tensor& tensor) {
  if (plan.device.is_host() && aligned(data.data(), tensor.element_size())) {
    // The program's bytes are never written: read_only keeps kernels out.
    TensorStorage storage = TensorStorage::of_host(const_cast<std::byte*>(data.data()), data.size());
    storage.read_only = true;
    tensor.bind(std::move(storage));
    return {};
  }
  BERTH_ASSIGN_OR_STATUS(const std::shared_ptr<Device> device, context_.devices.find(plan.device));
  const AllocationRequest request{
      .bytes = data.size(), .alignment = std::max<std::uint64_t>(64, device->properties().kinds[0].min_alignment)};
  BERTH_ASSIGN_OR_STATUS(DeviceBuffer allocated, DeviceBuffer::allocate(device, request, owner_on(*device)));
  constants_.push_back(std::make_unique<DeviceBuffer>(std::move(allocated)));
  TensorStorage storage = TensorStorage::of_buffer(*constants_.back(), 0, data.size());
  tensor.bind(storage);
  BERTH_RETURN_IF_ERROR(fill_planned(data, tensor));
  storage.read_only = true;
  tensor.bind(std::move(storage));
  return {};
}

Status Method::fill_planned(std::span<const std::byte> data, const Tensor& tensor) {
  if (tensor.is_host() || data.empty()) return tensor.write(data);
  const Status status = context_.traced_copy(plan_.name, CopyDirection::kHostToDevice, CopyCause::kStaging, data.size(),
                                             [&] { return tensor.write(data); });
  if (status.ok()) return status;
  return status.at("copy of " + std::to_string(data.size()) + " initial bytes, host to device");
}

Status Method::prepare_output_slots(std::span<std::uint8_t> given) {
  outputs_ = arena_.make<OutputSlot>(plan_.outputs.size());
  if (!has_unplanned_) return {};
  for (const std::int32_t index : plan_.inputs) given[static_cast<std::size_t>(index)] = 1;
  for (std::size_t i = 0; i < plan_.outputs.size(); ++i) {
    const auto index = static_cast<std::size_t>(plan_.outputs[i]);
    const program::ValuePlan& value = plan_.values[index];
    if (value.type != ValueType::kTensor || given[index] != 0) continue;
    const TensorPlan& plan = plan_.tensors[static_cast<std::size_t>(value.integer)];
    if (plan.storage != Storage::kUnplanned) continue;
    given[index] = 1;  // an output listed twice gets one storage
    outputs_[i].tensor = body_.values[index].to_tensor();
    outputs_[i].bytes = plan.bytes;
    const Status status = allocate_output(outputs_[i]);
    if (!status.ok()) return status.at("output " + std::to_string(i));
  }
  for (std::size_t i = 0; i < plan_.values.size() && !checked_; ++i) {
    const program::ValuePlan& value = plan_.values[i];
    checked_ = value.type == ValueType::kTensor && given[i] == 0 &&
               plan_.tensors[static_cast<std::size_t>(value.integer)].storage == Storage::kUnplanned;
  }
  return {};
}

Status Method::allocate_output(OutputSlot& slot) {
  Device* const place = slot.tensor->device();
  const std::shared_ptr<Device>& host = context_.devices.registry()->host();
  std::shared_ptr<Device> device = host;
  if (place != nullptr) {
    const auto index = static_cast<std::size_t>(slot.tensor - body_.tensors.data());
    BERTH_ASSIGN_OR_STATUS(device, context_.devices.find(plan_.tensors[index].device));
  }
  const AllocationRequest request{
      .bytes = slot.bytes, .alignment = std::max<std::uint64_t>(64, device->properties().kinds[0].min_alignment)};
  auto buffer = DeviceBuffer::allocate(device, request, owner_on(*device));
  if (!buffer.has_value()) {
    return std::move(buffer).error().at(std::to_string(slot.bytes) + " bytes on " + device->id().to_string());
  }
  BERTH_RETURN_IF_ERROR(buffer->fill(0, slot.bytes, 0));
  slot.storage = std::make_shared<DeviceBuffer>(*std::move(buffer));
  return {};
}

Owner Method::owner_on(Device& device) const noexcept {
  return {.id = device.intern_owner(OwnerText(context_.file_name, plan_.name).view())};
}

}  // namespace berth::module::detail
