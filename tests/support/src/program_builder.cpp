#include "berth/test/program_builder.h"

#include <cstring>

#include "program_generated.h"

namespace berth::test {

namespace wire = program::wire;

namespace {

constexpr std::size_t kSegmentAlignment = 128;
constexpr std::size_t kConstantAlignment = 16;
constexpr std::size_t kHeaderBytes = 32;

std::size_t round_up(std::size_t bytes, std::size_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

// The segment area while it is put together.
class Segments {
 public:
  explicit Segments(wire::ProgramT& program) : program_(program) {}

  std::uint32_t add(std::span<const std::byte> bytes) {
    auto segment = std::make_unique<wire::DataSegmentT>();
    if (!bytes.empty()) {
      area_.resize(round_up(area_.size(), kSegmentAlignment));
      segment->offset = area_.size();
      segment->size = bytes.size();
      area_.insert(area_.end(), bytes.begin(), bytes.end());
    }
    program_.segments.push_back(std::move(segment));
    return static_cast<std::uint32_t>(program_.segments.size()) - 1;
  }

  // One segment that holds all pieces; piece 0 is a placeholder.
  std::unique_ptr<wire::SubsegmentOffsetsT> add_pieces(const std::vector<std::vector<std::byte>>& pieces,
                                                       std::size_t alignment) {
    auto offsets = std::make_unique<wire::SubsegmentOffsetsT>();
    std::vector<std::byte> bytes;
    offsets->offsets.push_back(0);
    for (const auto& piece : pieces) {
      bytes.resize(round_up(bytes.size(), alignment));
      offsets->offsets.push_back(bytes.size());
      bytes.insert(bytes.end(), piece.begin(), piece.end());
    }
    offsets->segment_index = add(bytes);
    return offsets;
  }

  [[nodiscard]] const std::vector<std::byte>& area() const { return area_; }

 private:
  wire::ProgramT& program_;
  std::vector<std::byte> area_;
};

std::vector<std::uint8_t> as_numbers(const std::vector<std::byte>& bytes) {
  std::vector<std::uint8_t> numbers(bytes.size());
  if (!bytes.empty()) std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

void put(std::vector<std::byte>& file, std::size_t position, std::uint64_t value, std::size_t bytes) {
  std::memcpy(file.data() + position, &value, bytes);
}

std::vector<std::byte> serialize(const wire::ProgramT& program) {
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(wire::Program::Pack(builder, &program), wire::ProgramIdentifier());
  const auto* data = reinterpret_cast<const std::byte*>(builder.GetBufferPointer());
  return {data, data + builder.GetSize()};
}

// Puts the extended header after byte 8 and the segment area behind the program. The header is a multiple of the
// largest alignment inside the program, so that everything in it stays aligned.
std::vector<std::byte> with_segments(std::vector<std::byte> file, const std::vector<std::byte>& area) {
  std::uint32_t root = 0;
  std::memcpy(&root, file.data(), sizeof(root));
  file.insert(file.begin() + 8, kHeaderBytes, std::byte{0});
  put(file, 0, root + kHeaderBytes, 4);
  std::memcpy(file.data() + 8, "eh00", 4);
  const std::size_t base = round_up(file.size(), kSegmentAlignment);
  put(file, 12, kHeaderBytes, 4);
  put(file, 16, file.size(), 8);
  put(file, 24, base, 8);
  put(file, 32, area.size(), 8);
  file.resize(base);
  file.insert(file.end(), area.begin(), area.end());
  return file;
}

}  // namespace

ProgramBuilder::ProgramBuilder(Layout layout) : layout_(layout), program_(std::make_unique<wire::ProgramT>()) {}
ProgramBuilder::~ProgramBuilder() = default;

MethodBuilder& ProgramBuilder::method(std::string_view name) {
  program_->execution_plan.push_back(std::make_unique<wire::ExecutionPlanT>());
  wire::ExecutionPlanT& plan = *program_->execution_plan.back();
  plan.name = name;
  methods_.push_back(std::make_unique<MethodBuilder>(plan, layout_ == Layout::kInline, *program_, blobs_));
  return *methods_.back();
}

std::uint32_t ProgramBuilder::constant(std::span<const std::byte> bytes) {
  constants_.emplace_back(bytes.begin(), bytes.end());
  return static_cast<std::uint32_t>(constants_.size());
}

std::uint32_t ProgramBuilder::state(std::span<const std::byte> bytes) {
  states_.emplace_back(bytes.begin(), bytes.end());
  return static_cast<std::uint32_t>(states_.size());
}

void ProgramBuilder::named_data(std::string_view key, std::span<const std::byte> bytes) {
  named_.emplace_back(key, std::vector<std::byte>(bytes.begin(), bytes.end()));
}

std::vector<std::byte> ProgramBuilder::build(const std::function<void(wire::ProgramT&)>& edit) const {
  wire::ProgramT program(*program_);
  Segments segments(program);
  if (layout_ == Layout::kInline) {
    for (std::size_t i = 0; i <= constants_.size() && !constants_.empty(); ++i) {
      auto buffer = std::make_unique<wire::BufferT>();
      if (i > 0) buffer->storage = as_numbers(constants_[i - 1]);  // buffer 0 is a placeholder
      program.constant_buffer.push_back(std::move(buffer));
    }
  } else {
    program.constant_segment = segments.add_pieces(constants_, kConstantAlignment);
    for (const auto& blob : blobs_) segments.add(blob);
  }
  if (!states_.empty()) program.mutable_data_segments.push_back(segments.add_pieces(states_, 1));
  for (const auto& [key, bytes] : named_) {
    auto named = std::make_unique<wire::NamedDataT>();
    named->key = key;
    named->segment_index = segments.add(bytes);
    program.named_data.push_back(std::move(named));
  }
  if (edit) edit(program);
  std::vector<std::byte> file = serialize(program);
  return segments.area().empty() ? file : with_segments(std::move(file), segments.area());
}

}  // namespace berth::test
