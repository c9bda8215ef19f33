// What the sweeps go over: two programs, each on several kinds of mock.
#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "session.h"

namespace berth::sweep {

struct SweepCase {
  std::string name;  // "TransformerOpaque"
  std::string program;
  std::string options;  // of the mock
  bool can_fill = true;

  [[nodiscard]] SessionOptions setup(std::string faults = {}) const {
    return {.program = program, .options = options, .faults = std::move(faults)};
  }
};

inline void PrintTo(const SweepCase& sweep, std::ostream* out) { *out << sweep.name; }

[[nodiscard]] inline std::vector<SweepCase> sweep_cases() {
  // Without the optional groups, filling is done by copies from the host.
  constexpr const char* kBare =
      "without = \"copy_within, fill, memory_info, staging, queue, async, peer, queue_peer, map, native\",";
  std::vector<SweepCase> cases;
  for (const auto& [name, program] : {std::pair{"Transformer", "transformer_2dev"}, {"TwoMethods", "two_methods"}}) {
    cases.push_back({std::string(name) + "Plain", program, "", true});
    cases.push_back({std::string(name) + "Strict", program, "strict = true,", true});
    cases.push_back({std::string(name) + "Opaque", program, "opaque = true,", true});
    cases.push_back({std::string(name) + "Bare", program, kBare, false});
  }
  return cases;
}

[[nodiscard]] inline std::string case_name(const testing::TestParamInfo<SweepCase>& test) { return test.param.name; }

// Everything that was taken has been given back.
inline void expect_nothing_left(Session& session) {
  EXPECT_EQ(session.usage(), Session::Usage());
  for (const auto& report : session.registry().leaks()) {
    for (const OwnerUsage& usage : report.usage) {
      ADD_FAILURE() << usage.bytes << " bytes of '" << usage.owner << "' are left on " << report.id.to_string();
    }
  }
}

}  // namespace berth::sweep
