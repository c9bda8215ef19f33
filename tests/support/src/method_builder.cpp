#include <numeric>

#include "berth/test/program_builder.h"
#include "program_generated.h"

namespace berth::test {

namespace wire = program::wire;

namespace {

template <typename Table>
int add_value(wire::ExecutionPlanT& plan, Table contents) {
  auto value = std::make_unique<wire::EValueT>();
  value->val.Set(std::move(contents));
  plan.values.push_back(std::move(value));
  return static_cast<int>(plan.values.size()) - 1;
}

template <typename Table>
void add_instruction(wire::ExecutionPlanT& plan, Table contents) {
  auto instruction = std::make_unique<wire::InstructionT>();
  instruction->instr_args.Set(std::move(contents));
  plan.chains.back()->instructions.push_back(std::move(instruction));
}

}  // namespace

MethodBuilder::MethodBuilder(wire::ExecutionPlanT& plan, bool inline_data, wire::ProgramT& program,
                             std::vector<std::vector<std::byte>>& blobs)
    : plan_(plan), inline_data_(inline_data), program_(program), blobs_(blobs) {
  plan_.container_meta_type = std::make_unique<wire::ContainerMetadataT>();
  plan_.non_const_buffer_sizes = {0};
  next_chain();
}

int MethodBuilder::tensor(const TensorSpec& spec) {
  wire::TensorT tensor;
  tensor.scalar_type = static_cast<wire::ScalarType>(spec.scalar_type);
  tensor.storage_offset = spec.storage_offset;
  tensor.sizes = spec.sizes;
  tensor.dim_order.resize(spec.sizes.size());
  std::iota(tensor.dim_order.begin(), tensor.dim_order.end(), std::uint8_t{0});
  if (spec.dim_order) tensor.dim_order = *spec.dim_order;
  tensor.data_buffer_idx = spec.data_index;
  tensor.shape_dynamism = static_cast<wire::TensorShapeDynamism>(spec.dynamism);
  if (spec.memory_id >= 0) {
    tensor.allocation_info = std::make_unique<wire::AllocationDetailsT>();
    tensor.allocation_info->memory_id = static_cast<std::uint32_t>(spec.memory_id);
    tensor.allocation_info->memory_offset_low = static_cast<std::uint32_t>(spec.offset);
    tensor.allocation_info->memory_offset_high = static_cast<std::uint32_t>(spec.offset >> 32);
  }
  if (spec.external || !spec.name.empty() || spec.device_type != 0 || spec.device_index != 0 || spec.state_list != 0) {
    tensor.extra_tensor_info = std::make_unique<wire::ExtraTensorInfoT>();
    tensor.extra_tensor_info->mutable_data_segments_idx = spec.state_list;
    tensor.extra_tensor_info->fully_qualified_name = spec.name;
    tensor.extra_tensor_info->location =
        spec.external ? wire::TensorDataLocation::EXTERNAL : wire::TensorDataLocation::SEGMENT;
    tensor.extra_tensor_info->device_type = static_cast<wire::DeviceType>(spec.device_type);
    tensor.extra_tensor_info->device_index = spec.device_index;
  }
  return add_value(plan_, std::move(tensor));
}

int MethodBuilder::none() { return add_value(plan_, wire::NullT{}); }

int MethodBuilder::integer(std::int64_t value) {
  wire::IntT contents;
  contents.int_val = value;
  return add_value(plan_, contents);
}

int MethodBuilder::boolean(bool value) {
  wire::BoolT contents;
  contents.bool_val = value;
  return add_value(plan_, contents);
}

int MethodBuilder::real(double value) {
  wire::DoubleT contents;
  contents.double_val = value;
  return add_value(plan_, contents);
}

int MethodBuilder::text(std::string_view value) {
  wire::StringT contents;
  contents.string_val = value;
  return add_value(plan_, std::move(contents));
}

int MethodBuilder::int_list(std::vector<std::int64_t> value_indices) {
  wire::IntListT contents;
  contents.items = std::move(value_indices);
  return add_value(plan_, std::move(contents));
}

int MethodBuilder::double_list(std::vector<double> items) {
  wire::DoubleListT contents;
  contents.items = std::move(items);
  return add_value(plan_, std::move(contents));
}

int MethodBuilder::bool_list(std::vector<bool> items) {
  wire::BoolListT contents;
  contents.items = std::move(items);
  return add_value(plan_, std::move(contents));
}

int MethodBuilder::tensor_list(std::vector<std::int32_t> value_indices) {
  wire::TensorListT contents;
  contents.items = std::move(value_indices);
  return add_value(plan_, std::move(contents));
}

int MethodBuilder::optional_tensor_list(std::vector<std::int32_t> value_indices) {
  wire::OptionalTensorListT contents;
  contents.items = std::move(value_indices);
  return add_value(plan_, std::move(contents));
}

int MethodBuilder::buffer(std::int64_t bytes, std::int8_t device_type, std::int8_t device_index) {
  plan_.non_const_buffer_sizes.push_back(bytes);
  const int id = static_cast<int>(plan_.non_const_buffer_sizes.size()) - 1;
  if (device_type != 0 || device_index != 0) buffer_device(id, device_type, device_index);
  return id;
}

void MethodBuilder::buffer_device(std::int32_t buffer, std::int8_t device_type, std::int8_t device_index) {
  auto entry = std::make_unique<wire::NonConstBufferDeviceT>();
  entry->buffer_idx = buffer;
  entry->device_type = static_cast<wire::DeviceType>(device_type);
  entry->device_index = device_index;
  plan_.non_const_buffer_device.push_back(std::move(entry));
}

int MethodBuilder::delegate(std::string_view id, std::string_view blob,
                            const std::vector<std::pair<std::string, std::string>>& compile_specs) {
  auto delegate = std::make_unique<wire::BackendDelegateT>();
  delegate->id = id;
  delegate->processed = std::make_unique<wire::BackendDelegateDataReferenceT>();
  const auto bytes = std::as_bytes(std::span(blob));
  if (inline_data_) {
    auto data = std::make_unique<wire::BackendDelegateInlineDataT>();
    data->data.assign(blob.begin(), blob.end());
    program_.backend_delegate_data.push_back(std::move(data));
    delegate->processed->index = static_cast<std::uint32_t>(program_.backend_delegate_data.size()) - 1;
  } else {
    blobs_.emplace_back(bytes.begin(), bytes.end());
    delegate->processed->location = wire::DataLocation::SEGMENT;
    delegate->processed->index = static_cast<std::uint32_t>(blobs_.size());  // segment 0 holds the constants
  }
  for (const auto& [key, value] : compile_specs) {
    auto spec = std::make_unique<wire::CompileSpecT>();
    spec->key = key;
    spec->value.assign(value.begin(), value.end());
    delegate->compile_specs.push_back(std::move(spec));
  }
  plan_.delegates.push_back(std::move(delegate));
  return static_cast<int>(plan_.delegates.size()) - 1;
}

MethodBuilder& MethodBuilder::inputs(std::vector<std::int32_t> values) {
  plan_.inputs = std::move(values);
  return *this;
}

MethodBuilder& MethodBuilder::outputs(std::vector<std::int32_t> values) {
  plan_.outputs = std::move(values);
  return *this;
}

int MethodBuilder::op_index(std::string_view op) {
  const std::size_t dot = op.rfind('.');
  const std::string_view name = op.substr(0, dot);
  const std::string_view overload = dot == std::string_view::npos ? std::string_view() : op.substr(dot + 1);
  for (std::size_t i = 0; i < plan_.operators.size(); ++i) {
    if (plan_.operators[i]->name == name && plan_.operators[i]->overload == overload) return static_cast<int>(i);
  }
  auto added = std::make_unique<wire::OperatorT>();
  added->name = name;
  added->overload = overload;
  plan_.operators.push_back(std::move(added));
  return static_cast<int>(plan_.operators.size()) - 1;
}

MethodBuilder& MethodBuilder::call(std::string_view op, std::vector<std::int32_t> args) {
  wire::KernelCallT contents;
  contents.op_index = op_index(op);
  contents.args = std::move(args);
  add_instruction(plan_, std::move(contents));
  return *this;
}

MethodBuilder& MethodBuilder::delegate_call(int delegate, std::vector<std::int32_t> args) {
  wire::DelegateCallT contents;
  contents.delegate_index = delegate;
  contents.args = std::move(args);
  add_instruction(plan_, std::move(contents));
  return *this;
}

MethodBuilder& MethodBuilder::move(std::int32_t from, std::int32_t to) {
  wire::MoveCallT contents;
  contents.move_from = from;
  contents.move_to = to;
  add_instruction(plan_, contents);
  return *this;
}

MethodBuilder& MethodBuilder::jump_false(std::int32_t condition, std::int32_t destination) {
  wire::JumpFalseCallT contents;
  contents.cond_value_index = condition;
  contents.destination_instruction = destination;
  add_instruction(plan_, contents);
  return *this;
}

MethodBuilder& MethodBuilder::free_value(std::int32_t value) {
  wire::FreeCallT contents;
  contents.value_index = value;
  add_instruction(plan_, contents);
  return *this;
}

MethodBuilder& MethodBuilder::next_chain() {
  plan_.chains.push_back(std::make_unique<wire::ChainT>());
  return *this;
}

}  // namespace berth::test
