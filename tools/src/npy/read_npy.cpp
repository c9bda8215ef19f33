#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <limits>
#include <new>
#include <optional>
#include <utility>

#include "npy/npy_file.h"
#include "npy/npy_header.h"

namespace berth::cli {
namespace {

static_assert(std::endian::native == std::endian::little, "elements are copied as they are in the file");

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::uint64_t kLongestHeader = 1u << 16;
constexpr std::size_t kHighestRank = module::kMaxRank;

Status invalid(const std::string& path, std::string what, std::string expected, std::string found,
               std::string next_step = {}) {
  return Status({.code = Code::kInvalidData,
                 .origin = Origin::kInput,
                 .where = path,
                 .what = std::move(what),
                 .expected = std::move(expected),
                 .found = std::move(found),
                 .next_step = std::move(next_step)});
}

Status io_failure(const std::string& path, int error) {
  const Code code = error == ENOENT ? Code::kNotFound : error == EACCES ? Code::kNoPermission : Code::kIoError;
  return Status({.code = code,
                 .origin = Origin::kInput,
                 .where = path,
                 .what = "the array file cannot be read",
                 .found = std::strerror(error)});
}

class File {
 public:
  File() = default;
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (descriptor_ >= 0) close(descriptor_);
  }

  Status open(const std::string& path) {
    path_ = path;
    descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor_ < 0) return io_failure(path, errno);
    struct stat facts = {};
    if (fstat(descriptor_, &facts) != 0) return io_failure(path, errno);
    if (!S_ISREG(facts.st_mode)) return invalid(path, "this is not a file", "a .npy file", "a folder, pipe or device");
    size_ = static_cast<std::uint64_t>(facts.st_size);
    return {};
  }
  [[nodiscard]] std::uint64_t size() const { return size_; }

  // `target.size()` bytes from `offset` on; the caller has checked that the file has as many.
  Status read(std::uint64_t offset, std::span<std::byte> target) const {
    while (!target.empty()) {
      const ssize_t got = pread(descriptor_, target.data(), target.size(), static_cast<off_t>(offset));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return io_failure(path_, errno);
      if (got == 0) return invalid(path_, "the file became shorter while it was read", "", "");
      target = target.subspan(static_cast<std::size_t>(got));
      offset += static_cast<std::uint64_t>(got);
    }
    return {};
  }

 private:
  std::string path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

// Where things are in the file: magic, version (2 bytes), length of the header (2 bytes in format 1.0, else 4), header.
struct Layout {
  ArrayType type;
  std::uint64_t data_offset = 0;
  std::uint64_t data_bytes = 0;
};

Result<std::string> read_header_text(const File& file, const std::string& path, std::uint64_t& data_offset) {
  std::array<std::byte, 12> start = {};
  const std::uint64_t available = std::min<std::uint64_t>(start.size(), file.size());
  BERTH_FAIL_IF_ERROR(file.read(0, std::span(start).first(available)));
  const std::string_view text(reinterpret_cast<const char*>(start.data()), available);
  if (text.substr(0, kMagic.size()) != kMagic) {
    return fail(invalid(path, "this is no .npy file", "the first bytes \\x93NUMPY",
                        available == 0 ? "an empty file" : "others",
                        "save the array with numpy.save (numpy.savez makes a .npz archive, which is not read)"));
  }
  const auto byte_at = [&](std::size_t i) { return std::to_integer<std::uint64_t>(start[i]); };
  const std::uint64_t major = byte_at(6);
  if (available >= 8 && (major < 1 || major > 3 || byte_at(7) != 0)) {
    return fail(invalid(path, "unknown .npy format", "1.0, 2.0 or 3.0",
                        std::to_string(major) + "." + std::to_string(byte_at(7))));
  }
  const std::uint64_t header_offset = major == 1 ? 10 : 12;
  std::uint64_t length = byte_at(8) | byte_at(9) << 8;
  if (major != 1) length |= byte_at(10) << 16 | byte_at(11) << 24;
  if (available < header_offset || length > file.size() - header_offset) {
    return fail(invalid(path, "the file is truncated inside its header",
                        std::to_string(header_offset + length) + " bytes or more", std::to_string(file.size())));
  }
  if (length > kLongestHeader) {
    return fail(invalid(path, "the header is too long", "at most 65536 bytes", std::to_string(length)));
  }
  std::string header(length, '\0');
  BERTH_FAIL_IF_ERROR(file.read(header_offset, std::as_writable_bytes(std::span(header))));
  data_offset = header_offset + length;
  header.erase(header.find_last_not_of(" \n") + 1);
  return header;
}

std::optional<program::ScalarType> scalar_type_of(std::string_view descr) {
  using program::ScalarType;
  static constexpr std::array<std::pair<std::string_view, ScalarType>, 12> kTypes = {{
      {"u1", ScalarType::kByte},
      {"i1", ScalarType::kChar},
      {"i2", ScalarType::kShort},
      {"i4", ScalarType::kInt},
      {"i8", ScalarType::kLong},
      {"f2", ScalarType::kHalf},
      {"f4", ScalarType::kFloat},
      {"f8", ScalarType::kDouble},
      {"b1", ScalarType::kBool},
      {"u2", ScalarType::kUInt16},
      {"u4", ScalarType::kUInt32},
      {"u8", ScalarType::kUInt64},
  }};
  for (const auto& [name, type] : kTypes) {
    if (descr.size() == 3 && descr.substr(1) == name) return type;
  }
  return std::nullopt;
}

Status set_type(const std::string& path, const NpyHeader& header, ArrayType& type) {
  const std::string_view descr = header.descr;
  const auto scalar = scalar_type_of(descr);
  if (!scalar.has_value()) {
    return invalid(path, "tensors cannot hold these elements", "booleans, whole numbers or floating-point numbers",
                   "'" + header.descr + "'", descr == "|O" ? "save an array of numbers instead of Python objects" : "");
  }
  if (descr.front() == '>' && program::element_size(*scalar) > 1) {
    return invalid(path, "the elements are big-endian", "little-endian elements", "'" + header.descr + "'",
                   "save a.astype(a.dtype.newbyteorder('<'))");
  }
  if (header.shape.size() > kHighestRank) {
    return invalid(path, "too many dimensions", "at most " + std::to_string(kHighestRank),
                   std::to_string(header.shape.size()));
  }
  if (header.fortran_order && header.shape.size() > 1) {
    return invalid(path, "the elements are in Fortran order", "C order", "fortran_order True",
                   "save numpy.ascontiguousarray(a)");
  }
  type.scalar_type = *scalar;
  for (std::uint64_t extent : header.shape) {
    if (extent > static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max())) {
      return invalid(path, "a dimension is too large", "at most 2147483647", std::to_string(extent));
    }
    type.sizes.push_back(static_cast<std::int32_t>(extent));
  }
  return {};
}

Result<Layout> read_layout(const File& file, const std::string& path) {
  Layout layout;
  BERTH_ASSIGN(const std::string text, read_header_text(file, path, layout.data_offset));
  auto header = parse_npy_header(text);
  if (!header.has_value()) return fail(header.error().at(path));
  BERTH_FAIL_IF_ERROR(set_type(path, *header, layout.type));
  const auto bytes = module::Shape::byte_count(layout.type.scalar_type, layout.type.sizes);
  if (!bytes.has_value()) {
    return fail(invalid(path, "the array is too large", "less than 2^63 bytes", layout.type.describe()));
  }
  layout.data_bytes = *bytes;
  const std::uint64_t there = file.size() - layout.data_offset;
  if (there < *bytes) {
    return fail(invalid(path, "the file is truncated",
                        std::to_string(*bytes) + " bytes of elements for " + layout.type.describe(),
                        std::to_string(there)));
  }
  return layout;
}

}  // namespace

Result<ArrayType> read_npy_type(const std::string& path) {
  File file;
  BERTH_FAIL_IF_ERROR(file.open(path));
  BERTH_ASSIGN(Layout layout, read_layout(file, path));
  return std::move(layout.type);
}

Result<Array> read_npy(const std::string& path) {
  File file;
  BERTH_FAIL_IF_ERROR(file.open(path));
  BERTH_ASSIGN(Layout layout, read_layout(file, path));
  Array array{std::move(layout.type), {}};
  try {
    array.bytes.resize(layout.data_bytes);
  } catch (const std::exception&) {
    return fail({.code = Code::kOutOfHostMemory,
                 .origin = Origin::kInput,
                 .where = path,
                 .what = "no memory for the " + std::to_string(layout.data_bytes) + " bytes of the array"});
  }
  BERTH_FAIL_IF_ERROR(file.read(layout.data_offset, array.bytes));
  return array;
}

}  // namespace berth::cli
