#include <algorithm>
#include <limits>
#include <string>

#include "method_reader.h"
#include "program_generated.h"
#include "stored_bytes.h"

namespace berth::program::detail {

namespace {

constexpr std::size_t kLargestRank = 16;
constexpr std::uint64_t kUnknownBytes = std::numeric_limits<std::uint64_t>::max();

[[gnu::cold]] std::string list_text(std::span<const std::int32_t> items) {
  std::string text = "[";
  for (std::size_t i = 0; i < items.size(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(items[i]);
  return text + "]";
}

[[gnu::cold]] std::string list_text(std::span<const std::uint8_t> items) {
  std::string text = "[";
  for (std::size_t i = 0; i < items.size(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(items[i]);
  return text + "]";
}

// Sizes and dim order are there, of one rank, and make sense.
Status read_shape(ReadState& state, const Place& place, const Table& table, TensorPlan& out) {
  const auto sizes = state.reader.list<std::int32_t>(table, wire::Tensor::VT_SIZES);
  const auto order = state.reader.list<std::uint8_t>(table, wire::Tensor::VT_DIM_ORDER);
  if (sizes.data() == nullptr || order.data() == nullptr) [[unlikely]] {
    return state.wrong(place,
                       {.what = sizes.data() == nullptr ? "the tensor has no sizes" : "the tensor has no dim order",
                        .expected = "sizes and dim order"});
  }
  if (sizes.size() > kLargestRank) [[unlikely]] {
    return state.wrong(place, {.what = "the tensor has too many dimensions",
                               .expected = "at most " + std::to_string(kLargestRank),
                               .found = std::to_string(sizes.size())});
  }
  if (sizes.size() != order.size()) [[unlikely]] {
    return state.wrong(place, {.what = "sizes and dim order of the tensor differ in length",
                               .expected = std::to_string(sizes.size()) + " dimensions in the dim order",
                               .found = std::to_string(order.size())});
  }
  std::uint32_t seen = 0;
  std::int32_t signs = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    signs |= sizes[i];
    seen |= order[i] < kLargestRank ? 1U << order[i] : 0;
  }
  if (seen != (1U << sizes.size()) - 1) [[unlikely]] {
    return state.wrong(place, {.what = "the dim order of the tensor is no permutation of its dimensions",
                               .expected = "each of the " + std::to_string(sizes.size()) + " dimensions once",
                               .found = list_text(order)});
  }
  if (signs < 0) [[unlikely]] {
    return state.wrong(
        place,
        {.what = "the tensor has a negative size", .expected = "sizes of at least 0", .found = list_text(sizes)});
  }
  out.sizes = sizes;
  out.dim_order = order;
  return {};
}

// Sets out.bytes. An unplanned tensor with dynamic sizes may have bounds that multiply to more than there can be.
Status count_bytes(const ReadState& state, const Place& place, TensorPlan& out) {
  std::uint64_t bytes = element_size(out.scalar_type);
  bool overflow = false;
  bool empty = false;
  for (const std::int32_t size : out.sizes) {
    empty |= size == 0;
    overflow |= __builtin_mul_overflow(bytes, static_cast<std::uint64_t>(size), &bytes);
  }
  if (empty) {
    bytes = 0;
  } else if (overflow || bytes > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) [[unlikely]] {
    if (out.dynamism == Dynamism::kStatic || out.storage != Storage::kUnplanned) {
      return state.wrong(place,
                         {.what = "the tensor has more bytes than can be counted",
                          .expected = "less than 2^63 bytes",
                          .found = "sizes " + list_text(out.sizes) + " of " + scalar_type_name(out.scalar_type)});
    }
    bytes = kUnknownBytes;
  }
  out.bytes = bytes;
  return {};
}

// Device, name and where the bytes are, as far as the tensor's own tables say it.
Status read_extra(ReadState& state, const Place& place, const Table& extra, bool& external, TensorPlan& out) {
  if (!extra.present()) return {};
  FlatReader& reader = state.reader;
  out.name = reader.string(extra, wire::ExtraTensorInfo::VT_FULLY_QUALIFIED_NAME);
  const auto location = reader.scalar<std::int8_t>(extra, wire::ExtraTensorInfo::VT_LOCATION, 0);
  const auto type = reader.scalar<std::int8_t>(extra, wire::ExtraTensorInfo::VT_DEVICE_TYPE, 0);
  const auto index = reader.scalar<std::int8_t>(extra, wire::ExtraTensorInfo::VT_DEVICE_INDEX, 0);
  if (static_cast<std::uint8_t>(location) > 1) [[unlikely]] {
    return state.wrong(place, {.what = "the tensor's data location is unknown",
                               .expected = "0 (segment) or 1 (external)",
                               .found = std::to_string(location)});
  }
  if (type < 0 || index < 0 || (type == 0 && index != 0)) [[unlikely]] {
    return state.wrong(place, {.what = "the tensor is tagged for a device that cannot be",
                               .expected = "cpu:0, or a device type of at least 1 with an index of at least 0",
                               .found = "type " + std::to_string(type) + ", index " + std::to_string(index)});
  }
  external = location == 1;
  if (external && out.name.empty()) [[unlikely]] {
    return state.wrong(place, {.what = "the tensor's bytes are in a data file, but it has no name",
                               .expected = "a fully qualified name"});
  }
  out.device = {static_cast<std::uint8_t>(type), static_cast<std::uint8_t>(index)};
  return {};
}

// The tensor's range is inside the planned buffer that it names.
Status check_planned(const ReadState& state, const Place& place, std::span<const PlannedBufferPlan> buffers,
                     const TensorPlan& tensor) {
  if (tensor.memory_id == 0 || tensor.memory_id > buffers.size()) [[unlikely]] {
    return state.wrong(place, {.what = "the tensor names a planned buffer that the method does not have",
                               .expected = "a memory id from 1 to " + std::to_string(buffers.size()),
                               .found = "memory id " + std::to_string(tensor.memory_id)});
  }
  const std::uint64_t capacity = buffers[tensor.memory_id - 1].bytes;
  if (tensor.bytes > capacity || tensor.offset > capacity - tensor.bytes) [[unlikely]] {
    return state.wrong(place,
                       {.what = "the tensor is not inside planned buffer " + std::to_string(tensor.memory_id),
                        .expected = "a range inside its " + std::to_string(capacity) + " bytes",
                        .found = std::to_string(tensor.bytes) + " bytes at offset " + std::to_string(tensor.offset)});
  }
  const std::uint32_t element = element_size(tensor.scalar_type);
  if ((tensor.offset & (element - 1)) != 0) [[unlikely]] {
    return state.wrong(place, {.what = "the tensor's offset in planned buffer " + std::to_string(tensor.memory_id) +
                                       " is not aligned to its elements",
                               .expected = "a multiple of " + std::to_string(element),
                               .found = "offset " + std::to_string(tensor.offset)});
  }
  return {};
}

Status read_element_type(ReadState& state, const Place& place, const Table& table, TensorPlan& out) {
  FlatReader& reader = state.reader;
  out.scalar_type = static_cast<ScalarType>(reader.scalar<std::int8_t>(table, wire::Tensor::VT_SCALAR_TYPE, 0));
  const auto storage_offset = reader.scalar<std::int32_t>(table, wire::Tensor::VT_STORAGE_OFFSET, 0);
  const auto dynamism = reader.scalar<std::int8_t>(table, wire::Tensor::VT_SHAPE_DYNAMISM, 0);
  (void)reader.scalar<std::uint8_t>(table, wire::Tensor::VT_REQUIRES_GRAD, 0);
  (void)reader.scalar<std::int8_t>(table, wire::Tensor::VT_LAYOUT, 0);
  if (element_size(out.scalar_type) == 0) [[unlikely]] {
    return state.wrong(place, {.what = "the tensor's element type is unknown",
                               .expected = "a scalar type of the ExecuTorch schema",
                               .found = std::to_string(static_cast<int>(out.scalar_type))});
  }
  if (storage_offset != 0) [[unlikely]] {
    return state.wrong(place, {.what = "the tensor starts inside its storage",
                               .expected = "storage offset 0",
                               .found = std::to_string(storage_offset)});
  }
  if (static_cast<std::uint8_t>(dynamism) > 2) [[unlikely]] {
    return state.wrong(place, {.what = "the tensor's shape dynamism is unknown",
                               .expected = "0 (static), 1 (bound) or 2 (unbound)",
                               .found = std::to_string(dynamism)});
  }
  out.dynamism = static_cast<Dynamism>(dynamism);
  return {};
}

Storage storage_of(bool external, bool planned, std::uint32_t data_index) {
  if (external) return Storage::kExternal;  // such tensors carry data indices too, which mean nothing
  if (planned) return data_index == 0 ? Storage::kPlanned : Storage::kPlannedState;
  return data_index == 0 ? Storage::kUnplanned : Storage::kConstant;
}

}  // namespace

Status read_tensor(ReadState& state, const Place& place, const Table& table, std::span<const PlannedBufferPlan> buffers,
                   TensorPlan& out) {
  FlatReader& reader = state.reader;
  BERTH_RETURN_IF_ERROR(read_element_type(state, place, table, out));
  BERTH_RETURN_IF_ERROR(read_shape(state, place, table, out));
  const Table allocation = reader.table(table, wire::Tensor::VT_ALLOCATION_INFO);
  const Table extra = reader.table(table, wire::Tensor::VT_EXTRA_TENSOR_INFO);
  const auto data_index = reader.scalar<std::uint32_t>(table, wire::Tensor::VT_DATA_BUFFER_IDX, 0);
  bool external = false;
  BERTH_RETURN_IF_ERROR(read_extra(state, place, extra, external, out));
  out.storage = storage_of(external, allocation.present(), data_index);
  BERTH_RETURN_IF_ERROR(count_bytes(state, place, out));
  if (allocation.present()) {
    out.memory_id = reader.scalar<std::uint32_t>(allocation, wire::AllocationDetails::VT_MEMORY_ID, 0);
    const auto low = reader.scalar<std::uint32_t>(allocation, wire::AllocationDetails::VT_MEMORY_OFFSET_LOW, 0);
    const auto high = reader.scalar<std::uint32_t>(allocation, wire::AllocationDetails::VT_MEMORY_OFFSET_HIGH, 0);
    out.offset = std::uint64_t{high} << 32 | low;
    BERTH_RETURN_IF_ERROR(check_planned(state, place, buffers, out));
  }
  const auto list = reader.scalar<std::uint64_t>(extra, wire::ExtraTensorInfo::VT_MUTABLE_DATA_SEGMENTS_IDX, 0);
  switch (out.storage) {
    case Storage::kConstant:
      return find_constant(state, place, data_index, out.bytes, out.data);
    case Storage::kPlannedState:
      return find_state(state, place, list, data_index, out.bytes, out.data);
    default:
      return {};
  }
}

}  // namespace berth::program::detail
