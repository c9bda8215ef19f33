// Part of ProcessStateGuard: the environment variables.
#pragma once

#include <string>
#include <vector>

namespace berth::loader::detail {

class SavedEnvironment {
 public:
  SavedEnvironment();
  // Puts back what has changed; adds a line to `changes` with the names of the variables.
  void restore(std::vector<std::string>& changes) const;

 private:
  std::vector<std::string> lines_;  // "NAME=value", in the order of the process
};

}  // namespace berth::loader::detail
