// The fault schedule: which calls of an instance go wrong, and how. Deterministic: it depends on the order of calls
// alone. The grammar is in README.md beside this folder.
//
//   schedule = rule { ";" rule }
//   rule     = function { modifier } "=" effect
//   modifier = "@" ordinal | "#" n [ "-" m | "+" ] | "%" k | "!" times | ">" size
//   effect   = code [ "(" native ")" ] | "NOTHING" | "LIE"
//
// Every rule counts the calls that match its function, ordinal and size. Of the rules that fire at one call, the first
// decides.
#pragma once

#include <berth/plugin.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "function.h"

namespace berth::mock {

enum class Effect : std::uint8_t {
  kNone,
  kFail,     // answer the rule's code
  kNothing,  // answer OK and do nothing
  kLie,      // answer OK with impossible figures
};

// What the schedule says about one call.
struct Fault {
  Effect effect = Effect::kNone;
  berth_code code = BERTH_OK;
  std::int64_t native_code = 0;
  std::string message;
};

// Any function may be called from any thread.
class FaultSchedule {
 public:
  FaultSchedule();
  FaultSchedule(FaultSchedule&&) noexcept;
  FaultSchedule& operator=(FaultSchedule&&) noexcept;
  ~FaultSchedule();

  // Throws plugin::Failure INVALID_ARGUMENT that quotes the rule.
  static FaultSchedule parse(std::string_view text);

  // The functions that any rule names: all others never need to ask.
  std::uint64_t watched() const { return watched_; }

  // Counts a call and answers what becomes of it. bytes is 0 for functions without a size.
  Fault next(Function function, std::uint32_t ordinal, std::uint64_t bytes);

 private:
  struct Rule;
  std::vector<std::unique_ptr<Rule>> rules_;
  std::uint64_t watched_ = 0;
};

}  // namespace berth::mock
