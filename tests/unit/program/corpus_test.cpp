// The programs of tests/data/device, against the list that their exporter wrote.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "berth/program/data_file.h"
#include "berth/program/method_meta.h"
#include "berth/program/program.h"

namespace berth::program {
namespace {

using ::testing::UnorderedElementsAreArray;

const std::filesystem::path kFolder = std::filesystem::path(BERTH_TEST_SOURCE_DIR) / "tests/data/device";

nlohmann::json manifest() { return nlohmann::json::parse(std::ifstream(kFolder / "manifest.json")); }

std::string device_text(ProgramDevice device) {
  return (device.type == 0 ? "cpu:" : "cuda:") + std::to_string(device.index);
}

void expect_method(const MethodMeta& meta, const nlohmann::json& expected) {
  ASSERT_EQ(meta.num_planned_buffers(), expected["planned"].size());
  for (std::size_t i = 0; i < meta.num_planned_buffers(); ++i) {
    EXPECT_EQ(meta.planned_buffer_bytes(i).value(), expected["planned"][i]["bytes"].get<std::uint64_t>());
    EXPECT_EQ(device_text(meta.planned_buffer_device(i).value()), expected["planned"][i]["device"].get<std::string>());
  }
  std::vector<std::string> operators;
  for (std::size_t i = 0; i < meta.num_operators(); ++i) operators.push_back(meta.operator_name(i).value());
  EXPECT_THAT(operators, UnorderedElementsAreArray(expected["operators"].get<std::vector<std::string>>()));
  std::vector<std::string> delegates;
  for (std::size_t i = 0; i < meta.num_delegates(); ++i) delegates.emplace_back(meta.delegate_id(i).value());
  EXPECT_THAT(delegates, UnorderedElementsAreArray(expected["delegates"].get<std::vector<std::string>>()));
  EXPECT_EQ(meta.num_inputs(), expected["inputs"].size());
}

TEST(CorpusTest, EveryProgramSaysWhatItsExporterSays) {
  int programs = 0;
  for (const auto& entry : manifest()) {
    const auto file = kFolder / entry["file"].get<std::string>();
    SCOPED_TRACE(file);
    const auto program = Program::open(file);
    ASSERT_TRUE(program.has_value()) << program.error().message();
    EXPECT_EQ((*program)->file_bytes(), std::filesystem::file_size(file));
    EXPECT_EQ((*program)->legacy(), file.filename().string().starts_with("unplaced_"));
    ASSERT_EQ((*program)->methods().size(), entry["methods"].size());
    for (const auto& [name, expected] : entry["methods"].items()) {
      SCOPED_TRACE(name);
      const auto meta = MethodMeta::create(*program, name);
      ASSERT_TRUE(meta.has_value()) << meta.error().message();
      expect_method(*meta, expected);
    }
    ++programs;
  }
  EXPECT_EQ(programs, 22);
}

TEST(CorpusTest, NestedProgramsOpenToo) {
  int nested = 0;
  for (const auto& entry : manifest()) {
    const auto program = Program::open(kFolder / entry["file"].get<std::string>());
    ASSERT_TRUE(program.has_value()) << program.error().message();
    for (const MethodPlan& method : (*program)->methods()) {
      for (const DelegatePlan& delegate : method.delegates) {
        if (delegate.id != "ExecutorBackend") continue;
        const auto inner = Program::from_bytes(delegate.blob, "blob");
        ASSERT_TRUE(inner.has_value()) << entry["file"] << ": " << inner.error().message();
        ++nested;
      }
    }
  }
  EXPECT_GT(nested, 0);
}

TEST(CorpusTest, DataFileHoldsWhatItsProgramAsksFor) {
  const auto program = Program::open(kFolder / "mlp_external_cuda0.pte");
  ASSERT_TRUE(program.has_value()) << program.error().message();
  const auto data = DataFile::open(kFolder / "mlp_external_cuda0.ptd");
  ASSERT_TRUE(data.has_value()) << data.error().message();
  int external = 0;
  for (const TensorPlan& tensor : (*program)->methods()[0].tensors) {
    if (tensor.storage != Storage::kExternal) continue;
    const NamedTensor* found = (*data)->find(tensor.name);
    ASSERT_NE(found, nullptr) << tensor.name;
    EXPECT_EQ(found->data.size(), tensor.bytes);
    EXPECT_EQ(found->scalar_type, tensor.scalar_type);
    EXPECT_THAT(found->sizes, ::testing::ElementsAreArray(tensor.sizes.begin(), tensor.sizes.end()));
    ++external;
  }
  EXPECT_EQ(external, 4);
}

}  // namespace
}  // namespace berth::program
