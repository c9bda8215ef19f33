#include "report/json.h"
#include "report/probe_report.h"

namespace berth::cli {
namespace {

Json object_of(const loader::PluginNote& note) {
  Json json;
  json["name"] = note.name;
  json["device_type"] = note.device_type;
  json["version"] = note.version;
  json["vendor"] = json_text(note.vendor);
  json["abi_major"] = note.abi_major;
  json["abi_minor_min"] = note.abi_minor_min;
  json["abi_minor_max"] = note.abi_minor_max;
  json["cpu_baseline"] = json_text(note.cpu_baseline);
  json["sanitizer"] = json_text(note.sanitizer);
  return json;
}

Json object_of(const loader::PluginFileInfo& file) {
  Json json;
  json["path"] = file.path;
  json["real_path"] = file.real_path;
  json["bytes"] = file.size;
  json["sha256"] = file.sha256;
  json["elf_class"] = file.elf_class;
  json["machine"] = file.machine;
  json["type"] = file.type;
  json["exports_query"] = file.exports_query;
  json["static_tls"] = file.static_tls;
  json["needed"] = file.needed;
  json["undefined"] = file.undefined;
  json["exported"] = file.exported;
  return json;
}

Json object_of(const loader::PluginQueryInfo& query) {
  Json json;
  json["name"] = query.name;
  json["device_type"] = query.device_type;
  json["version"] = query.version;
  json["vendor"] = json_text(query.vendor);
  json["abi_major"] = query.abi_major;
  json["abi_minor"] = query.abi_minor;
  json["abi_minor_min"] = query.abi_minor_min;
  json["abi_minor_max"] = query.abi_minor_max;
  json["driver_starts_threads"] = query.driver_starts_threads;
  json["driver_keeps_threads"] = query.driver_keeps_threads;
  json["process_changes"] = query.process_changes;
  Json groups = Json::array();
  for (const loader::PluginGroup& group : query.groups) {
    groups.push_back({{"name", group.name}, {"required", group.required}, {"present", group.present}});
  }
  json["groups"] = std::move(groups);
  return json;
}

}  // namespace

void print_json(std::ostream& out, const ProbeReport& report) {
  Json json = json_head("probe");
  json["file"] = object_of(report.file);
  json["usable"] = report.file.usable.ok();
  json["failure"] = json_of(report.file.usable);
  json["note"] = report.file.note.has_value() ? object_of(*report.file.note) : Json(nullptr);
  json["query"] = report.query.has_value() ? object_of(*report.query) : Json(nullptr);
  json["query_failure"] = json_of(report.query_failure);
  print_json(out, json);
}

}  // namespace berth::cli
