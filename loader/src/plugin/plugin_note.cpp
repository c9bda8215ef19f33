#include "plugin/plugin_note.h"

#define BERTH_HOST
#include <berth/plugin.h>

#include <array>
#include <cstring>

#include "plugin/plugin_rules.h"
#include "plugin/text.h"

namespace berth::loader::detail {
namespace {

tl::unexpected<Status> bad_note(std::string what, std::string expected, std::string found) {
  return fail({.code = Code::kPluginFault,
               .origin = Origin::kDevice,
               .what = std::move(what),
               .expected = std::move(expected),
               .found = std::move(found),
               .rule = rules::kNoteWellFormed});
}

std::string range_text(std::uint32_t major, std::uint32_t low, std::uint32_t high) {
  const std::string first = std::to_string(major) + "." + std::to_string(low);
  return low == high ? first : first + " to " + std::to_string(major) + "." + std::to_string(high);
}

unsigned host_cpu_level() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("sse4.2") || !__builtin_cpu_supports("ssse3") || !__builtin_cpu_supports("popcnt")) {
    return 1;
  }
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("bmi") ||
      !__builtin_cpu_supports("bmi2")) {
    return 2;
  }
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
      !__builtin_cpu_supports("avx512cd") || !__builtin_cpu_supports("avx512dq") ||
      !__builtin_cpu_supports("avx512vl")) {
    return 3;
  }
  return 4;
#else
  return 0;
#endif
}

// The level that a baseline asks for; a high one for words that this version does not know.
unsigned level_of(const std::string& baseline) {
  constexpr std::array<const char*, 4> kLevels = {"x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"};
  for (unsigned i = 0; i < kLevels.size(); ++i) {
    if (baseline == kLevels[i]) return i + 1;
  }
  return baseline.empty() || baseline == "aarch64" ? 0 : 99;
}

std::string cpu_text(unsigned level) { return level <= 1 ? "x86-64" : "x86-64-v" + std::to_string(level); }

Status judge_abi(const PluginNote& note) {
  if (note.abi_major == BERTH_ABI_MAJOR && note.abi_minor_min <= BERTH_ABI_MINOR) return {};
  const bool newer = note.abi_major >= BERTH_ABI_MAJOR;
  return Status(
      {.code = Code::kUnsupported,
       .origin = Origin::kDevice,
       .what = "the plugin speaks another version of the plugin ABI",
       .expected = range_text(BERTH_ABI_MAJOR, 0, BERTH_ABI_MINOR),
       .found = range_text(note.abi_major, note.abi_minor_min, note.abi_minor_max),
       .next_step = newer ? "use a newer Berth, or a plugin built for this one" : "use a plugin built for this Berth"});
}

}  // namespace

Result<PluginNote> decode_note(std::span<const std::byte> body) {
  if (body.size() != BERTH_NOTE_BODY_BYTES) {
    return bad_note("the note .note.berth has another size", std::to_string(BERTH_NOTE_BODY_BYTES) + " bytes",
                    std::to_string(body.size()) + " bytes");
  }
  berth_note raw{};
  std::memcpy(&raw.layout, body.data(), body.size());
  if (raw.layout != BERTH_NOTE_LAYOUT) {
    return bad_note("the note .note.berth has an unknown layout", "layout " + std::to_string(BERTH_NOTE_LAYOUT),
                    "layout " + std::to_string(raw.layout));
  }
  PluginNote note;
  note.abi_major = raw.abi_major;
  note.abi_minor_min = raw.abi_minor_min;
  note.abi_minor_max = raw.abi_minor_max;
  const auto take = [](const auto& array, std::string& out) {
    auto text = text_in(array, sizeof array);
    if (text) out = std::move(*text);
    return text.has_value();
  };
  if (!take(raw.name, note.name) || !take(raw.device_type, note.device_type) || !take(raw.version, note.version) ||
      !take(raw.vendor, note.vendor) || !take(raw.cpu_baseline, note.cpu_baseline) ||
      !take(raw.sanitizer, note.sanitizer)) {
    return bad_note("a text of the note .note.berth has no end", "a terminating zero byte", "none");
  }
  return note;
}

HostTraits host_traits() {
  HostTraits traits{.cpu_level = host_cpu_level(), .sanitizer = {}};
#if defined(__SANITIZE_ADDRESS__)
  traits.sanitizer = "address";
#elif defined(__SANITIZE_THREAD__)
  traits.sanitizer = "thread";
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
  traits.sanitizer = "address";
#elif __has_feature(thread_sanitizer)
  traits.sanitizer = "thread";
#elif __has_feature(memory_sanitizer)
  traits.sanitizer = "memory";
#endif
#endif
  return traits;
}

Status judge_note(const PluginNote& note, const HostTraits& host) {
  BERTH_RETURN_IF_ERROR(judge_abi(note));
  if (level_of(note.cpu_baseline) > host.cpu_level) {
    return Status({.code = Code::kUnsupported,
                   .origin = Origin::kDevice,
                   .what = "the plugin is built for a newer processor",
                   .expected = host.cpu_level == 0 ? "this processor" : cpu_text(host.cpu_level) + " or older",
                   .found = note.cpu_baseline,
                   .next_step = "build the plugin with a lower -march"});
  }
  if (!note.sanitizer.empty() && note.sanitizer != host.sanitizer) {
    return Status({.code = Code::kUnsupported,
                   .origin = Origin::kDevice,
                   .what = "the plugin is built with a sanitizer that this program was not built with",
                   .expected = host.sanitizer.empty() ? "a plugin without a sanitizer" : host.sanitizer,
                   .found = note.sanitizer,
                   .next_step = "build both with it, or neither"});
  }
  return {};
}

}  // namespace berth::loader::detail
