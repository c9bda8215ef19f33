#include "run/read_outputs.h"

#include <algorithm>
#include <string>
#include <utility>

namespace berth::cli {
namespace {

constexpr std::size_t kShownValues = 6;

void show_elements(OutputRow& row, const Array& array) {
  const std::size_t size = program::element_size(array.type.scalar_type);
  row.value_count = size == 0 ? 0 : array.bytes.size() / size;
  for (std::size_t i = 0; i < std::min<std::uint64_t>(row.value_count, kShownValues); ++i) {
    row.values.push_back(element_at(array.type.scalar_type, &array.bytes[i * size]));
  }
}

Status add_tensor(ReadOutputs& outputs, const module::Tensor& tensor) {
  BERTH_ASSIGN_OR_STATUS(Array array, array_of(tensor));
  OutputRow row;
  row.type = array.type.describe();
  row.device = tensor.on_device() && tensor.device() != nullptr ? tensor.device()->id().to_string() : "cpu:0";
  row.read_back = tensor.on_device() && !array.bytes.empty();
  if (row.read_back) {
    ++outputs.read_back.count;
    outputs.read_back.bytes += array.bytes.size();
  }
  show_elements(row, array);
  outputs.values.push_back({std::move(array), row.type});
  outputs.rows.push_back(std::move(row));
  return {};
}

void add_scalar(ReadOutputs& outputs, const module::Value& value) {
  OutputValue output;
  OutputRow row;
  row.type = output.type = module::value_type_name(value.type());
  if (value.is_int()) output.value = Element(value.to_int());
  if (value.is_bool()) output.value = Element(value.to_bool());
  if (value.is_double()) output.value = Element(value.to_double());
  if (value.is_string()) output.value = Element(std::string(value.to_string()));
  if (const auto* element = std::get_if<Element>(&output.value)) {
    row.values.push_back(*element);
    row.value_count = 1;
  }
  outputs.values.push_back(std::move(output));
  outputs.rows.push_back(std::move(row));
}

}  // namespace

Result<ReadOutputs> read_outputs(std::string_view method, std::span<const module::Value> outputs) {
  ReadOutputs result;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (const module::Tensor* tensor = outputs[i].to_tensor(); tensor != nullptr) {
      if (Status status = add_tensor(result, *tensor); !status.ok()) {
        return fail(status.at("method '" + std::string(method) + "', output " + std::to_string(i)));
      }
    } else {
      add_scalar(result, outputs[i]);
    }
  }
  return result;
}

}  // namespace berth::cli
