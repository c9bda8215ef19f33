#include "report/run_report.h"

namespace berth::cli {

std::optional<bool> RunCase::matches() const {
  std::optional<bool> all;
  for (const OutputRow& output : outputs) {
    if (output.comparison.has_value()) all = all.value_or(true) && output.comparison->matches;
  }
  return all;
}

std::optional<bool> RunReport::matches() const {
  std::optional<bool> all;
  for (const RunCase& run : cases) {
    if (const auto one = run.matches(); one.has_value()) all = all.value_or(true) && *one;
  }
  return all;
}

}  // namespace berth::cli
