// Claims: what one process has, another is refused, until the first ends.
#include "registry/claim.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <set>
#include <thread>

#include "berth/core/device.h"
#include "loader_fixture.h"

namespace berth::loader::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// Another process that takes a claim and keeps it until it is told to end.
class OtherProcess {
 public:
  OtherProcess(const std::string& folder, const std::string& key) {
    std::array<int, 2> ready{};
    std::array<int, 2> end{};
    if (pipe(ready.data()) != 0 || pipe(end.data()) != 0) std::abort();
    child_ = fork();
    if (child_ == 0) {
      close(end[1]);
      const auto claim = detail::Claim::take(folder, key);
      char byte = claim.has_value() ? 'y' : 'n';
      if (write(ready[1], &byte, 1) != 1) _exit(2);
      if (read(end[0], &byte, 1) < 0) _exit(2);
      _exit(0);
    }
    close(ready[1]);
    close(end[0]);
    char byte = 'n';
    took_ = read(ready[0], &byte, 1) == 1 && byte == 'y';
    close(ready[0]);
    end_ = end[1];
  }
  OtherProcess(const OtherProcess&) = delete;
  OtherProcess& operator=(const OtherProcess&) = delete;
  ~OtherProcess() { end(); }

  void end() {
    if (end_ < 0) return;
    close(end_);
    end_ = -1;
    waitpid(child_, nullptr, 0);
  }
  [[nodiscard]] bool took() const { return took_; }
  [[nodiscard]] pid_t id() const { return child_; }

 private:
  pid_t child_ = -1;
  int end_ = -1;
  bool took_ = false;
};

class ClaimTest : public LoaderTest {
 protected:
  [[nodiscard]] std::string folder() const { return folder_.path().string(); }
};

TEST_F(ClaimTest, NamesTheProcessThatHasTheDevice) {
  OtherProcess other(folder(), "pci-0000:65:00.0");
  ASSERT_TRUE(other.took());
  const auto refused = detail::Claim::take(folder(), "pci-0000:65:00.0");
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().message(), folder() +
                                           "/pci-0000_65_00.0.claim: the device is claimed by another process: found "
                                           "process " +
                                           std::to_string(other.id()) + "; end that process, or use another device");
  EXPECT_TRUE(detail::Claim::take(folder(), "pci-0000:66:00.0").has_value());
  other.end();
  EXPECT_TRUE(detail::Claim::take(folder(), "pci-0000:65:00.0").has_value());
}

TEST_F(ClaimTest, IsSharedWithinAProcessAndGivenBackWithItsLastHolder) {
  auto first = detail::Claim::take(folder(), "a");
  auto second = detail::Claim::take(folder(), "a");
  ASSERT_TRUE(first.has_value());
  ASSERT_TRUE(second.has_value());
  first->reset();
  EXPECT_FALSE(OtherProcess(folder(), "a").took());
  second->reset();
  EXPECT_TRUE(OtherProcess(folder(), "a").took());
}

TEST_F(ClaimTest, IsNeverRefusedToTheProcessThatIsGivingItBack) {
  const auto take_and_give_back = [this] {
    for (int round = 0; round < 500; ++round) {
      const auto claim = detail::Claim::take(folder(), "a");
      ASSERT_TRUE(claim.has_value()) << claim.error().message();
    }
  };
  std::jthread other(take_and_give_back);
  take_and_give_back();
}

TEST_F(ClaimTest, ShortensLongKeys) { EXPECT_EQ(detail::claim_path("/f", std::string(100, 'x')).size(), 3 + 64 + 6u); }

TEST_F(ClaimTest, GivesEveryKeyAFileOfItsOwn) {
  EXPECT_EQ(detail::claim_path("/f", "pci-0000:65:00.0"), "/f/pci-0000_65_00.0.claim");
  const std::set<std::string> paths = {detail::claim_path("/f", "a:b"), detail::claim_path("/f", "a_b"),
                                       detail::claim_path("/f", "a/b"), detail::claim_path("/f", "A:b"),
                                       detail::claim_path("/f", "a b")};
  EXPECT_EQ(paths.size(), 5u);
}

TEST_F(ClaimTest, NeedsNoRightToWriteToTheFileOfAnotherUser) {
  ASSERT_TRUE(detail::Claim::take(folder(), "a").has_value());
  ASSERT_EQ(chmod((folder() + "/a.claim").c_str(), 0444), 0);
  ASSERT_EQ(chmod(folder().c_str(), 0777), 0);
  const pid_t child = fork();
  if (child == 0) {
    constexpr uid_t kNobody = 65534;
    if (geteuid() == 0 && setuid(kNobody) != 0) _exit(2);
    _exit(detail::Claim::take(folder(), "a").has_value() ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST_F(ClaimTest, OfAParentIsRefusedToItsForkedChild) {
  auto claim = detail::Claim::take(folder(), "a");
  ASSERT_TRUE(claim.has_value());
  const pid_t child = fork();
  if (child == 0) {
    claim->reset();  // does not give it back for the parent
    _exit(detail::Claim::take(folder(), "a").has_value() ? 1 : 0);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST_F(ClaimTest, SaysThatTheFolderIsMissing) {
  EXPECT_EQ(detail::Claim::take(folder() + "/none", "a").status().message(),
            folder() +
                "/none/a.claim: the claim file cannot be opened: found No such file or directory; create the folder "
                "that 'claim' names, writable by all who share the devices");
}

TEST_F(ClaimTest, RefusesALinkInPlaceOfAClaimFile) {
  std::filesystem::create_symlink("/dev/null", folder_.path() / "a.claim");
  EXPECT_EQ(detail::Claim::take(folder(), "a").status().code(), Code::kIoError);
}

TEST_F(ClaimTest, IsTakenByOpenDevicesAndRefusedToOthers) {
  config(
      "[[plugin]]\nname = \"gpu\"\nfile = \"cpu_mock\"\noptions = { pci_base = \"0000:65:00.0\" }\n"
      "[[device]]\nid = \"cuda:0\"\nplugin = \"gpu\"\nclaim = \".\"\n");
  auto loaded = load();
  ASSERT_TRUE(loaded.has_value()) << loaded.status().message();
  {
    OtherProcess other(folder(), "pci-0000:65:00.0");
    ASSERT_TRUE(other.took());
    const Status status = loaded->registry()->find({"cuda", 0}).status();
    EXPECT_THAT(status.message(), StartsWith(options_.path + ":6:1, device cuda:0, stage device: "));
    EXPECT_THAT(status.message(), HasSubstr("the device is claimed by another process"));
    EXPECT_EQ(status.code(), Code::kFailedPrecondition);
  }
  ASSERT_TRUE(loaded->registry()->retry({"cuda", 0}).ok());
  EXPECT_FALSE(OtherProcess(folder(), "pci-0000:65:00.0").took());
  loaded = fail(Status());  // the last holder of the device goes
  EXPECT_TRUE(OtherProcess(folder(), "pci-0000:65:00.0").took());
}

}  // namespace
}  // namespace berth::loader::test
