// Data files and bundled programs.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "berth/program/bundled_program.h"
#include "berth/program/data_file.h"
#include "bundled_program_generated.h"
#include "mutated_file.h"

namespace berth::program {
namespace {

using Bytes = std::span<const std::byte>;

// A bundle of a real program with one test case of one tensor.
std::vector<std::byte> write_bundle() {
  const std::vector<std::byte> program = read_corpus_file("skip_both.pte");
  wire::bundled::BundledProgramT bundle;
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(program.data());
  bundle.program.assign(bytes, bytes + program.size());
  wire::bundled::TensorT tensor;
  tensor.scalar_type = 6;
  tensor.sizes = {2, 2};
  tensor.dim_order = {0, 1};
  tensor.data.assign(16, 1);
  auto value = std::make_unique<wire::bundled::ValueT>();
  value->val.Set(std::move(tensor));
  auto test_case = std::make_unique<wire::bundled::TestCaseT>();
  test_case->inputs.push_back(std::move(value));
  auto suite = std::make_unique<wire::bundled::MethodTestSuiteT>();
  suite->method_name = "forward";
  suite->test_cases.push_back(std::move(test_case));
  bundle.method_test_suites.push_back(std::move(suite));
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(wire::bundled::BundledProgram::Pack(builder, &bundle), wire::bundled::BundledProgramIdentifier());
  const auto* data = reinterpret_cast<const std::byte*>(builder.GetBufferPointer());
  return {data, data + builder.GetSize()};
}

// Adds up bytes so that reading outside is noticed.
std::size_t sum(Bytes bytes) {
  std::size_t total = 0;
  for (const std::byte byte : bytes) total += static_cast<std::size_t>(byte);
  return total;
}

std::string open_data(Bytes bytes) {
  const auto file = DataFile::from_bytes(bytes, "changed.ptd");
  if (!file) return file.error().message();
  std::size_t total = 0;
  for (const NamedTensor& tensor : (*file)->tensors()) {
    total += sum(tensor.data) + sum(std::as_bytes(tensor.sizes)) + sum(std::as_bytes(tensor.dim_order));
    if ((*file)->find(tensor.key) != &tensor) return "a key is not found";
  }
  return total > 0 ? "OK" : "OK, empty";
}

std::string open_bundle(Bytes bytes) {
  const auto bundle = BundledProgram::from_bytes(bytes, "changed.bpte");
  if (!bundle) return bundle.error().message();
  std::size_t total = 0;
  for (const BundledTestCase& test_case : (*bundle)->test_cases()) {
    for (const BundledValue& value : test_case.inputs) {
      if (const auto* tensor = std::get_if<BundledTensor>(&value)) total += sum(tensor->data);
    }
  }
  return total > 0 ? "OK" : "OK, empty";
}

void expect_good(const std::string& message, const std::string& name, const std::string& change) {
  EXPECT_TRUE(message.starts_with("OK") || is_good_message(message, name)) << change << ": " << message;
}

// Every truncation, and every flip of a bit of the first `bytes`.
void sweep(std::vector<std::byte> file, std::size_t bytes, const std::string& name,
           const std::function<std::string(Bytes)>& open) {
  ASSERT_TRUE(open(file).starts_with("OK")) << open(file);
  for (std::size_t size = 0; size < file.size(); size += size < bytes ? 1 : 97) {
    const std::string message = open(Bytes(file).first(size));
    EXPECT_TRUE(is_good_message(message, name)) << size << " bytes: " << message;
  }
  for (std::size_t bit = 0; bit < std::min(bytes, file.size()) * 8; ++bit) {
    const std::byte mask{static_cast<unsigned char>(1U << (bit % 8))};
    file[bit / 8] ^= mask;
    expect_good(open(file), name, "bit " + std::to_string(bit));
    file[bit / 8] ^= mask;
  }
}

TEST(OtherFilesMutationsTest, DataFileSurvivesTruncationsAndFlips) {
  // The numbers behind the first 512 bytes are data, of which nothing is read but the place.
  sweep(read_corpus_file("mlp_external_cuda0.ptd"), 512, "changed.ptd", open_data);
}

TEST(OtherFilesMutationsTest, BundledProgramSurvivesTruncationsAndFlips) {
  const std::vector<std::byte> file = write_bundle();
  sweep(file, file.size(), "changed.bpte", open_bundle);
}

}  // namespace
}  // namespace berth::program
