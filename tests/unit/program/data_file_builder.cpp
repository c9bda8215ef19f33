#include "data_file_builder.h"

#include <cstring>
#include <memory>
#include <string>

namespace berth::program {

namespace {

constexpr std::size_t kHeaderBytes = 40;
constexpr std::size_t kAlignment = 16;

void add(wire::data::FlatTensorT& file, const std::string& key, std::uint64_t offset, std::uint64_t size,
         std::unique_ptr<wire::data::TensorLayoutT> layout) {
  auto segment = std::make_unique<wire::data::DataSegmentT>();
  segment->offset = offset;
  segment->size = size;
  auto named = std::make_unique<wire::data::NamedDataT>();
  named->key = key;
  named->segment_index = static_cast<std::uint32_t>(file.segments.size());
  named->tensor_layout = std::move(layout);
  file.segments.push_back(std::move(segment));
  file.named_data.push_back(std::move(named));
}

std::unique_ptr<wire::data::TensorLayoutT> layout_of(std::int8_t type, std::vector<std::int32_t> sizes,
                                                     std::vector<std::uint8_t> order) {
  auto layout = std::make_unique<wire::data::TensorLayoutT>();
  layout->scalar_type = type;
  layout->sizes = std::move(sizes);
  layout->dim_order = std::move(order);
  return layout;
}

}  // namespace

std::vector<std::byte> write_data_file(const std::function<void(wire::data::FlatTensorT&)>& edit) {
  wire::data::FlatTensorT contents;
  add(contents, "linear.weight", 0, 16, layout_of(6, {2, 2}, {0, 1}));
  add(contents, "linear.bias", 16, 16, layout_of(4, {2}, {0}));
  add(contents, "opaque", 32, 3, nullptr);
  constexpr std::size_t kDataBytes = 35;
  if (edit) edit(contents);

  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(wire::data::FlatTensor::Pack(builder, &contents), wire::data::FlatTensorIdentifier());
  const auto* data = reinterpret_cast<const std::byte*>(builder.GetBufferPointer());
  std::vector<std::byte> file(data, data + builder.GetSize());
  std::uint32_t root = 0;
  std::memcpy(&root, file.data(), sizeof(root));
  // Room for the header, padded so that what follows stays aligned.
  constexpr std::size_t kInserted = (kHeaderBytes + kAlignment - 1) / kAlignment * kAlignment;
  file.insert(file.begin() + 8, kInserted, std::byte{0});
  root += kInserted;
  std::memcpy(file.data(), &root, sizeof(root));
  std::memcpy(file.data() + 8, "FH01", 4);
  const std::uint32_t header = kHeaderBytes;
  std::memcpy(file.data() + 12, &header, sizeof(header));
  const std::uint64_t start = 8 + kHeaderBytes;
  const std::uint64_t base = (file.size() + kAlignment - 1) / kAlignment * kAlignment;
  const std::uint64_t numbers[] = {start, file.size() - start, base, kDataBytes};
  std::memcpy(file.data() + 16, numbers, sizeof(numbers));
  file.resize(base + kDataBytes);
  return file;
}

}  // namespace berth::program
