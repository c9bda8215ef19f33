#include "scratch.h"

#include <algorithm>

namespace berth::module::detail {

Result<std::span<std::byte>> Scratch::take(std::uint64_t bytes) {
  constexpr std::uint64_t kAlignment = 64;
  constexpr std::uint64_t kSmallestBlock = 4096;
  for (; block_ < blocks_.size(); ++block_, used_ = 0) {
    DeviceBuffer& block = blocks_[block_];
    if (block.size() - used_ < bytes) continue;
    const std::span<std::byte> taken(block.host_data() + used_, bytes);
    used_ = std::min(block.size(), used_ + (bytes + kAlignment - 1) / kAlignment * kAlignment);
    return taken;
  }
  const std::uint64_t doubled = blocks_.empty() ? 0 : 2 * blocks_.back().size();
  const std::uint64_t wanted = std::max({bytes, doubled, kSmallestBlock});
  auto block = DeviceBuffer::allocate(host_, {.bytes = wanted, .alignment = kAlignment});
  // Near a limit, what is asked for may still fit.
  if (!block.has_value() && wanted != bytes) {
    block = DeviceBuffer::allocate(host_, {.bytes = bytes, .alignment = kAlignment});
  }
  if (!block.has_value()) return fail(std::move(block).error().at("scratch memory"));
  blocks_.push_back(*std::move(block));
  return take(bytes);
}

}  // namespace berth::module::detail
