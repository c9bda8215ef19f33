#include <cmath>
#include <type_traits>
#include <variant>

#include "report/json.h"
#include "report/run_report.h"

namespace berth::cli {
namespace {

template <typename Items>
Json array_of_objects(const Items& items);

// Numbers that JSON has no words for are texts: "nan", "inf", "-inf".
Json number_of(double number) { return std::isfinite(number) ? Json(number) : Json(element_text(Element(number))); }

Json object_of(const Element& element) {
  return std::visit(
      [](const auto& value) -> Json {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, double>) return number_of(value);
        return value;
      },
      element);
}

Json object_of(const PlacedDevice& device) {
  Json json;
  json["id"] = device.id;
  json["served_by"] = device.entry;
  json["fallback"] = device.fallback;
  json["plugin"] = device.plugin;
  json["plugin_version"] = json_text(device.plugin_version);
  json["hardware"] = json_text(device.hardware);
  json["file"] = json_text(device.file);
  json["reason"] = json_text(device.reason);
  json["notices"] = device.notices;
  return json;
}

Json object_of(const PlacedBuffer& buffer) {
  Json json;
  json["memory_id"] = buffer.memory_id;
  json["bytes"] = buffer.bytes;
  json["program_device"] = buffer.program_device;
  json["device"] = buffer.device;
  json["plugin"] = buffer.plugin;
  json["hardware"] = json_text(buffer.hardware);
  return json;
}

Json object_of(const Placement& placement) {
  Json json;
  json["method"] = placement.method;
  json["devices"] = array_of_objects(placement.devices);
  json["planned_buffers"] = array_of_objects(placement.buffers);
  json["load_ns"] = placement.load_ns;
  return json;
}

Json object_of(const CopyRow& row) {
  return {{"direction", row.direction}, {"cause", row.cause}, {"count", row.count}, {"bytes", row.bytes}};
}

Json object_of(const InputRow& input) {
  return {{"type", input.type}, {"source", input.source}, {"staged_on", json_text(input.staged)}};
}

Json object_of(const Comparison& comparison) {
  Json json;
  json["source"] = comparison.source;
  json["matches"] = comparison.matches;
  json["shape_mismatch"] = json_text(comparison.shape_mismatch);
  json["compared"] = comparison.compared;
  json["differing"] = comparison.differing;
  json["largest_difference"] = number_of(comparison.largest_difference);
  json["first_difference"] = nullptr;
  if (comparison.first.has_value()) {
    json["first_difference"] = {{"index", comparison.first->index},
                                {"expected", object_of(comparison.first->expected)},
                                {"found", object_of(comparison.first->found)}};
  }
  return json;
}

Json object_of(const OutputRow& output) {
  Json json;
  json["type"] = output.type;
  json["device"] = json_text(output.device);
  json["read_back"] = output.read_back;
  json["values"] = array_of_objects(output.values);
  json["value_count"] = output.value_count;
  json["comparison"] = output.comparison.has_value() ? object_of(*output.comparison) : Json(nullptr);
  return json;
}

Json json_of_verdict(const std::optional<bool>& matches) {
  return matches.has_value() ? Json(*matches) : Json(nullptr);
}

Json object_of(const RunCase& run) {
  Json json;
  json["method"] = run.method;
  json["test_case"] = json_of(run.test_case);
  json["repeats"] = run.repeats;
  json["run_ns"] = run.run_ns;
  json["inputs"] = array_of_objects(run.inputs);
  json["outputs"] = array_of_objects(run.outputs);
  json["matches"] = json_of_verdict(run.matches());
  return json;
}

template <typename Items>
Json array_of_objects(const Items& items) {
  Json array = Json::array();
  for (const auto& item : items) array.push_back(object_of(item));
  return array;
}

}  // namespace

void print_json(std::ostream& out, const RunReport& report) {
  Json json = json_head("run");
  json["program"] = report.program;
  json["config"] = json_of(report.config);
  json["notices"] = report.notices;
  json["methods"] = array_of_objects(report.placements);
  json["cases"] = array_of_objects(report.cases);
  json["copies"] = array_of_objects(report.copies);
  json["written"] = report.written;
  json["matches"] = json_of_verdict(report.matches());
  print_json(out, json);
}

}  // namespace berth::cli
