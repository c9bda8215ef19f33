#include "report/inspect_report.h"
#include "report/json.h"

namespace berth::cli {
namespace {

// An array of what `convert` makes of each item.
template <typename Items, typename Convert>
Json json_array(const Items& items, Convert convert) {
  Json array = Json::array();
  for (const auto& item : items) array.push_back(convert(item));
  return array;
}

Json object_of(const ValueFacts& value) {
  Json json;
  json["type"] = value.type;
  if (value.type != "tensor") {
    json["value"] = json_text(value.value);
    return json;
  }
  json["dtype"] = value.scalar_type;
  json["sizes"] = value.sizes;
  json["strides"] = value.strides;
  json["dynamic"] = value.dynamic;
  json["device"] = value.device;
  json["storage"] = value.storage;
  json["bytes"] = value.bytes;
  return json;
}

Json object_of(const BufferFacts& buffer) {
  return {{"memory_id", buffer.memory_id}, {"bytes", buffer.bytes}, {"device", buffer.device}};
}

Json object_of(const OperatorFacts& op) { return {{"name", op.name}, {"missing", op.missing}}; }

Json object_of(const DelegateFacts& delegate) {
  Json json;
  json["id"] = delegate.id;
  json["target"] = json_text(delegate.target);
  json["blob_bytes"] = delegate.blob_bytes;
  json["missing"] = delegate.missing;
  json["failure"] = json_of(delegate.target_failure);
  return json;
}

Json object_of(const MethodFacts& method) {
  const auto convert = [](const auto& item) { return object_of(item); };
  Json json;
  json["name"] = method.name;
  json["inputs"] = json_array(method.inputs, convert);
  json["outputs"] = json_array(method.outputs, convert);
  json["planned_buffers"] = json_array(method.buffers, convert);
  json["operators"] = json_array(method.operators, convert);
  json["delegates"] = json_array(method.delegates, convert);
  json["instructions"] = method.instructions;
  json["constant_bytes"] = method.constant_bytes;
  return json;
}

Json object_of(const DeviceFit& device) {
  Json json;
  json["devices"] = device.devices;
  json["fits"] = device.problems.empty();
  json["served_by"] = json_text(device.served_by);
  json["planned_bytes"] = device.planned_bytes;
  json["other_bytes"] = device.other_bytes;
  json["limit_bytes"] = json_of(device.limit);
  json["total_bytes"] = json_of(device.total);
  json["free_bytes"] = json_of(device.free);
  json["problems"] = device.problems;
  json["warnings"] = device.warnings;
  json["unknown"] = device.unknown;
  return json;
}

Json object_of(const FitReport& fit) {
  Json json;
  json["config"] = json_of(fit.config);
  json["fits"] = fit.fits();
  json["methods"] = json_array(fit.methods, [](const MethodFit& method) {
    return Json{{"method", method.method},
                {"fits", method.fits()},
                {"devices", json_array(method.devices, [](const DeviceFit& device) { return object_of(device); })}};
  });
  return json;
}

}  // namespace

void print_json(std::ostream& out, const InspectReport& report) {
  Json json = json_head("inspect");
  json["program"] = report.program;
  json["file_bytes"] = report.file_bytes;
  json["legacy"] = report.legacy;
  json["unplaced_tags"] = report.unplaced_tags;
  json["test_cases"] = json_of(report.test_cases);
  json["named_data"] = report.named_data;
  json["methods"] = json_array(report.methods, [](const MethodFacts& method) { return object_of(method); });
  if (report.fit.has_value()) json["fit"] = object_of(*report.fit);
  print_json(out, json);
}

}  // namespace berth::cli
