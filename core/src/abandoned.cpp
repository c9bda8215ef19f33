#include "abandoned.h"

#include <atomic>
#include <cstddef>
#include <new>

namespace berth::detail {
namespace {

struct Abandoned {
  const void* object = nullptr;
  Abandoned* next = nullptr;
};

std::atomic<Abandoned*> first_abandoned{nullptr};

}  // namespace

void abandon(const void* object) noexcept {
  if (object == nullptr) return;
  auto* entry = new (std::nothrow) Abandoned;
  if (entry == nullptr) return;
  entry->object = object;
  entry->next = first_abandoned.load(std::memory_order_relaxed);
  while (!first_abandoned.compare_exchange_weak(entry->next, entry, std::memory_order_release)) {
  }
}

// One more reference, where no destructor runs.
void abandon(const std::shared_ptr<void>& object) noexcept {
  if (object == nullptr) return;
  using Reference = std::shared_ptr<void>;
  alignas(Reference) static std::byte without_memory[sizeof(Reference)];
  auto* reference = new (std::nothrow) Reference(object);
  if (reference == nullptr) reference = new (without_memory) Reference(object);
  abandon(static_cast<const void*>(reference));
}

}  // namespace berth::detail
