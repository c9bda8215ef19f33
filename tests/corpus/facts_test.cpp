// What the programs do beyond their sample run: state on the second run, the other branch of a condition, fewer rows.
// Each under the three registry files.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "berth/loader/load_registry.h"
#include "berth/module/module.h"
#include "berth/reference/delegates.h"
#include "berth/reference/kernels.h"

namespace berth::test {
namespace {

using module::Tensor;
using module::Value;

// The float32 elements of a sample file, which follow its header.
Tensor sample_floats(const std::string& name, std::initializer_list<std::int32_t> sizes) {
  std::ifstream file(BERTH_TEST_SOURCE_DIR "/tests/data/device/" + name, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const std::size_t start =
      10 + static_cast<unsigned char>(bytes.at(8)) + 256U * static_cast<unsigned char>(bytes.at(9));
  const std::string data = bytes.substr(start);
  return Tensor::from_data(program::ScalarType::kFloat, {sizes.begin(), sizes.size()}, std::as_bytes(std::span(data)))
      .value();
}

class FactsTest : public testing::TestWithParam<const char*> {
 protected:
  void load(const std::string& program) {
    auto kernels = std::make_shared<module::KernelTable>();
    auto delegates = std::make_shared<module::DelegateTable>();
    ASSERT_EQ(reference::add_reference_kernels(*kernels).message(), "OK");
    ASSERT_EQ(reference::add_reference_delegates(*delegates).message(), "OK");
    loader::RegistryOptions registry;
    registry.path = std::string(BERTH_TEST_SOURCE_DIR "/tests/corpus/configs/") + GetParam() + ".toml";
    auto loaded = loader::load_registry(registry);
    ASSERT_TRUE(loaded.has_value()) << loaded.error().message();
    module::ModuleOptions options;
    options.kernels = kernels;
    options.delegates = delegates;
    auto made =
        module::Module::load(BERTH_TEST_SOURCE_DIR "/tests/data/device/" + program, loaded->registry(), options);
    ASSERT_TRUE(made.has_value()) << made.error().message();
    module_ = *std::move(made);
  }

  // The float elements of every output, one after the other.
  std::vector<float> run(const std::vector<Value>& inputs) {
    auto outputs = module_->execute("forward", inputs);
    EXPECT_TRUE(outputs.has_value()) << outputs.status().message();
    std::vector<float> values;
    for (std::size_t i = 0; outputs.has_value() && i < outputs->size(); ++i) {
      const auto host = (*outputs)[i].to_tensor()->clone_to_host();
      EXPECT_TRUE(host.has_value()) << host.status().message();
      const auto elements = host->data<float>();
      values.insert(values.end(), elements.begin(), elements.end());
    }
    return values;
  }

  static Value floats(std::initializer_list<std::int32_t> sizes, std::initializer_list<float> elements) {
    return Value::of_tensor(Tensor::of<float>(sizes, elements).value());
  }

  std::unique_ptr<module::Module> module_;
};

void expect_near(const std::vector<float>& found, const std::vector<float>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i], expected[i], 1e-5F + 1e-4F * std::abs(expected[i])) << "element " << i;
  }
}

TEST_P(FactsTest, StateGoesOnInTheSecondRun) {
  for (const char* program : {"state_host.pte", "state_cuda0.pte"}) {
    load(program);
    const std::vector<Value> inputs = {floats({3}, {10, 20, 30})};
    const std::vector<float> first = run(inputs);
    expect_near(run(inputs), {31, 62, 93, 4});
    // Loaded afresh, it starts from its stored and zero-filled state again.
    ASSERT_EQ(module_->unload_method("forward").message(), "OK");
    expect_near(run(inputs), first);
  }
}

TEST_P(FactsTest, KeyValueCacheRemembersPositions) {
  load("kv_cache_cuda0.pte");
  const Value input = Value::of_tensor(sample_floats("kv_cache_cuda0.forward.input0.npy", {1, 4}));
  const auto at = [](std::int64_t position) {
    return Value::of_tensor(Tensor::of<std::int64_t>({1}, {position}).value());
  };
  const std::vector<float> first = run({input, at(2)});
  expect_near(run({input, at(2)}), first);
  expect_near(run({input, at(5)}), {-0.0382327F, 0.0162072F, -0.0650129F, 0.0167140F});
}

TEST_P(FactsTest, ConditionTakesTheOtherBranch) {
  load("cond_host.pte");
  const bool no = false;
  const bool yes = true;
  const auto condition = [](const bool& value, std::span<const std::int32_t> sizes) {
    return Value::of_tensor(
        Tensor::from_data(program::ScalarType::kBool, sizes, std::as_bytes(std::span(&value, 1))).value());
  };
  const auto meta = module_->method_meta("forward");
  ASSERT_TRUE(meta.has_value());
  const auto sizes = (*meta->input_tensor(0))->sizes;
  auto input = Tensor::empty(program::ScalarType::kFloat, (*meta->input_tensor(1))->sizes);
  ASSERT_TRUE(input.has_value());
  std::vector<float> tripled;
  float next = 1;
  for (float& element : input->mutable_data<float>()) {
    element = next++;
    tripled.push_back(3 * element);
  }
  expect_near(run({condition(no, sizes), Value::of_tensor(*input)}), tripled);
  EXPECT_NE(run({condition(yes, sizes), Value::of_tensor(*input)}), tripled);
  expect_near(run({condition(no, sizes), Value::of_tensor(*input)}), tripled);
}

TEST_P(FactsTest, DynamicRowsMayBeFewer) {
  load("dynamic_rows.pte");
  for (std::int32_t rows : {1, 64, 2}) {
    const std::vector<std::int32_t> sizes = {rows, 8};
    const std::vector<float> ones(static_cast<std::size_t>(rows) * 8, 1.0F);
    const Value input = Value::of_tensor(Tensor::of<float>(sizes, ones).value());
    expect_near(run({input, input}), std::vector<float>(ones.size(), 2.0F));
  }
}

INSTANTIATE_TEST_SUITE_P(Corpus, FactsTest, testing::Values("plain", "strict", "opaque"),
                         [](const testing::TestParamInfo<const char*>& param) {
                           std::string name = param.param;
                           name[0] = static_cast<char>(name[0] - 'a' + 'A');
                           return name;
                         });

}  // namespace
}  // namespace berth::test
