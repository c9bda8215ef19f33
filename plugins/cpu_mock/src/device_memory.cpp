// Device: blocks of memory. The path of allocate and free takes no lock but the ordinal's.
#include <bit>

#include "device.h"

namespace berth::mock {

berth_code Device::check_allocation(const berth_allocate_args& args, std::uint64_t* out_size,
                                    std::uint64_t* out_alignment, berth_error* error) const {
  if (args.flags != 0) return berth_check_flags(args.flags, 0, "allocate", error);
  if (args.kind >= kinds_.size())
    return berth_fail(error, BERTH_INVALID_ARGUMENT, "there is no kind %" PRIu32 "; this device has %zu", args.kind,
                      kinds_.size());
  const Kind& kind = kinds_[args.kind];
  const std::uint64_t alignment = args.alignment == 0 ? kind.min_alignment : args.alignment;
  if (!std::has_single_bit(alignment) || alignment > kind.max_alignment)
    return berth_fail(error, BERTH_INVALID_ARGUMENT, "alignment %" PRIu64 ": expected a power of two up to %" PRIu64,
                      alignment, kind.max_alignment);
  *out_alignment = alignment < kind.min_alignment ? kind.min_alignment : alignment;
  *out_size = args.size;
  if (const std::uint64_t rest = args.size % kind.size_multiple; rest != 0) *out_size += kind.size_multiple - rest;
  // Rounding up a size near 2^64 overflows to a small one.
  if (*out_size > kind.max_allocation || *out_size < args.size)
    return berth_fail(error, BERTH_TOO_LARGE,
                      "%" PRIu64 " bytes asked; the largest single allocation of kind %" PRIu32 " is %" PRIu64 " bytes",
                      args.size, args.kind, kind.max_allocation);
  return BERTH_OK;
}

berth_code Device::allocate(Function function, const berth_allocate_args* args, berth_memory* out, berth_error* error) {
  berth_allocate_args known;
  std::uint64_t size = 0;
  std::uint64_t alignment = 0;
  berth_code code = BERTH_READ_ARGS(known, args, BERTH_ALLOCATE_ARGS_1_0, error);
  if (code == BERTH_OK) code = check_allocation(known, &size, &alignment, error);
  if (code != BERTH_OK) return code;
  code = enter_sized(function, known.size, error);
  if (code != BERTH_OK) return code;

  const Kind& kind = kinds_[known.kind];
  Slot* const slot = ordinal_.take(size, alignment, kind, {heaps_[kind.heap], max_allocations_}, &blocks_, error);
  if (slot == nullptr) return error->code;
  slot->size = size;
  slot->kind = known.kind;
  slot->owner = this;
  poison_rest(*slot, size);
  const bool addressed = size != 0 && kind.has(BERTH_KIND_HAS_ADDRESS);
  *out = {};
  out->handle = reinterpret_cast<std::uint64_t>(slot);
  out->address = addressed ? slot->address : 0;
  out->size = size;
  out->kind = known.kind;
  out->flags = addressed ? BERTH_MEMORY_HAS_ADDRESS : 0;
  return BERTH_OK;
}

Slot* Device::slot_of(const berth_memory& memory, berth_error* error) {
  auto* const slot = reinterpret_cast<Slot*>(memory.handle);
  if (slot != nullptr && slot->owner == this) return slot;
  berth_fail(error, BERTH_INVALID_ARGUMENT, "memory 0x%" PRIx64 " is not a live block of device %" PRIu32,
             memory.handle, ordinal_.index());
  return nullptr;
}

berth_code Device::free(const berth_memory& memory, berth_error* error) {
  Slot* const slot = slot_of(memory, error);
  if (slot == nullptr) return error->code;
  const berth_code code = enter_sized(Function::kFree, slot->size, error);
  slot->owner = nullptr;
  if (code != BERTH_OK) {
    ordinal_.detach(&blocks_);  // stranded: the bytes stay in use
    return code;
  }
  poison(*slot, slot->size);
  ordinal_.give(slot, kinds_[slot->kind], &blocks_);
  return BERTH_OK;
}

Slot* Device::begin_free(const berth_memory& memory, berth_error* error) {
  Slot* const slot = slot_of(memory, error);
  if (slot == nullptr) return nullptr;
  const berth_code code = enter_sized(Function::kFreeOn, slot->size, error);
  slot->owner = nullptr;
  ordinal_.detach(&blocks_);
  return code == BERTH_OK ? slot : nullptr;
}

void Device::finish_free(Slot* slot) {
  poison(*slot, slot->size);
  ordinal_.give_detached(slot, kinds_[slot->kind]);
}

}  // namespace berth::mock
