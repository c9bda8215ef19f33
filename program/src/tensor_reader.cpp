#include <limits>
#include <string>

#include "element_bytes.h"
#include "method_reader.h"
#include "program_generated.h"
#include "shape.h"
#include "stored_bytes.h"

namespace berth::program::detail {

namespace {

constexpr std::uint64_t kUnknownBytes = std::numeric_limits<std::uint64_t>::max();

bool read_shape(ReadState& state, const Place& place, const Table& table, TensorPlan& out) {
  out.sizes = state.reader.list<std::int32_t>(table, wire::Tensor::VT_SIZES);
  out.dim_order = state.reader.list<std::uint8_t>(table, wire::Tensor::VT_DIM_ORDER);
  if (is_good_shape(out.sizes, out.dim_order)) [[likely]]
    return true;
  return state.wrong(place, shape_complaint(out.sizes, out.dim_order));
}

// Sets out.bytes. An unplanned tensor with dynamic sizes may have bounds that multiply to more than there can be.
bool set_bytes(ReadState& state, const Place& place, TensorPlan& out) {
  if (count_bytes(out.sizes, out.scalar_type, out.bytes)) [[likely]]
    return true;
  if (out.dynamism == Dynamism::kStatic || out.storage != Storage::kUnplanned) {
    return state.wrong(place, bytes_complaint(out.sizes, out.scalar_type));
  }
  out.bytes = kUnknownBytes;
  return true;
}

// Device, name and where the bytes are, as far as the tensor's own tables say it.
bool read_extra(ReadState& state, const Place& place, const Table& extra, bool& external, TensorPlan& out) {
  if (!extra.present()) return true;
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
  return true;
}

// The tensor's range is inside the planned buffer that it names.
bool check_planned(ReadState& state, const Place& place, std::span<const PlannedBufferPlan> buffers,
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
  const std::uint32_t element = element_bytes(tensor.scalar_type);
  if ((tensor.offset & (element - 1)) != 0) [[unlikely]] {
    return state.wrong(place, {.what = "the tensor's offset in planned buffer " + std::to_string(tensor.memory_id) +
                                       " is not aligned to its elements",
                               .expected = "a multiple of " + std::to_string(element),
                               .found = "offset " + std::to_string(tensor.offset)});
  }
  return true;
}

bool read_element_type(ReadState& state, const Place& place, const Table& table, TensorPlan& out) {
  FlatReader& reader = state.reader;
  out.scalar_type = static_cast<ScalarType>(reader.scalar<std::int8_t>(table, wire::Tensor::VT_SCALAR_TYPE, 0));
  const auto storage_offset = reader.scalar<std::int32_t>(table, wire::Tensor::VT_STORAGE_OFFSET, 0);
  const auto dynamism = reader.scalar<std::int8_t>(table, wire::Tensor::VT_SHAPE_DYNAMISM, 0);
  (void)reader.scalar<std::uint8_t>(table, wire::Tensor::VT_REQUIRES_GRAD, 0);
  (void)reader.scalar<std::int8_t>(table, wire::Tensor::VT_LAYOUT, 0);
  if (element_bytes(out.scalar_type) == 0) [[unlikely]] {
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
  return true;
}

Storage storage_of(bool external, bool planned, std::uint32_t data_index) {
  if (external) return Storage::kExternal;  // such tensors carry data indices too, which mean nothing
  if (planned) return data_index == 0 ? Storage::kPlanned : Storage::kPlannedState;
  return data_index == 0 ? Storage::kUnplanned : Storage::kConstant;
}

}  // namespace

bool read_tensor(ReadState& state, const Place& place, const Table& table, std::span<const PlannedBufferPlan> buffers,
                 TensorPlan& out) {
  FlatReader& reader = state.reader;
  if (!read_element_type(state, place, table, out)) return false;
  if (!read_shape(state, place, table, out)) return false;
  const Table allocation = reader.table(table, wire::Tensor::VT_ALLOCATION_INFO);
  const Table extra = reader.table(table, wire::Tensor::VT_EXTRA_TENSOR_INFO);
  const auto data_index = reader.scalar<std::uint32_t>(table, wire::Tensor::VT_DATA_BUFFER_IDX, 0);
  bool external = false;
  if (!read_extra(state, place, extra, external, out)) return false;
  out.storage = storage_of(external, allocation.present(), data_index);
  if (!set_bytes(state, place, out)) return false;
  if (allocation.present()) {
    out.memory_id = reader.scalar<std::uint32_t>(allocation, wire::AllocationDetails::VT_MEMORY_ID, 0);
    const auto low = reader.scalar<std::uint32_t>(allocation, wire::AllocationDetails::VT_MEMORY_OFFSET_LOW, 0);
    const auto high = reader.scalar<std::uint32_t>(allocation, wire::AllocationDetails::VT_MEMORY_OFFSET_HIGH, 0);
    out.offset = std::uint64_t{high} << 32 | low;
    if (!check_planned(state, place, buffers, out)) return false;
  }
  const auto list = reader.scalar<std::uint64_t>(extra, wire::ExtraTensorInfo::VT_MUTABLE_DATA_SEGMENTS_IDX, 0);
  switch (out.storage) {
    case Storage::kConstant:
      return find_constant(state, place, data_index, out.bytes, out.data);
    case Storage::kPlannedState:
      return find_state(state, place, list, data_index, out.bytes, out.data);
    default:
      return true;
  }
}

}  // namespace berth::program::detail
