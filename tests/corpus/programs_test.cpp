// Each method of each program of tests/data/device under each registry file of configs/: the outputs that PyTorch gave,
// the planned buffers that the manifest lists, and nothing else on a device.
#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "berth/cli/run.h"
#include "berth/reference/delegates.h"
#include "berth/reference/kernels.h"

namespace berth::test {
namespace {

using Json = nlohmann::json;

const std::string kData = BERTH_TEST_SOURCE_DIR "/tests/data/device/";
const std::string kConfigs = BERTH_TEST_SOURCE_DIR "/tests/corpus/configs/";

struct MethodCase {
  std::string file;
  std::string method;
  Json facts;  // of the manifest: planned, inputs, outputs
  std::string config;
  bool legacy = false;
};

// For messages of failed tests.
void PrintTo(const MethodCase& item, std::ostream* out) {
  *out << item.file << ", method " << item.method << ", " << item.config << ".toml";
}

// "add_cuda0.pte" -> "AddCuda0"
std::string camel_case(const std::string& text) {
  std::string name;
  bool start = true;
  for (const char c : text.substr(0, text.find('.'))) {
    if (c != '_') name += start ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    start = c == '_';
  }
  return name;
}

std::vector<MethodCase> all_cases() {
  std::ifstream file(kData + "manifest.json");
  const Json manifest = Json::parse(file, nullptr, false);
  std::vector<MethodCase> cases;
  for (const Json& entry : manifest) {
    const Json& methods = entry.at("methods");
    for (const auto& [method, facts] : methods.items()) {
      for (const char* config : {"plain", "strict", "opaque"}) {
        const std::string name = entry["file"];
        cases.push_back({name, method, facts, config, name.rfind("unplaced_", 0) == 0});
      }
    }
  }
  return cases;
}

class ProgramTest : public testing::TestWithParam<MethodCase> {
 protected:
  // `berth run` with the sample inputs and expected outputs of the case.
  Json run(std::vector<std::string> more = {}) {
    const MethodCase& param = GetParam();
    std::vector<std::string> words = {"berth",    "run",        kData + param.file, "--json",
                                      "--method", param.method, "--config",         kConfigs + param.config + ".toml"};
    for (const Json& input : param.facts["inputs"]) add(words, "--input", kData + input.get<std::string>());
    for (const Json& output : param.facts["outputs"]) add(words, "--expect", kData + output.get<std::string>());
    const std::string data = std::filesystem::path(kData + param.file).replace_extension(".ptd");
    if (std::filesystem::exists(data)) add(words, "--data", data);
    words.insert(words.end(), more.begin(), more.end());
    return report_of(words);
  }

  static void add(std::vector<std::string>& words, const char* option, const std::string& value) {
    words.emplace_back(option);
    words.push_back(value);
  }

  static Json report_of(std::vector<std::string> words) {
    module::KernelTable kernels;
    module::DelegateTable delegates;
    EXPECT_TRUE(reference::add_reference_kernels(kernels).ok());
    EXPECT_TRUE(reference::add_reference_delegates(delegates).ok());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    std::ostringstream out;
    std::ostringstream err;
    const int code = cli::run(static_cast<int>(argv.size()), argv.data(), kernels, delegates, cli::Streams{&out, &err});
    EXPECT_EQ(code, 0) << err.str();
    return Json::parse(out.str(), nullptr, false);
  }
};

TEST_P(ProgramTest, GivesTheExpectedOutputs) {
  const Json report = run();
  ASSERT_TRUE(report.is_object());
  const Json matches = GetParam().facts["outputs"].empty() ? Json(nullptr) : Json(true);
  EXPECT_EQ(report["matches"], matches) << report.dump(2);
  EXPECT_EQ(report["notices"].empty(), !GetParam().legacy) << report["notices"];
}

TEST_P(ProgramTest, PlacesItsBuffersWhereItSays) {
  const Json report = run();
  ASSERT_TRUE(report.is_object());
  Json placed = Json::array();
  for (const Json& buffer : report["methods"][0]["planned_buffers"]) {
    placed.push_back({{"bytes", buffer["bytes"]}, {"device", buffer["program_device"]}});
    const bool host = buffer["program_device"] == "cpu:0";
    EXPECT_EQ(buffer["plugin"], host ? "host" : "mock");
  }
  EXPECT_EQ(placed, GetParam().facts["planned"]);
  EXPECT_TRUE(!GetParam().legacy || report["copies"].empty()) << report["copies"];
}

INSTANTIATE_TEST_SUITE_P(Corpus, ProgramTest, testing::ValuesIn(all_cases()),
                         [](const testing::TestParamInfo<MethodCase>& param) {
                           return camel_case(param.param.file) + camel_case(param.param.method) +
                                  camel_case(param.param.config);
                         });

TEST(CorpusTest, HasEveryProgramOfTheFolder) {
  std::size_t programs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kData)) programs += entry.path().extension() == ".pte";
  std::ifstream file(kData + "manifest.json");
  EXPECT_EQ(Json::parse(file, nullptr, false).size(), programs);
  EXPECT_GT(programs, 20U);
}

}  // namespace
}  // namespace berth::test
