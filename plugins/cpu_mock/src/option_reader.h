// One option as a typed value. Failures carry the option's index.
#pragma once

#include <berth/plugin.h>

#include <cstdint>
#include <string_view>

namespace berth::mock {

class OptionReader {
 public:
  OptionReader(const berth_option* options, std::uint64_t index) : options_(options), index_(index) {}

  std::string_view key() const { return options_[index_].key; }
  std::uint64_t index() const { return index_; }

  // Each throws plugin::Failure: NOT_UNDERSTOOD for another type, INVALID_ARGUMENT for a value out of range.
  bool boolean() const;
  std::uint64_t integer(std::uint64_t least, std::uint64_t most) const;
  std::string_view string() const;

  // Bytes: an integer, or a string such as "64KiB".
  std::uint64_t size() const;
  std::uint64_t power_of_two() const;

  // Throws plugin::Failure NOT_UNDERSTOOD that lists the known keys.
  [[noreturn]] void unknown(const char* known_keys) const;

 private:
  const berth_option* options_;
  std::uint64_t index_;
};

}  // namespace berth::mock
