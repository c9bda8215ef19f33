// OwnerTable: names interned as small numbers, with what each owner holds. Not thread safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "berth/core/owner.h"

namespace berth::detail {

struct OwnerCounters {
  std::uint64_t current_bytes = 0;
  std::uint64_t peak_bytes = 0;
  std::uint64_t failures = 0;
};

class OwnerTable {
 public:
  OwnerTable();

  // The number of `name`, the same for equal names. Throws std::bad_alloc and changes nothing.
  OwnerId intern(std::string_view name);
  // `id`, or 0 when nobody interned it.
  [[nodiscard]] OwnerId known(OwnerId id) const noexcept { return id < counters_.size() ? id : 0; }
  // "unnamed" for 0 and for numbers that nobody interned.
  [[nodiscard]] const std::string& name(OwnerId id) const noexcept { return *names_[known(id)]; }
  [[nodiscard]] const OwnerCounters& counters(OwnerId id) const noexcept { return counters_[known(id)]; }

  void add(OwnerId id, std::uint64_t bytes) noexcept {
    OwnerCounters& owner = counters_[known(id)];
    owner.current_bytes += bytes;
    if (owner.current_bytes > owner.peak_bytes) owner.peak_bytes = owner.current_bytes;
  }
  void subtract(OwnerId id, std::uint64_t bytes) noexcept { counters_[known(id)].current_bytes -= bytes; }
  void count_failure(OwnerId id) noexcept { ++counters_[known(id)].failures; }

 private:
  // Looks names up as they come, without a string made for each look-up.
  struct NameHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const noexcept { return std::hash<std::string_view>{}(name); }
  };
  std::unordered_map<std::string, OwnerId, NameHash, std::equal_to<>> ids_;  // node based: names stay where they are
  std::vector<const std::string*> names_;
  std::vector<OwnerCounters> counters_;
};

}  // namespace berth::detail
