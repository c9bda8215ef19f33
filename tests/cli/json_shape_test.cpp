// docs/cli.md says what --json prints: every path and its type. Both directions are checked: what is printed is
// documented, and what is documented is printed by some run below.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "cli_fixture.h"

namespace berth::test {
namespace {

using Json = nlohmann::json;
using Shape = std::map<std::string, std::string>;  // path -> type as documented

// The table below "### `command`".
Shape documented_shape(const std::string& command) {
  std::ifstream file(BERTH_TEST_SOURCE_DIR "/docs/cli.md");
  Shape shape;
  bool inside = false;
  const std::regex row(R"(\| `([^`]+)` \| (.*) \|)");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("### ", 0) == 0) inside = line == "### `" + command + "`";
    std::smatch match;
    if (inside && std::regex_match(line, match, row)) shape[match[1]] = match[2];
  }
  return shape;
}

std::string first_word(const std::string& type) { return type.substr(0, type.find_first_of(" :,")); }

bool has_type(const Json& value, const std::string& type) {
  if (value.is_null()) return type.find("or null") != std::string::npos || first_word(type) == "failure";
  const std::string word = first_word(type);
  if (word == "string") return value.is_string();
  if (word == "number") return value.is_number();
  if (word == "boolean") return value.is_boolean();
  if (word == "list") return value.is_array();
  if (word == "element") return value.is_number() || value.is_boolean() || value.is_string();
  return value.is_object();  // object, failure, "values by key"
}

const std::set<std::string>& failure_keys() {
  static const std::set<std::string> keys = {"code",     "origin", "message",   "where", "what",
                                             "expected", "found",  "next_step", "rule",  "native_code"};
  return keys;
}

std::set<std::string> keys_of(const Json& object) {
  std::set<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.insert(key);
  return keys;
}

class ShapeCheck {
 public:
  explicit ShapeCheck(Shape shape) : shape_(std::move(shape)) {}

  void look_at(const Json& value, const std::string& path = "") {
    if (!path.empty()) {
      seen_.insert(path);
      ASSERT_TRUE(shape_.count(path) == 1) << path << " is not documented";
      const std::string& type = shape_[path];
      EXPECT_TRUE(has_type(value, type)) << path << " is documented as " << type << ", found " << value;
      const bool failure = first_word(type) == "failure";
      EXPECT_TRUE(!failure || value.is_null() || keys_of(value) == failure_keys()) << path << ": " << value;
      if (failure || type.find(" by ") != std::string::npos) return;
    }
    if (value.is_array()) {
      for (const Json& item : value) item.is_object() ? look_into(item, path + "[]") : look_at(item, path + "[]");
    }
    if (value.is_object()) look_into(value, path);
  }

  // `rare`: what no program and registry file of ours brings about.
  void expect_all_seen(const std::set<std::string>& rare = {}) const {
    for (const auto& [path, type] : shape_) {
      EXPECT_TRUE(seen_.count(path) + rare.count(path) == 1) << path << " was never printed, or is not rare";
    }
  }

 private:
  void look_into(const Json& object, const std::string& path) {
    for (const auto& [key, value] : object.items()) look_at(value, path.empty() ? key : path + "." + key);
  }
  Shape shape_;
  std::set<std::string> seen_;
};

class JsonShapeTest : public testing::Test {
 protected:
  void look_at(ShapeCheck& check, std::vector<std::string> arguments, int code) {
    arguments.push_back("--json");
    const Answer answer = run_berth(arguments);
    EXPECT_EQ(answer.code, code) << answer.err;
    const Json json = Json::parse(answer.out, nullptr, false);
    ASSERT_FALSE(json.is_discarded()) << answer.out;
    check.look_at(json);
  }
  TempDir folder_;
};

TEST_F(JsonShapeTest, DevicesPrintsWhatIsDocumented) {
  ShapeCheck check(documented_shape("devices"));
  const std::string good = folder_.write("good.toml", mock_config() + "[types]\n2 = \"npu\"\n");
  const std::string silent = folder_.write("silent.toml", mock_config("faults = \"memory_info=DRIVER_FAILED\""));
  const std::string bad = folder_.write("bad.toml", mock_config("faults = \"open=NO_PERMISSION\""));
  look_at(check, {"devices", "--explain", "--config", good}, 0);
  look_at(check, {"devices", "--config", silent}, 0);
  look_at(check, {"devices", "--explain", "--config", bad}, 1);
  check.expect_all_seen();
}

TEST_F(JsonShapeTest, ProbePrintsWhatIsDocumented) {
  ShapeCheck check(documented_shape("probe"));
  look_at(check, {"probe", BERTH_TEST_PLUGIN_DIR "/libberth_cpu_mock.so", "--run"}, 0);
  look_at(check, {"probe", BERTH_TEST_BIN_DIR "/berth"}, 1);
  check.expect_all_seen();
}

TEST_F(JsonShapeTest, InspectPrintsWhatIsDocumented) {
  ShapeCheck check(documented_shape("inspect"));
  const std::string small = folder_.write("small.toml", mock_config("capacity = 1024"));
  const std::string silent = folder_.write("silent.toml", mock_config("unknown = \"free, total\""));
  const std::string used = folder_.write("used.toml", mock_config("faults = \"open=NO_PERMISSION\""));
  look_at(check, {"inspect", data_file("transformer_2dev.pte"), "--config", small}, 1);
  look_at(check, {"inspect", data_file("skip_both.pte"), "--config", silent}, 0);
  look_at(check, {"inspect", data_file("two_methods.pte"), "--config", used}, 1);
  look_at(check, {"inspect", data_file("mlp_external_cuda0.pte")}, 0);
  // No program of ours takes a number or has data by name.
  check.expect_all_seen({"methods[].inputs[].value", "named_data[]"});
}

TEST_F(JsonShapeTest, RunPrintsWhatIsDocumented) {
  ShapeCheck check(documented_shape("run"));
  const std::string config = folder_.write("mock.toml", mock_config());
  const std::string wrong = folder_.write("wrong.npy", npy_floats("(2, 2)", {0, 0, 0, 0}));
  const std::string longer = folder_.write("longer.npy", npy_floats("(5,)", {0, 0, 0, 0, 0}));
  look_at(check,
          {"run", data_file("skip_both.pte"), "--config", config, "--expect", wrong, "--output-dir",
           folder_.path() / "out"},
          1);
  look_at(check, {"run", data_file("add_cuda0.pte"), "--config", config, "--expect", longer}, 1);
  look_at(check, {"run", data_file("unplaced_add_cuda0.pte"), "--config", config}, 0);
  look_at(check, {"run", data_file("two_methods.pte"), "--method", "name", "--config", config}, 0);
  // Devices have notices after copies between peers, which no program of ours makes.
  check.expect_all_seen({"methods[].devices[].notices[]"});
}

TEST_F(JsonShapeTest, FailuresPrintWhatIsDocumented) {
  ShapeCheck check(documented_shape("error"));
  look_at(check, {"run", folder_.path() / "absent.pte"}, 3);
  check.expect_all_seen();
}

}  // namespace
}  // namespace berth::test
