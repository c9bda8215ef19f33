#include "berth/program/bundled_program.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "berth/test/program_builder.h"
#include "berth/test/temp_dir.h"
#include "bundled_program_generated.h"

namespace berth::program {
namespace {

namespace bundled = wire::bundled;
using Edit = std::function<void(bundled::BundledProgramT&)>;

std::unique_ptr<bundled::ValueT> tensor_value() {
  bundled::TensorT tensor;
  tensor.scalar_type = 6;
  tensor.sizes = {2};
  tensor.dim_order = {0};
  tensor.data.assign(8, 7);
  auto value = std::make_unique<bundled::ValueT>();
  value->val.Set(std::move(tensor));
  return value;
}

template <typename Table>
std::unique_ptr<bundled::ValueT> value_of(Table table) {
  auto value = std::make_unique<bundled::ValueT>();
  value->val.Set(std::move(table));
  return value;
}

// One method with one test case: a tensor, an int, a bool and a double in, a tensor out.
std::vector<std::byte> write_bundle(const Edit& edit = {}) {
  test::ProgramBuilder program;
  program.method("forward");
  const std::vector<std::byte> inner = program.build();

  bundled::BundledProgramT bundle;
  bundle.version = 2;
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(inner.data());
  bundle.program.assign(bytes, bytes + inner.size());
  auto suite = std::make_unique<bundled::MethodTestSuiteT>();
  suite->method_name = "forward";
  auto test_case = std::make_unique<bundled::TestCaseT>();
  bundled::IntT number;
  number.int_val = -3;
  bundled::BoolT truth;
  truth.bool_val = true;
  bundled::DoubleT real;
  real.double_val = 0.5;
  test_case->inputs.push_back(tensor_value());
  test_case->inputs.push_back(value_of(number));
  test_case->inputs.push_back(value_of(truth));
  test_case->inputs.push_back(value_of(real));
  test_case->expected_outputs.push_back(tensor_value());
  suite->test_cases.push_back(std::move(test_case));
  bundle.method_test_suites.push_back(std::move(suite));
  if (edit) edit(bundle);

  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(bundled::BundledProgram::Pack(builder, &bundle), bundled::BundledProgramIdentifier());
  const auto* data = reinterpret_cast<const std::byte*>(builder.GetBufferPointer());
  return {data, data + builder.GetSize()};
}

std::string message_of(const std::vector<std::byte>& bytes) {
  const auto bundle = BundledProgram::from_bytes(bytes, "test.bpte");
  return bundle.has_value() ? "OK" : bundle.error().message();
}

TEST(BundledProgramTest, ReadsProgramAndTestCases) {
  const auto bundle = BundledProgram::from_bytes(write_bundle(), "test.bpte");
  ASSERT_TRUE(bundle.has_value()) << bundle.error().message();
  EXPECT_NE((*bundle)->program()->find_method("forward"), nullptr);
  ASSERT_EQ((*bundle)->test_cases().size(), 1U);
  const BundledTestCase& test_case = (*bundle)->test_cases()[0];
  EXPECT_EQ(test_case.method, "forward");
  ASSERT_EQ(test_case.inputs.size(), 4U);
  const auto& tensor = std::get<BundledTensor>(test_case.inputs[0]);
  EXPECT_EQ(tensor.scalar_type, ScalarType::kFloat);
  EXPECT_EQ(tensor.data.size(), 8U);
  EXPECT_EQ(std::get<std::int64_t>(test_case.inputs[1]), -3);
  EXPECT_TRUE(std::get<bool>(test_case.inputs[2]));
  EXPECT_EQ(std::get<double>(test_case.inputs[3]), 0.5);
  EXPECT_EQ(test_case.expected_outputs.size(), 1U);
}

TEST(BundledProgramTest, TellsBundlesFromOtherFiles) {
  const test::TempDir dir;
  const std::vector<std::byte> bytes = write_bundle();
  const auto bundle = dir.write("a.bpte", {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  EXPECT_TRUE(BundledProgram::is_bundled(bundle));
  EXPECT_TRUE(BundledProgram::open(bundle).has_value());
  EXPECT_FALSE(BundledProgram::is_bundled(dir.write("short", "abc")));
  EXPECT_FALSE(BundledProgram::is_bundled(dir.write("other", "0000ET1200000000")));
  EXPECT_FALSE(BundledProgram::is_bundled(dir.path()));
  EXPECT_FALSE(BundledProgram::is_bundled(dir.path() / "absent"));
}

TEST(BundledProgramTest, RefusesOtherFiles) {
  EXPECT_EQ(message_of({}),
            "test.bpte: this is not a bundled program: expected identifier 'BP08' at byte 4, found 0 bytes without it; "
            "give a .bpte file");
  EXPECT_EQ(
      message_of(std::vector<std::byte>(64)),
      "test.bpte: this is not a bundled program: expected identifier 'BP08' at byte 4, found 64 bytes without it; "
      "give a .bpte file");
}

TEST(BundledProgramTest, RefusesBundlesWithoutAProgram) {
  EXPECT_EQ(message_of(write_bundle([](auto& bundle) { bundle.program.clear(); })),
            "test.bpte: there is no program in the bundle; export the program again");
  EXPECT_EQ(
      message_of(write_bundle([](auto& bundle) { bundle.program.resize(10); })),
      "test.bpte: the file is too short for a program: expected at least 64 bytes, found 10 bytes; copy or export "
      "it again");
}

TEST(BundledProgramTest, RefusesSuitesOfMethodsThatAreNotThere) {
  EXPECT_EQ(
      message_of(write_bundle([](auto& bundle) { bundle.method_test_suites[0]->method_name = "other"; })),
      "test.bpte, test suite 0: the suite tests a method that the program does not have: expected the name of one "
      "of its methods, found 'other'; export the program again");
}

TEST(BundledProgramTest, RefusesTensorsThatContradictThemselves) {
  const auto after = [](const std::function<void(bundled::TensorT&)>& edit) {
    return message_of(write_bundle(
        [&](auto& bundle) { edit(*bundle.method_test_suites[0]->test_cases[0]->inputs[0]->val.AsTensor()); }));
  };
  const std::string where = "test.bpte, method 'forward', test case 0: ";
  EXPECT_EQ(after([](auto& tensor) { tensor.data.resize(7); }),
            where +
                "a tensor of the test case has data that does not fit its sizes: expected 8 bytes, found 7 bytes; "
                "export the program again");
  EXPECT_EQ(after([](auto& tensor) { tensor.scalar_type = 8; }),
            where +
                "a tensor of the test case has an unknown element type: expected a scalar type of the ExecuTorch "
                "schema, found 8; export the program again");
  EXPECT_EQ(after([](auto& tensor) { tensor.sizes = {-2}; }),
            where +
                "the tensor has a negative size: expected sizes of at least 0, found sizes [-2]; export the program "
                "again");
  EXPECT_EQ(after([](auto& tensor) {
              tensor.sizes.assign(4, INT32_MAX);
              tensor.dim_order = {0, 1, 2, 3};
            }),
            where +
                "the tensor has more bytes than can be counted: expected less than 2^63 bytes, found sizes "
                "[2147483647, 2147483647, 2147483647, 2147483647] of float32; export the program again");
}

TEST(BundledProgramTest, RefusesValuesWithoutContents) {
  EXPECT_EQ(message_of(write_bundle(
                [](auto& bundle) { bundle.method_test_suites[0]->test_cases[0]->inputs[1]->val.Reset(); })),
            "test.bpte, method 'forward', test case 0: a value of the test case has an unknown type or no contents: "
            "expected a tensor, int, bool or double, found type 0; export the program again");
}

}  // namespace
}  // namespace berth::program
