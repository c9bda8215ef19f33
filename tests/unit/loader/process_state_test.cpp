// A rude plugin: what it does to the process is put back and put down to it.
#include "plugin/process_state.h"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cfenv>
#include <clocale>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <latch>
#include <thread>

#include "berth/core/device.h"
#include "berth/core/device_buffer.h"
#include "berth/loader/plugin_file.h"
#include "loader_fixture.h"

namespace berth::loader::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// What the fixtures' change_process_state changes, as messages name it.
const std::vector<std::string> kChanges = {"the signal actions of SIGFPE, SIGUSR1",
                                           "the signal mask",
                                           "the locale",
                                           "the floating-point environment",
                                           "the working directory",
                                           "standard output",
                                           ("the environment variables BERTH_TEST_CHANGED, BERTH_TEST_REMOVED, "
                                            "BERTH_TEST_ADDED")};

class ProcessStateTest : public LoaderTest {
 protected:
  ProcessStateTest() {
    setenv("BERTH_TEST_CHANGED", "before", 1);
    setenv("BERTH_TEST_REMOVED", "still here", 1);
    unsetenv("BERTH_TEST_ADDED");
    folder_before_ = std::filesystem::current_path();
    sigaction(SIGFPE, nullptr, &action_before_);
  }
  ~ProcessStateTest() override {
    unsetenv("BERTH_TEST_CHANGED");
    unsetenv("BERTH_TEST_REMOVED");
  }

  void expect_everything_is_as_before() {
    struct sigaction action {};
    sigaction(SIGFPE, nullptr, &action);
    EXPECT_EQ(action.sa_handler, action_before_.sa_handler);
    sigset_t mask{};
    pthread_sigmask(SIG_BLOCK, nullptr, &mask);
    EXPECT_EQ(sigismember(&mask, SIGUSR2), 0);
    EXPECT_STREQ(std::setlocale(LC_ALL, nullptr), "C");
    EXPECT_EQ(std::fegetround(), FE_TONEAREST);
    EXPECT_EQ(std::filesystem::current_path(), folder_before_);
    EXPECT_STREQ(std::getenv("BERTH_TEST_CHANGED"), "before");
    EXPECT_STREQ(std::getenv("BERTH_TEST_REMOVED"), "still here");
    EXPECT_EQ(std::getenv("BERTH_TEST_ADDED"), nullptr);
  }

  std::shared_ptr<Device> open(const std::string& plugin) {
    config("[[device]]\nid = \"npu:0\"\nplugin = \"" BERTH_TEST_BROKEN_DIR "/libberth_" + plugin + ".so\"\n");
    auto loaded = load();
    EXPECT_TRUE(loaded.has_value()) << loaded.status().message();
    if (!loaded.has_value()) return nullptr;
    auto device = loaded->registry()->find({"npu", 0});
    EXPECT_TRUE(device.has_value()) << device.status().message();
    detail_ = loaded->report().records.back().detail;
    return device.has_value() ? *device : nullptr;
  }

  std::vector<std::string> expected(const std::string& before, const std::string& after) {
    std::vector<std::string> lines;
    for (const std::string& change : kChanges) lines.push_back(before + change + after);
    return lines;
  }

  std::filesystem::path folder_before_;
  struct sigaction action_before_ {};
  std::string detail_;
};

TEST_F(ProcessStateTest, FindsNothingWhereNothingChanged) {
  detail::ProcessStateGuard guard;
  EXPECT_THAT(guard.restore(), IsEmpty());
}

TEST_F(ProcessStateTest, SaysNothingOfAPolitePlugin) {
  EXPECT_NE(open("plain"), nullptr);
  EXPECT_THAT(warnings(), Not(Contains(HasSubstr("changed"))));
}

TEST_F(ProcessStateTest, LetsAForkedChildOpenDevicesWhileTheParentStillOpensOne) {
  std::latch held(1);
  std::latch forked(1);
  std::jthread opener([&] {
    detail::ProcessStateGuard guard;
    held.count_down();
    forked.wait();
  });
  held.wait();
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);  // a child that waits for the parent's lock would wait for ever
    _exit(open("plain") != nullptr ? 0 : 1);
  }
  forked.count_down();
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST_F(ProcessStateTest, UndoesAndNamesWhatAConstructorChanges) {
  const std::string file = BERTH_TEST_BROKEN_DIR "/libberth_changes_state_when_loaded.so";
  EXPECT_NE(open("changes_state_when_loaded"), nullptr);
  expect_everything_is_as_before();
  EXPECT_EQ(warnings(), expected("plugin " + file + " changed ", " while it was opened for npu:0; it was restored"));
  EXPECT_NE(detail_.find("changed the locale"), std::string::npos) << detail_;
}

TEST_F(ProcessStateTest, UndoesAndNamesWhatAConstructorChangesInAQuery) {
  // A copy, as constructors run once in a process.
  const std::string file = (folder_.path() / "libberth_copy.so").string();
  std::filesystem::copy_file(BERTH_TEST_BROKEN_DIR "/libberth_changes_state_when_loaded.so", file);
  const auto info = query_file(file);
  ASSERT_TRUE(info.has_value()) << info.status().message();
  expect_everything_is_as_before();
  EXPECT_EQ(info->process_changes, kChanges);
}

TEST_F(ProcessStateTest, UndoesAndNamesWhatOpenChanges) {
  const std::string file = BERTH_TEST_BROKEN_DIR "/libberth_changes_state_in_open.so";
  EXPECT_NE(open("changes_state_in_open"), nullptr);
  expect_everything_is_as_before();
  EXPECT_EQ(warnings(), expected("plugin " + file + " changed ", " while it was opened for npu:0; it was restored"));
}

TEST_F(ProcessStateTest, UndoesAndNamesWhatTheFirstUseChanges) {
  const auto device = open("changes_state_in_allocate");
  ASSERT_NE(device, nullptr);
  EXPECT_THAT(warnings(), IsEmpty());
  ASSERT_TRUE(DeviceBuffer::allocate(device, {.bytes = 64}).has_value());
  expect_everything_is_as_before();
  EXPECT_EQ(warnings(),
            expected("plugin changes_state_in_allocate changed ", " in its first allocate; it was restored"));
}

}  // namespace
}  // namespace berth::loader::test
