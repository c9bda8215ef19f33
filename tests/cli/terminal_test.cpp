// What the built program does with the streams it is given: colour on a terminal only, and a report that cannot be
// written is a failure.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>

#include "cli_fixture.h"

namespace berth::test {
namespace {

// Starts `berth devices --config <config>` with `out` as standard output and waits for it.
int devices_writing_to(int out, const std::string& config) {
  std::array<std::string, 4> words = {BERTH_TEST_BIN_DIR "/berth", "devices", "--config", config};
  std::array<char*, 5> argv = {words[0].data(), words[1].data(), words[2].data(), words[3].data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  pid_t child = 0;
  const int failure = posix_spawn(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  EXPECT_EQ(failure, 0) << std::strerror(failure);
  int state = 0;
  waitpid(child, &state, 0);
  return WIFEXITED(state) ? WEXITSTATUS(state) : 1000 + WTERMSIG(state);
}

class TerminalTest : public testing::Test {
 protected:
  void SetUp() override {
    main_ = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    ASSERT_GE(main_, 0);
    ASSERT_EQ(grantpt(main_), 0);
    ASSERT_EQ(unlockpt(main_), 0);
    terminal_ = open(ptsname(main_), O_RDWR | O_NOCTTY | O_CLOEXEC);
    ASSERT_GE(terminal_, 0);
    config_ = folder_.write("mock.toml", mock_config());
  }
  void TearDown() override {
    close(terminal_);
    close(main_);
  }

  // What the command wrote to the terminal; the report is shorter than what a terminal holds.
  std::string report() {
    EXPECT_EQ(devices_writing_to(terminal_, config_), 0);
    std::array<char, 4096> buffer = {};
    fcntl(main_, F_SETFL, O_NONBLOCK);
    const ssize_t got = read(main_, buffer.data(), buffer.size());
    return {buffer.data(), got < 0 ? 0 : static_cast<std::size_t>(got)};
  }

  TempDir folder_;
  std::string config_;
  int main_ = -1;
  int terminal_ = -1;
};

TEST_F(TerminalTest, IsColoured) { EXPECT_NE(report().find("\033[32mready\033[0m"), std::string::npos); }

TEST_F(TerminalTest, IsNotColouredWithNoColor) {
  setenv("NO_COLOR", "1", 1);
  const std::string text = report();
  unsetenv("NO_COLOR");
  EXPECT_NE(text.find("ready"), std::string::npos);
  EXPECT_EQ(text.find('\033'), std::string::npos) << text;
}

TEST_F(TerminalTest, AReportThatCannotBeWrittenExitsWithTwo) {
  const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
  ASSERT_GE(full, 0);
  EXPECT_EQ(devices_writing_to(full, config_), 2);
  close(full);
}

}  // namespace
}  // namespace berth::test
