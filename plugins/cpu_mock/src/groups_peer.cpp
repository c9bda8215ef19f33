// Groups: peer and queue_peer; the extension berth.native.
#include <cstring>

#include "groups.h"
#include "queue.h"

namespace berth::mock {
namespace {

using plugin::guard;

berth_code can_access(berth_device* to, berth_device* from, std::uint32_t* out_can, berth_error* error) noexcept {
  return guard(error, [&] {
    Device& target = Device::from(to);
    const berth_code code = target.enter(Function::kCanAccess, 0, error);
    if (code == BERTH_OK)
      *out_can =
          target.instance().options().peers.allow(target.ordinal().index(), Device::from(from).ordinal().index());
    return code;
  });
}

// The gate of a copy between devices: `function` on both of them, but planned faults of the target alone.
berth_code enter_both(Function function, Device& to, Device& from, std::uint64_t bytes, berth_error* error,
                      Effect* effect) {
  const berth_code code = to.enter_sized(function, bytes, error, effect);
  if (code != BERTH_OK) return code;
  if (from.lost()) return from.enter_sized(function, bytes, error);
  if (to.instance().options().peers.allow(to.ordinal().index(), from.ordinal().index())) return BERTH_OK;
  return berth_fail(error, BERTH_FAILED_PRECONDITION, "devices %" PRIu32 " and %" PRIu32 " are no peers",
                    to.ordinal().index(), from.ordinal().index());
}

berth_code copy_between(berth_device* to_device, const berth_memory* to, std::uint64_t to_offset,
                        berth_device* from_device, const berth_memory* from, std::uint64_t from_offset,
                        std::uint64_t bytes, berth_error* error) noexcept {
  return guard(error, [&] {
    Effect effect = Effect::kNone;
    const berth_code code =
        enter_both(Function::kCopyBetween, Device::from(to_device), Device::from(from_device), bytes, error, &effect);
    if (code == BERTH_OK && effect != Effect::kNothing && bytes != 0)
      std::memmove(bytes_of(*to) + to_offset, bytes_of(*from) + from_offset, bytes);
    return code;
  });
}

berth_code queue_copy_between(berth_queue* handle, berth_device* to_device, const berth_memory* to,
                              std::uint64_t to_offset, berth_device* from_device, const berth_memory* from,
                              std::uint64_t from_offset, std::uint64_t bytes, berth_error* error) noexcept {
  return guard(error, [&] {
    Effect effect = Effect::kNone;
    const berth_code code = enter_both(Function::kQueueCopyBetween, Device::from(to_device), Device::from(from_device),
                                       bytes, error, &effect);
    if (code != BERTH_OK || effect == Effect::kNothing || bytes == 0) return code;
    return Queue::from(handle).copy(bytes_of(*to) + to_offset, bytes_of(*from) + from_offset, bytes, error);
  });
}

berth_code answer_native(std::uint64_t value, berth_native_object* out, berth_error* error) {
  berth_native_object full = {};
  berth_set_text(full.api, sizeof(full.api), "host");
  full.value[0] = value;
  return BERTH_ANSWER(out, full, BERTH_NATIVE_OBJECT_1_0, error);
}

berth_code native_device(berth_device*, berth_native_object* out, berth_error* error) noexcept {
  return answer_native(0, out, error);
}

// The pointer to the bytes themselves, also where the memory shows another address or none.
berth_code native_memory(berth_device*, const berth_memory* memory, berth_native_object* out,
                         berth_error* error) noexcept {
  return answer_native(reinterpret_cast<std::uint64_t>(bytes_of(*memory)), out, error);
}

berth_code native_queue(berth_queue*, berth_native_object* out, berth_error* error) noexcept {
  return answer_native(0, out, error);
}

}  // namespace

const berth_peer_group kPeerGroup = {can_access, copy_between};
const berth_queue_peer_group kQueuePeerGroup = {queue_copy_between};
const berth_native kNative = {native_device, native_memory, native_queue};

}  // namespace berth::mock
