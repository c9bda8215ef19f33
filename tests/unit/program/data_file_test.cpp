#include "berth/program/data_file.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "berth/test/temp_dir.h"
#include "data_file_builder.h"

namespace berth::program {
namespace {

std::string message_of(const std::vector<std::byte>& bytes) {
  const auto file = DataFile::from_bytes(bytes, "test.ptd");
  return file.has_value() ? "OK" : file.error().message();
}

std::string message_after(const std::function<void(wire::data::FlatTensorT&)>& edit) {
  return message_of(write_data_file(edit));
}

TEST(DataFileTest, FindsTensorsByTheirWholeKey) {
  const auto file = DataFile::from_bytes(write_data_file(), "test.ptd");
  ASSERT_TRUE(file.has_value()) << file.error().message();
  EXPECT_EQ((*file)->name(), "test.ptd");
  ASSERT_EQ((*file)->tensors().size(), 3U);
  const NamedTensor* weight = (*file)->find("linear.weight");
  ASSERT_NE(weight, nullptr);
  EXPECT_TRUE(weight->has_layout);
  EXPECT_EQ(weight->scalar_type, ScalarType::kFloat);
  EXPECT_EQ(weight->data.size(), 16U);
  const NamedTensor* opaque = (*file)->find("opaque");
  ASSERT_NE(opaque, nullptr);
  EXPECT_FALSE(opaque->has_layout);
  EXPECT_EQ(opaque->data.size(), 3U);
  EXPECT_EQ((*file)->find("linear.weigh"), nullptr);
  EXPECT_EQ((*file)->find("linear.weight2"), nullptr);
  EXPECT_EQ((*file)->find(""), nullptr);
}

TEST(DataFileTest, ReadsFromDisk) {
  const test::TempDir dir;
  const std::vector<std::byte> bytes = write_data_file();
  const auto path = dir.write("weights.ptd", {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  const auto file = DataFile::open(path);
  ASSERT_TRUE(file.has_value()) << file.error().message();
  EXPECT_EQ((*file)->tensors().size(), 3U);
  const auto absent = DataFile::open(dir.path() / "absent.ptd");
  ASSERT_FALSE(absent.has_value());
  EXPECT_EQ(absent.error().message(), (dir.path() / "absent.ptd").string() +
                                          ": the file cannot be opened: found No such file or directory; check the "
                                          "path");
}

TEST(DataFileTest, RefusesOtherFiles) {
  std::vector<std::byte> bytes = write_data_file();
  const std::string found = std::to_string(bytes.size());
  for (const std::size_t position : {4U, 8U, 12U}) {
    std::vector<std::byte> changed = bytes;
    changed[position] = std::byte{1};
    EXPECT_EQ(message_of(changed),
              "test.ptd: this is not a data file: expected identifier 'FT01' at byte 4 and a header 'FH01' of at least "
              "40 bytes, found " +
                  found + " bytes without them; give a .ptd file");
  }
  bytes.resize(47);
  EXPECT_EQ(
      message_of(bytes),
      "test.ptd: this is not a data file: expected identifier 'FT01' at byte 4 and a header 'FH01' of at least 40 "
      "bytes, found 47 bytes without them; give a .ptd file");
  const auto file = DataFile::from_bytes(bytes, "test.ptd");
  EXPECT_EQ(file.error().code(), Code::kInvalidData);
  EXPECT_EQ(file.error().origin(), Origin::kInput);
}

TEST(DataFileTest, RefusesRangesOutsideTheFile) {
  const std::vector<std::byte> bytes = write_data_file();
  std::vector<std::byte> cut = bytes;
  cut.pop_back();
  const std::string message = message_of(cut);
  EXPECT_TRUE(
      message.starts_with("test.ptd, header: the header names ranges outside the file: expected ranges inside "
                          "its " +
                          std::to_string(cut.size()) + " bytes, found a flatbuffer of "))
      << message;
  for (const std::size_t position : {16U, 24U, 32U, 40U}) {
    std::vector<std::byte> changed = bytes;
    const std::uint64_t huge = UINT64_MAX - 7;
    std::memcpy(changed.data() + position, &huge, sizeof(huge));
    EXPECT_TRUE(message_of(changed).ends_with("the file is incomplete or damaged: copy or export it again"))
        << position;
  }
}

TEST(DataFileTest, RefusesKeysThatAreAbsentOrTwice) {
  EXPECT_EQ(
      message_after([](auto& file) { file.named_data[1]->key.clear(); }),
      "test.ptd, named data 1: it has no key; the file is damaged or was written by a faulty tool: copy or export "
      "it again");
  EXPECT_EQ(message_after([](auto& file) { file.named_data[1]->key = "opaque"; }),
            "test.ptd: two tensors have the key 'opaque': expected a key of its own for each; the file is damaged or "
            "was written by a faulty tool: copy or export it again");
}

TEST(DataFileTest, RefusesSegmentsThatAreNotThere) {
  EXPECT_EQ(message_after([](auto& file) { file.named_data[0]->segment_index = 3; }),
            "test.ptd, named data 0: it names a segment that the file does not list: expected a segment below 3, found "
            "segment 3; the file is damaged or was written by a faulty tool: copy or export it again");
  EXPECT_EQ(message_after([](auto& file) { file.segments[2]->size = 400; }),
            "test.ptd, segment 2: the segment is not inside the file: expected a range inside the 35 bytes of data, "
            "found 400 bytes at offset 32; the file is damaged or was written by a faulty tool: copy or export it "
            "again");
}

TEST(DataFileTest, RefusesLayoutsThatDoNotFit) {
  EXPECT_EQ(message_after([](auto& file) {
              file.named_data[0]->tensor_layout->sizes = {2, 3};
            }),
            "test.ptd, named data 0: the file holds too few bytes for 'linear.weight': expected 24 bytes, found 16 "
            "bytes; the file is damaged or was written by a faulty tool: copy or export it again");
  EXPECT_EQ(message_after([](auto& file) {
              file.named_data[0]->tensor_layout->dim_order = {1, 1};
            }),
            "test.ptd, named data 0: the dim order of the tensor is no permutation of its dimensions: expected each of "
            "the 2 dimensions once, found dim order [1, 1]; the file is damaged or was written by a faulty tool: copy "
            "or export it again");
  EXPECT_EQ(message_after([](auto& file) { file.named_data[0]->tensor_layout->scalar_type = 99; }),
            "test.ptd, named data 0: the element type of 'linear.weight' is unknown: expected a scalar type of the "
            "ExecuTorch schema, found 99; the file is damaged or was written by a faulty tool: copy or export it "
            "again");
  EXPECT_EQ(message_after([](auto& file) {
              file.named_data[0]->tensor_layout->sizes = {INT32_MAX, INT32_MAX, INT32_MAX};
              file.named_data[0]->tensor_layout->dim_order = {0, 1, 2};
            }),
            "test.ptd, named data 0: the tensor has more bytes than can be counted: expected less than 2^63 bytes, "
            "found sizes [2147483647, 2147483647, 2147483647] of float32; the file is damaged or was written by a "
            "faulty tool: copy or export it again");
}

TEST(DataFileTest, RefusesTheLayoutOfBeforeJune2025) {
  // Field 1 was an alignment then, where a list is now.
  std::vector<std::byte> bytes = write_data_file();
  const auto* root = wire::data::GetFlatTensor(bytes.data());
  auto* reference = const_cast<std::byte*>(
      reinterpret_cast<const std::byte*>(root) +
      reinterpret_cast<const flatbuffers::Table*>(root)->GetOptionalFieldOffset(wire::data::FlatTensor::VT_SEGMENTS));
  const std::uint32_t alignment = 16;
  std::memcpy(reference, &alignment, sizeof(alignment));
  const std::string message = message_of(bytes);
  EXPECT_TRUE(
      message.ends_with("; export the data file again; files of before June 2025 have another layout under the "
                        "same identifier"))
      << message;
}

}  // namespace
}  // namespace berth::program
