// What is known of a method's planned tensors at one point of its chains.
#pragma once

#include <cstdint>
#include <vector>

#include "berth/program/method_plan.h"

namespace berth::program::detail {

// Where in a method something happens: an instruction, or before the first one.
struct Point {
  std::int32_t chain = -1;
  std::int32_t instruction = -1;
};

struct TensorFact {
  enum class Kind : std::uint8_t { kUnknown, kWritten, kLost };
  Kind kind = Kind::kUnknown;
  bool lost_whole = false;  // all of it was overwritten, not only a part
  Point written;
  Point lost;
  std::int32_t lost_to = -1;  // the value through which it was overwritten
};

class ClobberFacts {
 public:
  static constexpr std::int32_t kNoStorage = -1;       // nothing planned is behind the value
  static constexpr std::int32_t kUnknownStorage = -2;  // it differs between paths

  explicit ClobberFacts(const MethodPlan& plan);

  // The tensor whose bytes are behind a value.
  [[nodiscard]] std::int32_t storage(std::int32_t value) const { return storage_[static_cast<std::size_t>(value)]; }
  [[nodiscard]] const TensorFact& fact(std::int32_t storage) const { return facts_[static_cast<std::size_t>(storage)]; }

  void rebind(std::int32_t from, std::int32_t to) { set_storage(to, storage(from)); }
  void set_storage(std::int32_t value, std::int32_t storage) { storage_[static_cast<std::size_t>(value)] = storage; }

  // All of the value's bytes are written, and every other tensor that overlaps them loses what it held.
  void write(std::int32_t value, Point point);
  // The value's bytes may have been written.
  void may_write(std::int32_t value);
  // Keeps what holds here and in `other`.
  void meet(const ClobberFacts& other);
  // Forgets everything, also which bytes are behind values that are rebound somewhere (`rebound`, one flag per value).
  void forget(const std::vector<bool>& rebound);

  [[nodiscard]] std::uint64_t comparisons() const { return comparisons_; }

 private:
  void forget_losses();
  const MethodPlan* plan_;
  std::vector<std::int32_t> storage_;
  std::vector<TensorFact> facts_;
  std::uint64_t comparisons_ = 0;
};

}  // namespace berth::program::detail
