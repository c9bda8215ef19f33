#include "report/json.h"

#include "berth/version.h"

namespace berth::cli {

Json json_of(const std::optional<std::uint64_t>& number) { return number.has_value() ? Json(*number) : Json(nullptr); }

Json json_text(std::string_view text) { return text.empty() ? Json(nullptr) : Json(text); }

Json json_of(const Status& status) {
  if (status.ok()) return nullptr;
  const ErrorInfo& info = status.info();
  Json json;
  json["code"] = code_name(info.code);
  json["origin"] = origin_name(info.origin);
  json["message"] = status.message();
  json["where"] = json_text(info.where);
  json["what"] = json_text(info.what);
  json["expected"] = json_text(info.expected);
  json["found"] = json_text(info.found);
  json["next_step"] = json_text(info.next_step);
  json["rule"] = json_text(info.rule);
  json["native_code"] = info.native_code;
  return json;
}

Json json_of(const loader::ConfigSource& source) { return {{"path", source.path}, {"reason", source.reason}}; }

Json json_head(std::string_view command) {
  Json json;
  json["command"] = command;
  json["version"] = version();
  return json;
}

void print_json(std::ostream& out, const Json& json) {
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
}

}  // namespace berth::cli
