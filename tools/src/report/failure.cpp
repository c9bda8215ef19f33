#include "report/failure.h"

#include "report/json.h"

namespace berth::cli {

void print_failure_json(std::ostream& out, std::string_view command, const Status& status) {
  Json json = json_head(command);
  json["error"] = json_of(status);
  print_json(out, json);
}

}  // namespace berth::cli
