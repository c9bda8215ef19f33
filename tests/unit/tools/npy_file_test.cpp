#include "npy/npy_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "berth/test/temp_dir.h"

namespace berth::cli {
namespace {

using program::ScalarType;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif
#else
constexpr bool kSanitized = false;
#endif

// A .npy file: format, header with the closing newline, elements.
std::string npy(std::string_view header, std::string_view data, char major = 1) {
  const std::string text = std::string(header) + "\n";
  std::string bytes = "\x93NUMPY";
  bytes += major;
  bytes += '\0';
  const int length_bytes = major == 1 ? 2 : 4;
  for (int i = 0; i < length_bytes; ++i) bytes += static_cast<char>(text.size() >> (8 * i) & 0xFF);
  return bytes + text + std::string(data);
}

class NpyFileTest : public testing::Test {
 protected:
  std::string write(std::string_view bytes) { return folder_.write("a.npy", bytes).string(); }

  // What reading a file with this header and 16 bytes of elements says, without the path in front.
  std::string message(std::string_view header) { return message_of(npy(header, std::string(16, 'x'))); }
  std::string message_of(std::string_view bytes) {
    const std::string path = write(bytes);
    const auto array = read_npy(path);
    if (array.has_value()) return "read " + array->type.describe();
    EXPECT_EQ(array.error().origin(), Origin::kInput);
    EXPECT_EQ(read_npy_type(path).status().message(), array.error().message());
    return array.error().message().substr(path.size());
  }

  test::TempDir folder_;
};

TEST_F(NpyFileTest, ReadsEveryNumberType) {
  const std::vector<std::pair<const char*, ScalarType>> types = {
      {"<f4", ScalarType::kFloat},  {"<f8", ScalarType::kDouble}, {"<f2", ScalarType::kHalf},
      {"|i1", ScalarType::kChar},   {"|u1", ScalarType::kByte},   {"|b1", ScalarType::kBool},
      {"<i2", ScalarType::kShort},  {"<i4", ScalarType::kInt},    {"<i8", ScalarType::kLong},
      {"<u2", ScalarType::kUInt16}, {"<u4", ScalarType::kUInt32}, {"<u8", ScalarType::kUInt64}};
  for (const auto& [descr, type] : types) {
    const std::string header = std::string("{'descr': '") + descr + "', 'fortran_order': False, 'shape': (2,), }";
    const auto array = read_npy(write(npy(header, std::string(2 * program::element_size(type), '\x01'))));
    ASSERT_TRUE(array.has_value()) << descr << ": " << array.error().message();
    EXPECT_EQ(array->type.scalar_type, type);
    EXPECT_EQ(array->type.sizes, std::vector<std::int32_t>{2});
    EXPECT_EQ(array->bytes, std::vector<std::byte>(2 * program::element_size(type), std::byte{1}));
  }
}

TEST_F(NpyFileTest, ReadsKeysInAnyOrderAndFormatsTwoAndThree) {
  EXPECT_EQ(message("{'shape': (2, 2), 'fortran_order': False, 'descr': '<f4'}"), "read float32[2, 2]");
  for (char major : {'\x02', '\x03'}) {
    const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }";
    EXPECT_EQ(message_of(npy(header, std::string(16, 'x'), major)), "read float32[4]");
  }
}

TEST_F(NpyFileTest, ReadsHeadersOfMoreThanAHundredBytes) {
  // The length's low byte has its highest bit set here, which xtensor's own reader takes for a sign.
  const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }" + std::string(140, ' ');
  EXPECT_EQ(message(header), "read float32[4]");
}

TEST_F(NpyFileTest, ReadsScalarsEmptyArraysAndFortranOrderOfOneDimension) {
  EXPECT_EQ(message("{'descr': '<f8', 'fortran_order': False, 'shape': ()}"), "read float64[]");
  EXPECT_EQ(message("{'descr': '<f8', 'fortran_order': False, 'shape': (0, 7)}"), "read float64[0, 7]");
  EXPECT_EQ(message("{'descr': '<f8', 'fortran_order': True, 'shape': (2,)}"), "read float64[2]");
}

TEST_F(NpyFileTest, RefusesWhatTensorsCannotHold) {
  EXPECT_EQ(message("{'descr': '|O', 'fortran_order': False, 'shape': (2,)}"),
            ": tensors cannot hold these elements: expected booleans, whole numbers or floating-point numbers, found "
            "'|O'; save an array of numbers instead of Python objects");
  EXPECT_EQ(message("{'descr': '<c8', 'fortran_order': False, 'shape': (2,)}"),
            ": tensors cannot hold these elements: expected booleans, whole numbers or floating-point numbers, found "
            "'<c8'");
  EXPECT_EQ(message("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,)}"),
            ": malformed .npy header, character 10: expected one element type (structures cannot be tensors), found "
            "'[('a', '<f4')], 'fortran'");
  EXPECT_EQ(message("{'descr': '>f4', 'fortran_order': False, 'shape': (2,)}"),
            ": the elements are big-endian: expected little-endian elements, found '>f4'; save "
            "a.astype(a.dtype.newbyteorder('<'))");
  EXPECT_EQ(message("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2)}"),
            ": the elements are in Fortran order: expected C order, found fortran_order True; save "
            "numpy.ascontiguousarray(a)");
}

TEST_F(NpyFileTest, RefusesImpossibleShapes) {
  EXPECT_EQ(message("{'descr': '<f4', 'fortran_order': False, 'shape': (5,)}"),
            ": the file is truncated: expected 20 bytes of elements for float32[5], found 16");
  EXPECT_EQ(message("{'descr': '<f4', 'fortran_order': False, 'shape': (3000000000,)}"),
            ": a dimension is too large: expected at most 2147483647, found 3000000000");
  EXPECT_EQ(
      message("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}"),
      ": malformed .npy header, character 51: expected a whole number below 2^64, found '99999999999999999999,)}'");
  EXPECT_EQ(message("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}"),
            ": malformed .npy header, character 51: expected a whole number below 2^64, found '-1,)}'");
  EXPECT_EQ(
      message("{'descr': '<f4', 'fortran_order': False, 'shape': (2147483647, 2147483647, 2147483647)}"),
      ": the array is too large: expected less than 2^63 bytes, found float32[2147483647, 2147483647, 2147483647]");
  EXPECT_EQ(message("{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)}"),
            ": too many dimensions: expected at most 16, found 17");
}

TEST_F(NpyFileTest, RefusesMalformedHeaders) {
  EXPECT_EQ(
      message("{'descr': '<f4', 'fortran_order': False}"),
      ": malformed .npy header, character 40: expected the keys 'descr', 'fortran_order' and 'shape', found the end "
      "of the header");
  EXPECT_EQ(message("{'descr': '<f4', 'descr': '<f4'}"),
            ": malformed .npy header, character 25: expected 'descr', 'fortran_order' and 'shape' once each, found "
            "' '<f4'}'");
  EXPECT_EQ(message("{'descr': '<f4', 'fortran_order': 0, 'shape': (2,)}"),
            ": malformed .npy header, character 34: expected True or False, found '0, 'shape': (2,)}'");
  EXPECT_EQ(message("{'descr': '<f4"), ": malformed .npy header, character 10: expected a closing quote, found ''<f4'");
  EXPECT_EQ(message("[]"), ": malformed .npy header, character 0: expected '{', found '[]'");
  EXPECT_EQ(message("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} x"),
            ": malformed .npy header, character 56: expected nothing after the closing brace, found 'x'");
}

TEST_F(NpyFileTest, RefusesWhatIsNoArrayFile) {
  EXPECT_EQ(message_of(""),
            ": this is no .npy file: expected the first bytes \\x93NUMPY, found an empty file; save the array with "
            "numpy.save (numpy.savez makes a .npz archive, which is not read)");
  EXPECT_EQ(message_of("PK\x03\x04 a zip archive"),
            ": this is no .npy file: expected the first bytes \\x93NUMPY, found others; save the array with "
            "numpy.save (numpy.savez makes a .npz archive, which is not read)");
  EXPECT_EQ(message_of(npy("{}", "", '\x09')), ": unknown .npy format: expected 1.0, 2.0 or 3.0, found 9.0");
}

TEST_F(NpyFileTest, RefusesEveryTruncation) {
  const std::string whole = npy("{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }", std::string(16, 'x'));
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_NE(message_of(whole.substr(0, length)), "read float32[4]") << length;
  }
  EXPECT_EQ(message_of(whole.substr(0, 20)),
            ": the file is truncated inside its header: expected 68 bytes or more, found 20");
}

TEST_F(NpyFileTest, SaysWhyAFileCannotBeRead) {
  const std::string absent = (folder_.path() / "absent.npy").string();
  EXPECT_EQ(read_npy(absent).status().message(),
            absent + ": the array file cannot be read: found No such file or directory");
  const std::string folder = folder_.path().string();
  EXPECT_EQ(read_npy(folder).status().message(),
            folder + ": this is not a file: expected a .npy file, found a folder, pipe or device");
  const std::string pipe = (folder_.path() / "pipe.npy").string();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(read_npy(pipe).status().message(),
            pipe + ": this is not a file: expected a .npy file, found a folder, pipe or device");
}

TEST_F(NpyFileTest, RefusesAHugeArrayBeforeItTakesMemory) {
  const std::string path = write(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2000000000, 1000000)}", ""));
  EXPECT_EQ(read_npy(path).status().message(),
            path +
                ": the file is truncated: expected 16000000000000000 bytes of elements for float64[2000000000, "
                "1000000], found 0");
}

Array array_with(ScalarType type, std::vector<std::int32_t> sizes, std::size_t count) {
  Array array{{type, std::move(sizes)}, std::vector<std::byte>(count * program::element_size(type))};
  for (std::size_t i = 0; i < array.bytes.size(); ++i) array.bytes[i] = static_cast<std::byte>(i % 2);
  return array;
}

TEST_F(NpyFileTest, ReadsBackWhatItWrites) {
  const std::string path = (folder_.path() / "b.npy").string();
  for (ScalarType type : {ScalarType::kByte, ScalarType::kChar, ScalarType::kShort, ScalarType::kInt, ScalarType::kLong,
                          ScalarType::kFloat, ScalarType::kDouble, ScalarType::kBool, ScalarType::kUInt16,
                          ScalarType::kUInt32, ScalarType::kUInt64}) {
    for (const auto& [sizes, count] :
         std::vector<std::pair<std::vector<std::int32_t>, std::size_t>>{{{2, 3}, 6}, {{}, 1}, {{0, 4}, 0}}) {
      const Array array = array_with(type, sizes, count);
      ASSERT_EQ(write_npy(path, array).message(), "OK") << array.type.describe();
      const auto again = read_npy(path);
      ASSERT_TRUE(again.has_value()) << again.error().message();
      EXPECT_EQ(again->type.describe(), array.type.describe());
      EXPECT_EQ(again->bytes, array.bytes);
    }
  }
}

TEST_F(NpyFileTest, WritesHalfAsFloat) {
  const std::string path = (folder_.path() / "half.npy").string();
  const Array half{
      {ScalarType::kHalf, {3}},
      {std::byte{0x00}, std::byte{0x3C}, std::byte{0x01}, std::byte{0x00}, std::byte{0x00}, std::byte{0xFC}}};
  ASSERT_EQ(write_npy(path, half).message(), "OK");
  const auto again = read_npy(path);
  ASSERT_TRUE(again.has_value()) << again.error().message();
  EXPECT_EQ(again->type.describe(), "float32[3]");
  std::vector<float> values(3);
  std::memcpy(values.data(), again->bytes.data(), again->bytes.size());
  EXPECT_EQ(values, (std::vector<float>{1.0F, 0x1p-24F, -HUGE_VALF}));
}

TEST_F(NpyFileTest, SaysThatHostMemoryRanOutWhenItWrites) {
  if (kSanitized) GTEST_SKIP() << "sanitizers need address space of their own";
  constexpr std::int32_t kElements = 1 << 24;
  const Array array{{ScalarType::kFloat, {kElements}}, std::vector<std::byte>(std::size_t{kElements} * 4)};
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  const std::uint64_t in_use = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  const rlimit tight{in_use + (1 << 22), before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_AS, &tight), 0);
  const std::string path = (folder_.path() / "large.npy").string();
  const Status status = write_npy(path, array);
  ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);
  EXPECT_EQ(status.code(), Code::kOutOfHostMemory);
  EXPECT_EQ(status.origin(), Origin::kDevice);
  EXPECT_EQ(status.message(),
            path + ": host memory ran out while the array was written: found " + array.type.describe());
}

TEST_F(NpyFileTest, SaysWhenItCannotWrite) {
  const std::string path = (folder_.path() / "absent" / "b.npy").string();
  const Status status = write_npy(path, array_with(ScalarType::kFloat, {1}, 1));
  EXPECT_EQ(status.message(), path +
                                  ": the array file cannot be written; choose a folder that can be written to with "
                                  "--output-dir");
  EXPECT_EQ(status.origin(), Origin::kUsage);
  const Array quantised = array_with(ScalarType::kQInt8, {1}, 1);
  EXPECT_EQ(write_npy(path, quantised).message(),
            path + ": NumPy has no element type for this output: found " + quantised.type.describe());
}

}  // namespace
}  // namespace berth::cli
