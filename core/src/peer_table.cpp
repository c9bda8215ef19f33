#include "peer_table.h"

#include <array>
#include <optional>

#include "berth/core/device_buffer.h"
#include "device_state.h"
#include "rules.h"

namespace berth::detail {
namespace {

using Pattern = std::array<std::uint8_t, 256>;

// Bytes that neither zeroed nor poisoned memory holds by chance.
Pattern make_pattern(std::uint8_t flip) {
  Pattern pattern;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    pattern[i] = static_cast<std::uint8_t>((i * 37 + 11) & 0xFF) ^ flip;
  }
  return pattern;
}

std::string pair_label(const Device& source, const Device& target) {
  return source.state()->label(source.id()) + ", peer copies to " + target.state()->label(target.id());
}

// Whether a copy that is answered with success moves its bytes; none when that cannot be found out now.
std::optional<bool> try_pair(const std::shared_ptr<Device>& source, const std::shared_ptr<Device>& target) {
  const Pattern sent = make_pattern(0);
  const Pattern before = make_pattern(0xFF);
  Pattern received{};
  const Owner owner{.id = 0, .part = 0};
  auto from = DeviceBuffer::allocate(source, {.bytes = sent.size()}, owner);
  auto to = DeviceBuffer::allocate(target, {.bytes = sent.size()}, owner);
  if (!from.has_value() || !to.has_value()) return std::nullopt;
  if (!from->write(0, sent.data(), sent.size()).ok()) return std::nullopt;
  if (!to->write(0, before.data(), before.size()).ok()) return std::nullopt;
  const Status copied =
      source->state()->driver().copy_peer(target->state()->driver(), to->block(), 0, from->block(), 0, sent.size());
  if (!copied.ok()) {
    source->state()->note_failure(copied);
    target->state()->note_failure(copied);
    source->state()->notice(copied.at(pair_label(*source, *target)).message() + ": copied through the host instead");
    return false;
  }
  if (!to->read(0, received.data(), received.size()).ok()) return std::nullopt;
  if (received == sent) return true;
  source->state()->notice(pair_label(*source, *target) +
                          ": the plugin answered success and moved nothing right: copied through the host instead [" +
                          rules::kPeerMoves + "]");
  return false;
}

}  // namespace

bool PeerTable::usable(const std::shared_ptr<Device>& source, const std::shared_ptr<Device>& target) {
  DeviceState& state = *source->state();
  if (!state.properties().can(Capability::kPeer)) return false;
  const std::uint64_t serial = target->state()->serial();
  const std::lock_guard lock(mutex_);
  for (const Pair& pair : pairs_) {
    if (pair.target_serial == serial) return pair.usable;
  }
  bool allowed = false;
  if (const Status status = state.driver().can_access_peer(target->state()->driver(), allowed); !status.ok()) {
    state.note_failure(status);
    target->state()->note_failure(status);
    return false;
  }
  const std::optional<bool> answer = allowed ? try_pair(source, target) : false;
  if (!answer.has_value()) return false;
  pairs_.push_back({.target_serial = serial, .usable = *answer});
  return *answer;
}

}  // namespace berth::detail
