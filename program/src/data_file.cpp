#include "berth/program/data_file.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "block.h"
#include "failure.h"
#include "file_bytes.h"
#include "flat_reader.h"
#include "flat_tensor_generated.h"
#include "shape.h"

namespace berth::program {

struct DataFile::Contents {
  std::string name;
  std::vector<NamedTensor> tensors;
  std::vector<std::uint32_t> by_key;  // indices into `tensors`, sorted by key
  detail::Block block;
};

namespace {

using detail::Complaint;
using detail::Fault;
using detail::FlatReader;
using detail::Place;
using detail::Table;
using detail::TableList;
using Bytes = std::span<const std::byte>;
namespace wire = berth::program::wire::data;

constexpr std::size_t kHeaderPosition = 8;
constexpr std::uint32_t kHeaderBytes = 40;
constexpr std::uint64_t kLargestFlatbuffer = INT32_MAX;
constexpr const char* kOldLayout =
    "export the data file again; files of before June 2025 have another layout under the same identifier";

template <typename T>
T load(Bytes bytes, std::size_t position) {
  T value;
  std::memcpy(&value, bytes.data() + position, sizeof(T));
  return value;
}

struct Parts {
  Bytes flatbuffer;
  Bytes segments;
};

Status read_parts(std::string_view file, Bytes bytes, Parts& out) {
  if (bytes.size() < kHeaderPosition + kHeaderBytes || std::memcmp(bytes.data() + 4, "FT01", 4) != 0 ||
      std::memcmp(bytes.data() + kHeaderPosition, "FH01", 4) != 0 || load<std::uint32_t>(bytes, 12) < kHeaderBytes) {
    return detail::invalid_data({.file = file},
                                {.what = "this is not a data file",
                                 .expected = "identifier 'FT01' at byte 4 and a header 'FH01' of at least 40 bytes",
                                 .found = std::to_string(bytes.size()) + " bytes without them",
                                 .next_step = "give a .ptd file"});
  }
  const auto offset = load<std::uint64_t>(bytes, 16);
  const auto size = load<std::uint64_t>(bytes, 24);
  const auto base = load<std::uint64_t>(bytes, 32);
  const auto data_size = load<std::uint64_t>(bytes, 40);
  std::uint64_t flatbuffer_end = 0;
  std::uint64_t data_end = 0;
  if (__builtin_add_overflow(offset, size, &flatbuffer_end) || __builtin_add_overflow(base, data_size, &data_end) ||
      flatbuffer_end > bytes.size() || data_end > bytes.size() || flatbuffer_end < kHeaderPosition + kHeaderBytes ||
      flatbuffer_end > kLargestFlatbuffer) {
    return detail::invalid_data(
        {.file = file, .unit = "header"},
        {.what = "the header names ranges outside the file",
         .expected = "ranges inside its " + std::to_string(bytes.size()) + " bytes",
         .found = "a flatbuffer of " + std::to_string(size) + " bytes at " + std::to_string(offset) + " and data of " +
                  std::to_string(data_size) + " bytes at " + std::to_string(base),
         .next_step = "the file is incomplete or damaged: copy or export it again"});
  }
  out.flatbuffer = bytes.first(flatbuffer_end);
  out.segments = bytes.subspan(base, data_size);
  return {};
}

class DataReader {
 public:
  DataReader(std::string_view file, const Parts& parts, std::vector<NamedTensor>& tensors)
      : file_(file),
        parts_(parts),
        tensors_(tensors),
        reader_(reinterpret_cast<const std::uint8_t*>(parts.flatbuffer.data()), parts.flatbuffer.size()) {}

  Status read() {
    const Table root = reader_.root();
    (void)reader_.scalar<std::uint32_t>(root, wire::FlatTensor::VT_VERSION, 0);
    BERTH_RETURN_IF_ERROR(read_segments(reader_.tables(root, wire::FlatTensor::VT_SEGMENTS)));
    const TableList named = reader_.tables(root, wire::FlatTensor::VT_NAMED_DATA);
    tensors_.reserve(named.size);
    for (std::uint32_t i = 0; i < named.size; ++i) {
      const Place place{.file = file_, .unit = "named data", .index = i};
      BERTH_RETURN_IF_ERROR(read_tensor(place, reader_.item(named, i), tensors_.emplace_back()));
    }
    return reader_.fault() == Fault::kNone ? Status() : wrong({.file = file_}, {});
  }

 private:
  [[gnu::cold]] Status wrong(const Place& place, Complaint complaint) const {
    if (reader_.fault() != Fault::kNone) {
      complaint = detail::malformed(reader_.fault(), reader_.fault_position(), parts_.flatbuffer.size());
      complaint.next_step = kOldLayout;
    }
    return detail::invalid_data(place, std::move(complaint));
  }

  Status read_segments(const TableList& list) {
    for (std::uint32_t i = 0; i < list.size; ++i) {
      const Table table = reader_.item(list, i);
      const auto offset = reader_.scalar<std::uint64_t>(table, wire::DataSegment::VT_OFFSET, 0);
      const auto size = reader_.scalar<std::uint64_t>(table, wire::DataSegment::VT_SIZE, 0);
      if (size > parts_.segments.size() || offset > parts_.segments.size() - size) {
        return wrong({.file = file_, .unit = "segment", .index = i},
                     {.what = "the segment is not inside the file",
                      .expected = "a range inside the " + std::to_string(parts_.segments.size()) + " bytes of data",
                      .found = std::to_string(size) + " bytes at offset " + std::to_string(offset)});
      }
      segments_.push_back(parts_.segments.subspan(offset, size));
    }
    return {};
  }

  Status read_tensor(const Place& place, const Table& table, NamedTensor& out) {
    out.key = reader_.string(table, wire::NamedData::VT_KEY);
    const auto segment = reader_.scalar<std::uint32_t>(table, wire::NamedData::VT_SEGMENT_INDEX, 0);
    const Table layout = reader_.table(table, wire::NamedData::VT_TENSOR_LAYOUT);
    if (out.key.empty()) return wrong(place, {.what = "it has no key"});
    if (segment >= segments_.size()) {
      return wrong(place, {.what = "it names a segment that the file does not list",
                           .expected = "a segment below " + std::to_string(segments_.size()),
                           .found = "segment " + std::to_string(segment)});
    }
    out.data = segments_[segment];
    return layout.present() ? read_layout(place, layout, out) : Status();
  }

  Status read_layout(const Place& place, const Table& layout, NamedTensor& out) {
    out.has_layout = true;
    out.scalar_type =
        static_cast<ScalarType>(reader_.scalar<std::int8_t>(layout, wire::TensorLayout::VT_SCALAR_TYPE, 0));
    out.sizes = reader_.list<std::int32_t>(layout, wire::TensorLayout::VT_SIZES);
    out.dim_order = reader_.list<std::uint8_t>(layout, wire::TensorLayout::VT_DIM_ORDER);
    if (element_size(out.scalar_type) == 0) {
      return wrong(place, {.what = "the element type of '" + std::string(out.key) + "' is unknown",
                           .expected = "a scalar type of the ExecuTorch schema",
                           .found = std::to_string(static_cast<int>(out.scalar_type))});
    }
    if (!detail::is_good_shape(out.sizes, out.dim_order)) {
      return wrong(place, detail::shape_complaint(out.sizes, out.dim_order));
    }
    std::uint64_t bytes = 0;
    if (!detail::count_bytes(out.sizes, out.scalar_type, bytes)) {
      return wrong(place, detail::bytes_complaint(out.sizes, out.scalar_type));
    }
    if (bytes > out.data.size()) {
      return wrong(place, {.what = "the file holds too few bytes for '" + std::string(out.key) + "'",
                           .expected = std::to_string(bytes) + " bytes",
                           .found = std::to_string(out.data.size()) + " bytes"});
    }
    out.data = out.data.first(bytes);
    return {};
  }

  std::string_view file_;
  const Parts& parts_;
  std::vector<NamedTensor>& tensors_;
  FlatReader reader_;
  std::vector<Bytes> segments_;
};

// Sorts the keys; fails when one is there twice.
Status index_keys(std::string_view file, const std::vector<NamedTensor>& tensors, std::vector<std::uint32_t>& by_key) {
  by_key.resize(tensors.size());
  for (std::uint32_t i = 0; i < by_key.size(); ++i) by_key[i] = i;
  std::sort(by_key.begin(), by_key.end(),
            [&](std::uint32_t a, std::uint32_t b) { return tensors[a].key < tensors[b].key; });
  const auto twice = std::adjacent_find(
      by_key.begin(), by_key.end(), [&](std::uint32_t a, std::uint32_t b) { return tensors[a].key == tensors[b].key; });
  if (twice == by_key.end()) return {};
  return detail::invalid_data({.file = file},
                              {.what = "two tensors have the key '" + std::string(tensors[*twice].key) + "'",
                               .expected = "a key of its own for each"});
}

}  // namespace

// Reads what `contents->block` starts with.
Result<std::shared_ptr<const DataFile>> DataFile::read(std::unique_ptr<Contents> contents, std::size_t bytes) {
  Parts parts;
  BERTH_FAIL_IF_ERROR(read_parts(contents->name, {contents->block.data(), bytes}, parts));
  BERTH_FAIL_IF_ERROR(DataReader(contents->name, parts, contents->tensors).read());
  BERTH_FAIL_IF_ERROR(index_keys(contents->name, contents->tensors, contents->by_key));
  return std::shared_ptr<const DataFile>(new DataFile(std::move(contents)));
}

Result<std::shared_ptr<const DataFile>> DataFile::open(const std::filesystem::path& file) {
  return detail::without_bad_alloc(file.native(), [&]() -> Result<std::shared_ptr<const DataFile>> {
    BERTH_ASSIGN(detail::FileBytes bytes, detail::read_file(file.c_str()));
    auto contents = std::make_unique<Contents>();
    contents->name = file.native();
    contents->block = std::move(bytes.block);
    return read(std::move(contents), bytes.read);
  });
}

Result<std::shared_ptr<const DataFile>> DataFile::from_bytes(std::span<const std::byte> bytes, std::string_view name) {
  return detail::without_bad_alloc(name, [&]() -> Result<std::shared_ptr<const DataFile>> {
    auto contents = std::make_unique<Contents>();
    contents->name = name;
    contents->block = detail::Block::allocate(bytes.size());
    if (contents->block.empty()) return fail(detail::out_of_memory(name, bytes.size()));
    if (!bytes.empty()) std::memcpy(contents->block.data(), bytes.data(), bytes.size());
    return read(std::move(contents), bytes.size());
  });
}

DataFile::DataFile(std::unique_ptr<Contents> contents) : contents_(std::move(contents)) {}
DataFile::~DataFile() = default;
const std::string& DataFile::name() const noexcept { return contents_->name; }
std::span<const NamedTensor> DataFile::tensors() const noexcept { return contents_->tensors; }

const NamedTensor* DataFile::find(std::string_view key) const noexcept {
  const auto& tensors = contents_->tensors;
  const auto& by_key = contents_->by_key;
  const auto found = std::lower_bound(by_key.begin(), by_key.end(), key,
                                      [&](std::uint32_t index, std::string_view k) { return tensors[index].key < k; });
  return found != by_key.end() && tensors[*found].key == key ? &tensors[*found] : nullptr;
}

}  // namespace berth::program
