#include "latency.h"

#include <optional>
#include <string>
#include <thread>

#include "text.h"

namespace berth::mock {

Latency Latency::parse(std::string_view text) {
  Latency latency;
  for (const std::string_view part : split(text, ',')) {
    const std::size_t equals = part.find('=');
    const bool all = equals == std::string_view::npos || trim(part.substr(0, equals)) == "*";
    std::uint64_t functions = kDeviceFunctions;
    if (!all) {
      const std::string_view named = trim(part.substr(0, equals));
      const std::optional<Function> function = function_named(named);
      if (!function) refuse("latency", named, "a function of the table, 'work' or '*'");
      functions = bit(*function);
    }
    const std::string_view duration = equals == std::string_view::npos ? part : part.substr(equals + 1);
    const std::chrono::nanoseconds time = parse_duration(duration, "latency");
    for (std::size_t i = 0; i < kFunctionCount; ++i)
      if ((functions & (std::uint64_t{1} << i)) != 0) latency.by_function_[i] = time;
  }
  for (std::size_t i = 0; i < kFunctionCount; ++i)
    if (latency.by_function_[i].count() > 0) latency.watched_ |= std::uint64_t{1} << i;
  return latency;
}

void Latency::spend(Function function) const {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::microseconds kShorterThanASleep(100);
  const std::chrono::nanoseconds time = by_function_[static_cast<std::size_t>(function)];
  if (time >= kShorterThanASleep) {
    std::this_thread::sleep_for(time);
    return;
  }
  const Clock::time_point end = Clock::now() + time;
  while (Clock::now() < end) {
  }
}

}  // namespace berth::mock
