#include "transfer.h"

#include <algorithm>
#include <cstring>

#include "bounce.h"
#include "text.h"

namespace berth::detail {
namespace {

Status through_host(DeviceBuffer& target, std::uint64_t target_offset, const DeviceBuffer& source,
                    std::uint64_t source_offset, std::uint64_t bytes) {
  DeviceDriver& reader = source.device()->state()->driver();
  DeviceDriver& writer = target.device()->state()->driver();
  Bounce bounce(bytes);
  for (std::uint64_t done = 0; done < bytes;) {
    const std::uint64_t part = std::min(bytes - done, bounce.size());
    if (Status status = reader.copy_to_host(bounce.data(), source.block(), source_offset + done, part); !status.ok()) {
      return transfer_failure(source, kToHost, part, status);
    }
    if (Status status = writer.copy_to_device(target.block(), target_offset + done, bounce.data(), part);
        !status.ok()) {
      return transfer_failure(target, kToDevice, part, status);
    }
    done += part;
  }
  return {};
}

}  // namespace

std::string transfer_label(const DeviceBuffer& buffer, const Action& action, std::uint64_t bytes) {
  const auto& device = buffer.device();
  const std::string text = std::string(action.verb) + " of " + bytes_text(bytes) + action.direction;
  return device == nullptr ? text : device->state()->label(device->id()) + ", " + text;
}

Status transfer_failure(const DeviceBuffer& buffer, const Action& action, std::uint64_t bytes, const Status& failure) {
  const auto& device = buffer.device();
  return device->state()->failed(device->id(), failure, transfer_label(buffer, action, bytes));
}

Status check_range(const DeviceBuffer& buffer, const Action& action, std::uint64_t offset, std::uint64_t bytes) {
  const std::uint64_t size = buffer.size();
  if (offset <= size && bytes <= size - offset) return {};
  return Status({.code = Code::kInvalidArgument,
                 .origin = Origin::kUsage,
                 .where = transfer_label(buffer, action, bytes),
                 .what = "the range leaves the buffer",
                 .expected = "a range within " + bytes_text(size),
                 .found = "offset " + std::to_string(offset)});
}

Status check_host_pointer(const DeviceBuffer& buffer, const Action& action, const void* pointer, std::uint64_t bytes) {
  if (pointer != nullptr) return {};
  return Status({.code = Code::kInvalidArgument,
                 .origin = Origin::kUsage,
                 .where = transfer_label(buffer, action, bytes),
                 .what = "the host pointer is null"});
}

Status check_apart(const DeviceBuffer& target, std::uint64_t target_offset, const DeviceBuffer& source,
                   std::uint64_t source_offset, std::uint64_t bytes) {
  if (&target != &source) return {};
  const std::uint64_t distance =
      target_offset > source_offset ? target_offset - source_offset : source_offset - target_offset;
  if (distance >= bytes) return {};
  return Status({.code = Code::kInvalidArgument,
                 .origin = Origin::kUsage,
                 .where = transfer_label(target, kWithin, bytes),
                 .what = "the ranges overlap",
                 .expected = "offsets at least " + bytes_text(bytes) + " apart",
                 .found = "offsets " + std::to_string(source_offset) + " and " + std::to_string(target_offset)});
}

Status copy_between(DeviceBuffer& target, std::uint64_t target_offset, const DeviceBuffer& source,
                    std::uint64_t source_offset, std::uint64_t bytes) {
  const auto& from = source.device();
  const auto& to = target.device();
  DeviceState& state = *from->state();
  if (from->same_state(*to)) {
    if (!state.properties().can(Capability::kCopyWithin)) {
      return through_host(target, target_offset, source, source_offset, bytes);
    }
    const Status status =
        state.driver().copy_within(target.block(), target_offset, source.block(), source_offset, bytes);
    return status.ok() ? status : transfer_failure(target, kWithin, bytes, status);
  }
  if (const std::byte* data = source.host_data()) return target.write(target_offset, data + source_offset, bytes);
  if (std::byte* data = target.host_data()) return source.read(source_offset, data + target_offset, bytes);
  if (!state.peers().usable(from, to)) return through_host(target, target_offset, source, source_offset, bytes);
  const Status status = state.driver().copy_peer(to->state()->driver(), target.block(), target_offset, source.block(),
                                                 source_offset, bytes);
  if (status.ok()) return status;
  to->state()->note_failure(status);
  return state.failed(from->id(), status,
                      transfer_label(source, {"copy"}, bytes) + " to " + to->state()->label(to->id()));
}

Status fill_range(DeviceBuffer& target, std::uint64_t offset, std::uint64_t bytes, std::uint8_t value) {
  DeviceState& state = *target.device()->state();
  if (state.properties().can(Capability::kFill)) {
    const Status status = state.driver().fill(target.block(), offset, bytes, value);
    return status.ok() ? status : transfer_failure(target, kFill, bytes, status);
  }
  Bounce bounce(bytes);
  std::memset(bounce.data(), value, std::min(bytes, bounce.size()));
  for (std::uint64_t done = 0; done < bytes;) {
    const std::uint64_t part = std::min(bytes - done, bounce.size());
    if (Status status = state.driver().copy_to_device(target.block(), offset + done, bounce.data(), part);
        !status.ok()) {
      return transfer_failure(target, kFill, bytes, status);
    }
    done += part;
  }
  return {};
}

}  // namespace berth::detail
