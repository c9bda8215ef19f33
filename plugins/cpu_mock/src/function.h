// The functions of the table by name: what fault rules and latencies refer to, and which capability each one needs.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace berth::mock {

enum class Function : std::uint8_t {
  // On an instance.
  kCreate,
  kDestroy,
  kCount,
  kDescribe,
  kOpen,
  // On a device.
  kClose,
  kProperties,
  kKind,
  kHeap,
  kAllocate,
  kFree,
  kToDevice,
  kToHost,
  kCopyWithin,
  kFill,
  kMemoryInfo,
  kHostAllocate,
  kHostFree,
  kQueueCreate,
  kQueueDestroy,
  kQueueToDevice,
  kQueueToHost,
  kQueueCopyWithin,
  kQueueFill,
  kRecord,
  kWait,
  kCanWait,
  kSynchronize,
  kEventWait,
  kEventQuery,
  kEventDestroy,
  kAllocateOn,
  kFreeOn,
  kCanAccess,
  kCopyBetween,
  kQueueCopyBetween,
  kMap,
  kUnmap,
  // A command of a queue while it runs: no call of the host.
  kWork,
};

inline constexpr std::size_t kFunctionCount = static_cast<std::size_t>(Function::kWork) + 1;
static_assert(kFunctionCount <= 64, "sets of functions are one 64-bit word");

constexpr std::uint64_t bit(Function function) { return std::uint64_t{1} << static_cast<unsigned>(function); }

// Every function that is given a device, a queue or an event: what "*" stands for in rules.
inline constexpr std::uint64_t kDeviceFunctions = (bit(Function::kWork) - 1) & ~(bit(Function::kClose) - 1);

// Calls that still answer on a lost device.
inline constexpr std::uint64_t kSurvivesLoss =
    bit(Function::kClose) | bit(Function::kProperties) | bit(Function::kKind) | bit(Function::kHeap) |
    bit(Function::kFree) | bit(Function::kHostFree) | bit(Function::kQueueDestroy) | bit(Function::kEventDestroy) |
    bit(Function::kFreeOn) | bit(Function::kUnmap);

// "allocate", "queue_fill", ...
std::string_view name(Function function);

std::optional<Function> function_named(std::string_view name);

// The BERTH_CAN_* bits without which the function answers UNSUPPORTED.
std::uint64_t needed_capabilities(Function function);

// The functions that a device with these capabilities lacks, as a set of bits.
std::uint64_t missing_functions(std::uint64_t capabilities);

// "fill", "queue_peer", ...: the BERTH_CAN_* bit of a group, 0 if there is no such group.
std::uint64_t capability_named(std::string_view group);

// The name of the lowest bit in `capabilities`.
std::string_view capability_name(std::uint64_t capabilities);

}  // namespace berth::mock
