#include "run/prepare_inputs.h"

#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "berth/program/scalar_type.h"
#include "npy/npy_file.h"

namespace berth::cli {
namespace {

using module::Tensor;
using module::Value;

Status wrong_use(std::string where, std::string what, std::string expected, std::string found) {
  return Status({.code = Code::kInvalidArgument,
                 .origin = Origin::kUsage,
                 .where = std::move(where),
                 .what = std::move(what),
                 .expected = std::move(expected),
                 .found = std::move(found)});
}

std::string describe(const program::TensorPlan& plan) {
  const ArrayType type{plan.scalar_type, {plan.sizes.begin(), plan.sizes.end()}};
  return type.describe() + (plan.dynamism == program::Dynamism::kStatic ? "" : " at most");
}

// Checked before the elements are read, so that a huge file of the wrong shape costs nothing.
Status check_type(const std::string& where, const ArrayType& given, const program::TensorPlan& plan) {
  if (given.scalar_type != plan.scalar_type) {
    return wrong_use(where, "wrong dtype", program::scalar_type_name(plan.scalar_type),
                     program::scalar_type_name(given.scalar_type));
  }
  bool fits = given.sizes.size() == plan.sizes.size();
  for (std::size_t i = 0; fits && i < given.sizes.size(); ++i) {
    fits = plan.dynamism == program::Dynamism::kStatic  ? given.sizes[i] == plan.sizes[i]
           : plan.dynamism == program::Dynamism::kBound ? given.sizes[i] <= plan.sizes[i]
                                                        : true;
  }
  if (fits) return {};
  return wrong_use(where, "wrong shape", describe(plan), given.describe());
}

Result<Tensor> tensor_of(const Array& array, const program::TensorPlan& plan) {
  BERTH_ASSIGN(const module::Shape shape,
               module::Shape::create(array.type.scalar_type, array.type.sizes, plan.dim_order));
  const auto bytes = to_tensor_order(array.bytes, shape, program::element_size(array.type.scalar_type));
  return Tensor::from_data(array.type.scalar_type, array.type.sizes, bytes, plan.dim_order);
}

Result<Tensor> given_tensor(const std::string& where, const ValueSpec& spec, const program::TensorPlan& plan) {
  if (const auto* array = std::get_if<Array>(&spec.value)) {
    BERTH_FAIL_IF_ERROR(check_type(where, array->type, plan));
    return tensor_of(*array, plan);
  }
  const auto* file = std::get_if<ArrayFile>(&spec.value);
  if (file == nullptr) return fail(wrong_use(where, "wrong kind of value", describe(plan), spec.describe()));
  BERTH_ASSIGN(const ArrayType type, read_npy_type(file->path));
  BERTH_FAIL_IF_ERROR(check_type(where + " (" + file->path + ")", type, plan));
  BERTH_ASSIGN(const Array array, read_npy(file->path));
  return tensor_of(array, plan);
}

// The bytes of one element with the value 1; empty for types that have none.
std::vector<std::byte> one(program::ScalarType type) {
  using program::ScalarType;
  const auto bytes_of = [](auto value) {
    std::vector<std::byte> bytes(sizeof value);
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes;
  };
  switch (type) {
    case ScalarType::kFloat:
      return bytes_of(1.0F);
    case ScalarType::kDouble:
      return bytes_of(1.0);
    case ScalarType::kHalf:
      return bytes_of(std::uint16_t{0x3C00});
    case ScalarType::kBFloat16:
      return bytes_of(std::uint16_t{0x3F80});
    case ScalarType::kByte:
    case ScalarType::kChar:
    case ScalarType::kBool:
      return bytes_of(std::uint8_t{1});
    case ScalarType::kShort:
    case ScalarType::kUInt16:
      return bytes_of(std::uint16_t{1});
    case ScalarType::kInt:
    case ScalarType::kUInt32:
      return bytes_of(std::uint32_t{1});
    case ScalarType::kLong:
    case ScalarType::kUInt64:
      return bytes_of(std::uint64_t{1});
    default:
      return {};
  }
}

// On `host`, so that its limit counts them.
Result<Tensor> ones(const std::string& where, const program::TensorPlan& plan, const std::shared_ptr<Device>& host) {
  const std::vector<std::byte> element = one(plan.scalar_type);
  if (element.empty()) {
    return fail(wrong_use(where, "elements of this type cannot be made up", "an array given with --input",
                          program::scalar_type_name(plan.scalar_type)));
  }
  auto tensor = Tensor::empty(plan.scalar_type, plan.sizes, host, plan.dim_order);
  if (!tensor.has_value()) return fail(std::move(tensor).error().at(where));
  const std::span<std::byte> bytes = tensor->mutable_bytes();
  for (std::size_t i = 0; i < bytes.size(); i += element.size()) {
    std::memcpy(&bytes[i], element.data(), element.size());
  }
  return tensor;
}

Value scalar_of(const program::ValuePlan& plan) {
  switch (plan.type) {
    case program::ValueType::kInt:
      return Value::of_int(plan.integer);
    case program::ValueType::kBool:
      return Value::of_bool(plan.integer != 0);
    case program::ValueType::kDouble:
      return Value::of_double(plan.real);
    case program::ValueType::kString:
      return Value::of_string(plan.text);
    default:
      return Value::none();
  }
}

struct MakeScalar {
  Value operator()(std::monostate) const { return Value::none(); }
  Value operator()(bool truth) const { return Value::of_bool(truth); }
  Value operator()(std::int64_t number) const { return Value::of_int(number); }
  Value operator()(double number) const { return Value::of_double(number); }
  Value operator()(const std::string& text) const { return Value::of_string(text); }
  Value operator()(const ArrayFile&) const { return Value::none(); }
  Value operator()(const Array&) const { return Value::none(); }
};

bool is_array(const ValueSpec& spec) {
  return std::holds_alternative<ArrayFile>(spec.value) || std::holds_alternative<Array>(spec.value);
}

// One input; `spec` null makes it up.
Status add_input(PreparedInputs& inputs, module::Module& module, const program::MethodPlan& plan, std::size_t index,
                 const ValueSpec* spec) {
  const std::string where = "method '" + std::string(plan.name) + "', input " + std::to_string(index);
  const program::ValuePlan& value = plan.values[static_cast<std::size_t>(plan.inputs[index])];
  InputRow row;
  if (value.type != program::ValueType::kTensor) {
    if (spec != nullptr && is_array(*spec)) {
      return wrong_use(where, "wrong kind of value", scalar_of(value).describe(), spec->describe());
    }
    row.source = spec == nullptr ? "the program's own value" : spec->source;
    inputs.values.push_back(spec == nullptr ? scalar_of(value) : std::visit(MakeScalar{}, spec->value));
    row.type = module::value_type_name(inputs.values.back().type());
    inputs.rows.push_back(std::move(row));
    return {};
  }
  const program::TensorPlan& tensor_plan = plan.tensors[static_cast<std::size_t>(value.integer)];
  BERTH_ASSIGN_OR_STATUS(Tensor tensor, spec == nullptr ? ones(where, tensor_plan, module.registry()->host())
                                                        : given_tensor(where, *spec, tensor_plan));
  row.type = ArrayType{tensor.scalar_type(), {tensor.sizes().begin(), tensor.sizes().end()}}.describe();
  row.source = spec == nullptr ? "ones (no --input given)" : spec->source;
  if (!tensor_plan.device.is_host() && tensor_plan.storage == program::Storage::kUnplanned) {
    BERTH_ASSIGN_OR_STATUS(auto device, module.find_device(tensor_plan.device));
    auto staged = tensor.clone_to(device);
    if (!staged.has_value()) return staged.error().at(where);
    tensor = *std::move(staged);
    row.staged = device->id().to_string();
    ++inputs.staged.count;
    inputs.staged.bytes += tensor.nbytes();
  }
  inputs.values.push_back(Value::of_tensor(std::move(tensor)));
  inputs.rows.push_back(std::move(row));
  return {};
}

}  // namespace

Result<PreparedInputs> prepare_inputs(module::Module& module, const program::MethodPlan& plan,
                                      std::span<const ValueSpec> specs) {
  if (!specs.empty() && specs.size() != plan.inputs.size()) {
    return fail(wrong_use("method '" + std::string(plan.name) + "'", "wrong number of inputs",
                          std::to_string(plan.inputs.size()) + " (or none: ones are used)",
                          std::to_string(specs.size())));
  }
  PreparedInputs inputs;
  for (std::size_t i = 0; i < plan.inputs.size(); ++i) {
    BERTH_FAIL_IF_ERROR(add_input(inputs, module, plan, i, specs.empty() ? nullptr : &specs[i]));
  }
  return inputs;
}

}  // namespace berth::cli
