#include "option_reader.h"

#include <berth/plugin_helper.hpp>
#include <bit>

#include "text.h"

namespace berth::mock {
namespace {

void throw_if(berth_code code, const berth_error& error) {
  if (code != BERTH_OK) throw plugin::Failure(error);
}

}  // namespace

bool OptionReader::boolean() const {
  berth_error error;
  std::uint32_t value = 0;
  throw_if(berth_option_bool(options_, index_, &value, &error), error);
  return value != 0;
}

std::uint64_t OptionReader::integer(std::uint64_t least, std::uint64_t most) const {
  berth_error error;
  std::int64_t value = 0;
  throw_if(berth_option_int(options_, index_, static_cast<std::int64_t>(least), static_cast<std::int64_t>(most), &value,
                            &error),
           error);
  return static_cast<std::uint64_t>(value);
}

std::string_view OptionReader::string() const {
  berth_error error;
  const char* value = nullptr;
  throw_if(berth_option_string(options_, index_, &value, &error), error);
  return value;
}

std::uint64_t OptionReader::size() const {
  if (options_[index_].type == BERTH_OPTION_INT) return integer(0, INT64_MAX);
  return parse_size(string(), "option '" + std::string(key()) + "'");
}

std::uint64_t OptionReader::power_of_two() const {
  const std::uint64_t value = size();
  if (!std::has_single_bit(value))
    throw plugin::Failure(BERTH_INVALID_ARGUMENT, plugin::text("option '%s': expected a power of two, found %" PRIu64,
                                                               options_[index_].key, value));
  return value;
}

void OptionReader::unknown(const char* known_keys) const {
  berth_error error;
  berth_option_unknown(options_, index_, known_keys, &error);
  throw plugin::Failure(error);
}

}  // namespace berth::mock
