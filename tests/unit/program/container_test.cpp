// Identifier, extended header, and reading files.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>
#include <fstream>

#include "berth/program/program.h"
#include "berth/test/temp_dir.h"
#include "device_program.h"

namespace berth::program {
namespace {

using test::TempDir;

std::vector<std::byte> small_file() { return DeviceProgram().builder.build(); }

void put(std::vector<std::byte>& file, std::size_t position, std::uint64_t value, std::size_t bytes) {
  std::memcpy(file.data() + position, &value, bytes);
}

std::string message_with(std::size_t position, std::uint64_t value, std::size_t bytes) {
  std::vector<std::byte> file = small_file();
  put(file, position, value, bytes);
  return open_message(file);
}

std::string write(const TempDir& dir, const std::string& name, std::span<const std::byte> bytes) {
  return dir.write(name, {reinterpret_cast<const char*>(bytes.data()), bytes.size()}).string();
}

TEST(ContainerTest, RefusesShortFiles) {
  EXPECT_EQ(open_message(std::vector<std::byte>()),
            "test.pte: the file is too short for a program: expected at least 64 bytes, found 0 bytes; copy or export "
            "it again");
  EXPECT_EQ(open_message(std::vector<std::byte>(63)),
            "test.pte: the file is too short for a program: expected at least 64 bytes, found 63 bytes; copy or export "
            "it again");
}

TEST(ContainerTest, RefusesOtherIdentifiers) {
  EXPECT_EQ(message_with(4, 0x31315445, 4),
            "test.pte: this is not a program: expected identifier 'ET12' at byte 4, found 'ET11'; give a .pte file");
  EXPECT_EQ(message_with(4, 0x38305042, 4),
            "test.pte: this is not a program: expected identifier 'ET12' at byte 4, found 'BP08'; open this .bpte file "
            "as a bundled program");
  EXPECT_EQ(message_with(4, 0x31305446, 4),
            "test.pte: this is not a program: expected identifier 'ET12' at byte 4, found 'FT01'; this is a data file "
            "(.ptd): give it beside its program");
  EXPECT_EQ(message_with(4, 0x0A01FF41, 4),
            "test.pte: this is not a program: expected identifier 'ET12' at byte 4, found 'A...'; give a .pte file");
}

TEST(ContainerTest, RefusesShortHeader) {
  EXPECT_EQ(message_with(12, 23, 4),
            "test.pte, extended header: the header is too short: expected at least 24 bytes, found 23 bytes; the file "
            "is incomplete or damaged: copy or export it again");
  EXPECT_EQ(message_with(12, 0, 4),
            "test.pte, extended header: the header is too short: expected at least 24 bytes, found 0 bytes; the file "
            "is incomplete or damaged: copy or export it again");
}

TEST(ContainerTest, AcceptsLongerAndShorterHeaders) {
  EXPECT_EQ(message_with(12, 24, 4), "OK");
  EXPECT_EQ(message_with(12, 4096, 4), "OK");
}

TEST(ContainerTest, RefusesProgramSizesThatDoNotFit) {
  const std::size_t size = small_file().size();
  EXPECT_EQ(message_with(16, size + 1, 8),
            "test.pte, extended header: the program does not fit the file: expected a size from 40 to " +
                std::to_string(size) + " bytes, found " + std::to_string(size + 1) +
                " bytes; the file is incomplete or damaged: copy or export it again");
  EXPECT_EQ(message_with(16, 39, 8),
            "test.pte, extended header: the program does not fit the file: expected a size from 40 to " +
                std::to_string(size) +
                " bytes, found 39 bytes; the file is incomplete or damaged: copy or export it again");
}

TEST(ContainerTest, RefusesSegmentAreasOutsideTheFile) {
  const std::size_t size = small_file().size();
  EXPECT_EQ(message_with(32, 1 << 20, 8),
            "test.pte, extended header: the segment area ends past the end of the file: expected a file of at least " +
                std::to_string(size - 4 + (1 << 20)) + " bytes, found " + std::to_string(size) +
                " bytes; the file is incomplete or damaged: copy or export it again");
  EXPECT_EQ(message_with(24, UINT64_MAX, 8),
            "test.pte, extended header: the segment area ends past the largest file size: expected base + size below "
            "2^64, found 18446744073709551615 + 4; the file is incomplete or damaged: copy or export it again");
}

TEST(ContainerTest, TakesUnknownDataSizeAsTheRestOfTheFile) { EXPECT_EQ(message_with(32, 0, 8), "OK"); }

TEST(ContainerTest, ReadsFilesOfEverySizeTheSameWay) {
  const TempDir dir;
  for (const std::size_t floats : {1U, 8U * 1024, 80U * 1024, 200U * 1024}) {
    test::ProgramBuilder builder;
    const std::vector<float> numbers(floats, 2.5F);
    builder.constant(test::bytes_of(numbers));
    builder.method("forward").tensor({.sizes = {static_cast<std::int32_t>(floats)}, .data_index = 1});
    const std::vector<std::byte> bytes = builder.build();
    const std::string file = write(dir, "constant.pte", bytes);
    for (const bool map : {false, true}) {
      const auto program = Program::open(file, {.map_segments = map});
      ASSERT_TRUE(program.has_value()) << program.error().message();
      EXPECT_EQ((*program)->name(), file);
      EXPECT_EQ((*program)->file_bytes(), bytes.size());
      const std::span<const std::byte> data = (*program)->methods()[0].tensors[0].data;
      ASSERT_EQ(data.size(), floats * sizeof(float));
      EXPECT_EQ(std::memcmp(data.data(), numbers.data(), data.size()), 0);
    }
  }
}

TEST(ContainerTest, RefusesLargeFilesThatAreIncomplete) {
  const TempDir dir;
  test::ProgramBuilder builder;
  builder.constant(test::bytes_of(std::vector<float>(200 * 1024)));
  builder.method("forward");
  const std::vector<std::byte> bytes = builder.build();
  const std::string file = write(dir, "cut.pte", std::span(bytes).first(bytes.size() - 1));
  for (const bool map : {false, true}) {
    const auto program = Program::open(file, {.map_segments = map});
    ASSERT_FALSE(program.has_value());
    EXPECT_EQ(program.error().message(),
              file + ", extended header: the segment area ends past the end of the file: expected a file of at least " +
                  std::to_string(bytes.size()) + " bytes, found " + std::to_string(bytes.size() - 1) +
                  " bytes; the file is incomplete or damaged: copy or export it again");
  }
}

TEST(ContainerTest, SaysWhyAFileCannotBeRead) {
  const TempDir dir;
  const std::string absent = (dir.path() / "absent.pte").string();
  const auto missing = Program::open(absent);
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().message(),
            absent + ": the file cannot be opened: found No such file or directory; check the path");
  EXPECT_EQ(missing.error().code(), Code::kNotFound);
  EXPECT_EQ(missing.error().origin(), Origin::kInput);

  const auto folder = Program::open(dir.path());
  ASSERT_FALSE(folder.has_value());
  EXPECT_EQ(folder.error().message(),
            dir.path().string() + ": the file cannot be read: found Is a directory; check the path and the disk");
  EXPECT_EQ(folder.error().code(), Code::kIoError);

  const auto device = Program::open("/dev/zero");
  ASSERT_FALSE(device.has_value());
  EXPECT_EQ(device.error().message(),
            "/dev/zero: the file cannot be read: expected a regular file, found a device, pipe or folder; check the "
            "path");
}

TEST(ContainerTest, DoesNotWaitForAPipe) {
  const TempDir dir;
  const std::string pipe = (dir.path() / "pipe.pte").string();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const auto program = Program::open(pipe);
  ASSERT_FALSE(program.has_value());
  EXPECT_EQ(program.error().message(),
            pipe +
                ": the file is too short for a program: expected at least 64 bytes, found 0 bytes; copy or export "
                "it again");
}

}  // namespace
}  // namespace berth::program
