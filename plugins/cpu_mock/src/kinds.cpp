#include "kinds.h"

#include <berth/plugin_helper.hpp>
#include <bit>
#include <string>

#include "text.h"

namespace berth::mock {
namespace {

std::uint32_t flag_named(std::string_view word) {
  if (word == "local") return BERTH_KIND_DEVICE_LOCAL;
  if (word == "visible") return BERTH_KIND_HOST_VISIBLE;
  if (word == "coherent") return BERTH_KIND_HOST_COHERENT;
  if (word == "address") return BERTH_KIND_HAS_ADDRESS;
  if (word == "flat") return BERTH_KIND_FLAT_ADDRESS;
  refuse("kinds", word, "local, visible, coherent, address, flat or key=value");
}

void set_field(Kind& kind, std::string_view key, std::string_view value) {
  const std::uint64_t number = parse_size(value, "kinds");
  if (key == "heap") {
    if (number > UINT32_MAX) refuse("kinds", value, "the index of a heap");
    kind.heap = static_cast<std::uint32_t>(number);
  } else if (key == "size_multiple") {
    kind.size_multiple = number;
  } else if (key == "min_alignment") {
    kind.min_alignment = number;
  } else if (key == "max_alignment") {
    kind.max_alignment = number;
  } else if (key == "max_allocation") {
    kind.max_allocation = number;
  } else {
    refuse("kinds", key, "heap, size_multiple, min_alignment, max_alignment or max_allocation");
  }
}

[[noreturn]] void refuse_kind(std::size_t index, const char* why) {
  throw plugin::Failure(BERTH_INVALID_ARGUMENT, plugin::text("kind %zu: %s", index, why));
}

}  // namespace

std::vector<Kind> parse_kinds(std::string_view text, const Kind& base) {
  std::vector<Kind> kinds;
  for (const std::string_view part : split(text, ';')) {
    Kind kind = base;
    kind.flags = 0;
    for (const std::string_view word : split(part, ',')) {
      const std::size_t equals = word.find('=');
      if (equals == std::string_view::npos)
        kind.flags |= flag_named(word);
      else
        set_field(kind, trim(word.substr(0, equals)), trim(word.substr(equals + 1)));
    }
    kinds.push_back(kind);
  }
  if (kinds.empty()) kinds.push_back(base);
  return kinds;
}

std::vector<std::uint64_t> parse_heaps(std::string_view text, std::uint64_t capacity) {
  std::vector<std::uint64_t> heaps;
  for (const std::string_view part : split(text, ';')) heaps.push_back(parse_size(part, "heaps"));
  if (heaps.empty()) heaps.push_back(capacity);
  return heaps;
}

void check_kinds(const std::vector<Kind>& kinds, std::size_t heap_count) {
  constexpr std::uint64_t kLargestAlignment = std::uint64_t{1} << 30;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const Kind& kind = kinds[i];
    if (kind.heap >= heap_count) refuse_kind(i, "its heap does not exist; 'heaps' lists them");
    if (kind.size_multiple == 0) refuse_kind(i, "size_multiple is 0, expected at least 1");
    if (!std::has_single_bit(kind.min_alignment) || !std::has_single_bit(kind.max_alignment))
      refuse_kind(i, "min_alignment and max_alignment must be powers of two");
    if (kind.max_alignment < 64 || kind.max_alignment > kLargestAlignment)
      refuse_kind(i, "max_alignment must be 64 bytes to 1 GiB");
    if (kind.min_alignment > kind.max_alignment) refuse_kind(i, "min_alignment is above max_alignment");
    if (kind.has(BERTH_KIND_HOST_COHERENT) && !kind.has(BERTH_KIND_HOST_VISIBLE))
      refuse_kind(i, "coherent needs visible");
    if (kind.has(BERTH_KIND_FLAT_ADDRESS) && !kind.has(BERTH_KIND_HAS_ADDRESS)) refuse_kind(i, "flat needs address");
  }
}

}  // namespace berth::mock
