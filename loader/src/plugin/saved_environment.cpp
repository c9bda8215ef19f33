#include "plugin/saved_environment.h"

#include <unistd.h>

#include <cstdlib>
#include <map>

namespace berth::loader::detail {
namespace {

std::vector<std::string> current_lines() {
  std::vector<std::string> lines;
  if (environ == nullptr) return lines;
  for (char** line = environ; *line != nullptr; ++line) lines.emplace_back(*line);
  return lines;
}

std::map<std::string, std::string> by_name(const std::vector<std::string>& lines) {
  std::map<std::string, std::string> variables;
  for (const std::string& line : lines) {
    const std::size_t equals = line.find('=');
    if (equals != std::string::npos) variables.emplace(line.substr(0, equals), line.substr(equals + 1));
  }
  return variables;
}

}  // namespace

SavedEnvironment::SavedEnvironment() : lines_(current_lines()) {}

void SavedEnvironment::restore(std::vector<std::string>& changes) const {
  const std::vector<std::string> now_lines = current_lines();
  if (now_lines == lines_) return;
  const auto saved = by_name(lines_);
  const auto now = by_name(now_lines);
  std::string changed;
  const auto note = [&](const std::string& name) { changed += (changed.empty() ? "" : ", ") + name; };
  for (const auto& [name, value] : saved) {
    const auto found = now.find(name);
    if (found != now.end() && found->second == value) continue;
    setenv(name.c_str(), value.c_str(), 1);
    note(name);
  }
  for (const auto& [name, value] : now) {
    if (saved.contains(name)) continue;
    unsetenv(name.c_str());
    note(name);
  }
  if (!changed.empty()) changes.push_back("the environment variables " + changed);
}

}  // namespace berth::loader::detail
