// PerProcess: state of the whole process that a forked child must not share with its parent. A lock that another thread
// of the parent held at the fork stays locked in the child for ever, and what it guards may be half written.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "berth/core/fork.h"

namespace berth::loader::detail {

// A variable of static storage duration. Its objects are never destroyed: who uses them may outlive main, and the
// parent's cannot be.
template <class T>
class PerProcess {
 public:
  constexpr PerProcess() noexcept = default;
  PerProcess(const PerProcess&) = delete;
  PerProcess& operator=(const PerProcess&) = delete;

  // The object of this process, made at the first call in it. Any thread.
  [[nodiscard]] T& get() {
    const std::uint32_t generation = fork_generation();
    Node* node = newest_.load(std::memory_order_acquire);
    if (node != nullptr && node->generation == generation) return node->value;
    auto made = std::make_unique<Node>();
    made->generation = generation;
    made->older = node;
    if (newest_.compare_exchange_strong(node, made.get(), std::memory_order_acq_rel)) return made.release()->value;
    return node->value;  // another thread of this process was first
  }

 private:
  struct Node {
    std::uint32_t generation = 0;
    Node* older = nullptr;  // keeps the parent's reachable
    T value;
  };
  std::atomic<Node*> newest_{nullptr};
};

}  // namespace berth::loader::detail
