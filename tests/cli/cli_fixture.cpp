#include "cli_fixture.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "berth/cli/run.h"
#include "berth/reference/delegates.h"
#include "berth/reference/kernels.h"

namespace berth::test {
namespace {

std::vector<char*> pointers_of(std::vector<std::string>& arguments) {
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::string contents_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

// Blanks between columns depend on what stands in them; the indent stays.
std::string narrow(const std::string& text) {
  std::string result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    result += line.substr(0, indent) + std::regex_replace(line.substr(indent), std::regex("   *"), "  ") + "\n";
  }
  return result;
}

Answer run_with(const module::KernelTable& kernels, const module::DelegateTable& delegates,
                std::vector<std::string> arguments, bool colour) {
  arguments.insert(arguments.begin(), "berth");
  auto argv = pointers_of(arguments);
  std::ostringstream out;
  std::ostringstream err;
  Answer answer;
  answer.code =
      cli::run(static_cast<int>(arguments.size()), argv.data(), kernels, delegates, cli::Streams{&out, &err, colour});
  answer.out = out.str();
  answer.err = err.str();
  return answer;
}

}  // namespace

Answer run_berth(std::vector<std::string> arguments, bool colour) {
  module::KernelTable kernels;
  module::DelegateTable delegates;
  if (!reference::add_reference_kernels(kernels).ok() || !reference::add_reference_delegates(delegates).ok()) {
    throw std::runtime_error("the reference tables cannot be filled");
  }
  return run_with(kernels, delegates, std::move(arguments), colour);
}

Answer run_without_tables(std::vector<std::string> arguments) {
  return run_with(module::KernelTable(), module::DelegateTable(), std::move(arguments), false);
}

Answer run_binary(const std::vector<std::string>& arguments) {
  const TempDir folder;
  std::vector<std::string> words = {BERTH_TEST_BIN_DIR "/berth"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  const std::string out = folder.path() / "out";
  const std::string err = folder.path() / "err";
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), O_WRONLY | O_CREAT, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(), O_WRONLY | O_CREAT, 0600);
  pid_t child = 0;
  const int failure = posix_spawn(&child, words[0].c_str(), &actions, nullptr, pointers_of(words).data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) throw std::runtime_error("cannot start " + words[0] + ": " + std::strerror(failure));
  int state = 0;
  waitpid(child, &state, 0);
  return {WIFEXITED(state) ? WEXITSTATUS(state) : 1000 + WTERMSIG(state), contents_of(out), contents_of(err)};
}

std::string normalised(std::string text, const TempDir& folder) {
  replace_all(text, folder.path().string(), "<tmp>");
  replace_all(text, BERTH_TEST_PLUGIN_DIR, "<plugins>");
  replace_all(text, BERTH_TEST_SOURCE_DIR, "<source>");
  text = narrow(text);
  const std::array<std::pair<const char*, const char*>, 5> patterns = {{
      {R"(\b\d+(\.\d)? (ns|us|ms|s)\b)", "<time>"},
      {R"((host memory  )[^ ]+ [KMGT]iB  [^ ]+ [KMGT]iB)", "$1<memory>  <memory>"},
      {R"((host memory: total )[^ ]+ [KMGT]iB, free [^ ]+ [KMGT]iB)", "$1<memory>, free <memory>"},
      {R"(\b[0-9a-f]{64}\b)", "<sha256>"},
      {R"(\.\.\. [^\n]*\(<time>\)\n)", ""},
  }};
  for (const auto& [pattern, replacement] : patterns) text = std::regex_replace(text, std::regex(pattern), replacement);
  return text;
}

std::string npy_bytes(std::string_view header, std::string_view data) {
  std::string text(header);
  text += '\n';
  std::string bytes = "\x93NUMPY";
  bytes += std::string("\x01\x00", 2);
  bytes += static_cast<char>(text.size() & 0xFF);
  bytes += static_cast<char>(text.size() >> 8);
  return bytes + text + std::string(data);
}

std::string npy_floats(std::string_view shape, const std::vector<float>& values) {
  std::string data(values.size() * sizeof(float), '\0');
  if (!values.empty()) std::memcpy(data.data(), values.data(), data.size());
  return npy_bytes("{'descr': '<f4', 'fortran_order': False, 'shape': " + std::string(shape) + ", }", data);
}

std::string data_file(std::string_view name) {
  return std::string(BERTH_TEST_SOURCE_DIR "/tests/data/device/").append(name);
}

std::string mock_config(std::string_view options, std::string_view device_keys) {
  std::string text = "version = 1\n[[plugin]]\nname = \"mock\"\nfile = \"cpu_mock\"\noptions = { devices = 2";
  text += options.empty() ? "" : ", " + std::string(options);
  text += " }\n";
  for (const char* ordinal : {"0", "1"}) {
    text += std::string("[[device]]\nid = \"cuda:") + ordinal + "\"\nplugin = \"mock\"\nordinal = " + ordinal + "\n";
    text += std::string(device_keys) + (device_keys.empty() ? "" : "\n");
  }
  return text;
}

}  // namespace berth::test
