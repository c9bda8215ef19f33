// Files of every kind where a plugin should be: each refused before any of its code runs, with its own text.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>

#include "berth/loader/plugin_file.h"
#include "loader_fixture.h"
#include "plugin/sha256.h"

namespace berth::loader::test {
namespace {

namespace fs = std::filesystem;

class PluginFileKindsTest : public LoaderTest {
 protected:
  // A file of the right kind.
  static std::string good_bytes() {
    std::ifstream file(BERTH_TEST_BROKEN_DIR "/libberth_plain.so", std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  [[nodiscard]] std::string path() const { return (folder_.path() / "plugin.so").string(); }
  void write(const std::string& bytes) { folder_.write("plugin.so", bytes); }

  // The failure of the device that plugin.so serves, from the stage on: "metadata: plugin.so: ...".
  std::string refusal(const std::string& pin = "") {
    config("[[plugin]]\nname = \"p\"\nfile = \"./plugin.so\"\n" + pin + "[[device]]\nid = \"npu:0\"\nplugin = \"p\"\n");
    const auto loaded = load();
    if (!loaded.has_value()) return loaded.status().message();
    const auto device = loaded->registry()->find({"npu", 0});
    std::string message = device.status().message();
    const std::size_t stage = message.find("stage ");
    if (stage != std::string::npos) message.erase(0, stage + 6);
    for (std::size_t at = message.find(folder_.path().string()); at != std::string::npos;
         at = message.find(folder_.path().string())) {
      message.replace(at, folder_.path().string().size(), "{folder}");
    }
    return message;
  }
};

TEST_F(PluginFileKindsTest, AcceptsAPlugin) {
  write(good_bytes());
  EXPECT_EQ(refusal(), "OK");
}

TEST_F(PluginFileKindsTest, RefusesAMissingFile) {
  EXPECT_EQ(refusal(), "find: {folder}/plugin.so: the plugin file does not exist");
}

TEST_F(PluginFileKindsTest, RefusesAnEmptyFile) {
  write("");
  EXPECT_EQ(refusal(),
            "metadata: {folder}/plugin.so: this is no plugin: expected an ELF shared object, found an empty file");
}

TEST_F(PluginFileKindsTest, RefusesATextFile) {
  write("hello\n");
  EXPECT_EQ(refusal(),
            "metadata: {folder}/plugin.so: this is no plugin: expected an ELF shared object, found a text file");
}

TEST_F(PluginFileKindsTest, RefusesBytesOfNoKind) {
  write(std::string("\0\1\2\3", 4));
  EXPECT_EQ(refusal(),
            "metadata: {folder}/plugin.so: this is no plugin: expected an ELF shared object, found something else");
}

TEST_F(PluginFileKindsTest, RefusesAStaticArchive) {
  write("!<arch>\n");
  EXPECT_EQ(refusal(),
            "metadata: {folder}/plugin.so: this is no plugin: expected an ELF shared object, found a static archive");
}

TEST_F(PluginFileKindsTest, RefusesTheBeginningOfAHeader) {
  write(good_bytes().substr(0, 40));
  EXPECT_EQ(refusal(),
            "metadata: {folder}/plugin.so: this is no plugin: expected an ELF shared object, found the beginning of an "
            "ELF file, 40 bytes");
}

TEST_F(PluginFileKindsTest, RefusesATruncatedFile) {
  const std::string bytes = good_bytes();
  write(bytes.substr(0, bytes.size() - 100));
  EXPECT_EQ(refusal(), "metadata: {folder}/plugin.so: the ELF file is cut off: expected at least " +
                           std::to_string(bytes.size()) + " bytes, found " + std::to_string(bytes.size() - 100) +
                           " bytes");
}

TEST_F(PluginFileKindsTest, RefusesEveryTruncationWithoutACrash) {
  const std::string bytes = good_bytes();
  for (std::size_t length = 0; length < bytes.size(); length += 97) {
    write(bytes.substr(0, length));
    EXPECT_FALSE(probe_file(path()).has_value()) << length;
  }
}

TEST_F(PluginFileKindsTest, SurvivesEveryDamagedByteOfItsHeaders) {
  const std::string bytes = good_bytes();
  for (std::size_t i = 0; i < 1024; ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0xff);
    write(damaged);
    const auto info = probe_file(path());
    EXPECT_TRUE(!info.has_value() || info->size == bytes.size()) << i;
  }
}

TEST_F(PluginFileKindsTest, RefusesAnotherProcessor) {
  std::string bytes = good_bytes();
  bytes[18] = static_cast<char>(0xb7);  // e_machine: aarch64
  write(bytes);
  EXPECT_EQ(refusal(),
            "metadata: {folder}/plugin.so: the plugin is built for another processor: expected ELF64 x86-64, found "
            "ELF64 aarch64");
}

TEST_F(PluginFileKindsTest, RefusesA32BitFile) {
  std::string bytes = good_bytes();
  bytes[4] = 1;                                        // EI_CLASS: ELFCLASS32
  for (std::size_t i = 28; i < 52; ++i) bytes[i] = 0;  // no sections and segments
  write(bytes);
  EXPECT_EQ(refusal(),
            "metadata: {folder}/plugin.so: the plugin is built for another processor: expected ELF64 x86-64, found "
            "ELF32 x86-64");
}

TEST_F(PluginFileKindsTest, RefusesAnExecutable) {
  std::string bytes = good_bytes();
  bytes[16] = 2;  // e_type: ET_EXEC
  write(bytes);
  EXPECT_EQ(refusal(),
            "metadata: {folder}/plugin.so: this is no plugin: expected an ELF shared object, found an ELF executable");
}

TEST_F(PluginFileKindsTest, RefusesAPositionIndependentExecutable) {
  fs::create_symlink("/proc/self/exe", path());
  EXPECT_EQ(refusal(),
            "metadata: {folder}/plugin.so: this is no plugin: expected an ELF shared object, found an ELF executable");
}

TEST_F(PluginFileKindsTest, RefusesAnObjectFile) {
  std::string bytes = good_bytes();
  bytes[16] = 1;  // e_type: ET_REL
  write(bytes);
  EXPECT_EQ(refusal(),
            "metadata: {folder}/plugin.so: this is no plugin: expected an ELF shared object, found an ELF object file");
}

TEST_F(PluginFileKindsTest, RefusesAFolder) {
  fs::create_directory(path());
  EXPECT_EQ(refusal(),
            "metadata: {folder}/plugin.so: the plugin file cannot be used: expected a regular file, found a folder");
}

TEST_F(PluginFileKindsTest, RefusesAPipeWithoutWaitingForIt) {
  ASSERT_EQ(mkfifo(path().c_str(), 0600), 0);
  EXPECT_EQ(refusal(),
            "metadata: {folder}/plugin.so: the plugin file cannot be used: expected a regular file, found a pipe");
}

TEST_F(PluginFileKindsTest, RefusesALoopOfLinks) {
  fs::create_symlink("plugin.so", path());
  EXPECT_EQ(refusal(), "find: {folder}/plugin.so: the plugin file cannot be read: found a loop of symbolic links");
}

TEST_F(PluginFileKindsTest, RefusesAFileThatMayNotBeRead) {
  constexpr uid_t kNobody = 65534;
  write(good_bytes());
  fs::permissions(path(), fs::perms::none);
  const uid_t self = geteuid();  // root may read everything, hence as somebody else
  ASSERT_TRUE(self != 0 || seteuid(kNobody) == 0);
  const auto info = probe_file(path());
  ASSERT_TRUE(self != 0 || seteuid(self) == 0);
  EXPECT_EQ(info.status().code(), Code::kNoPermission);
  EXPECT_EQ(info.status().message(), path() +
                                         ": the plugin file cannot be read: found Permission denied; give this user "
                                         "read permission on it and on the folders above");
}

TEST_F(PluginFileKindsTest, RefusesAFileThatEveryoneCanWrite) {
  write(good_bytes());
  fs::permissions(path(), fs::perms::others_write, fs::perm_options::add);
  EXPECT_EQ(refusal(),
            "metadata: {folder}/plugin.so: the plugin file can be written by everyone; chmod o-w {folder}/plugin.so");
}

TEST_F(PluginFileKindsTest, RefusesAFileInAFolderThatEveryoneCanWriteEvenIfSticky) {
  write(good_bytes());
  fs::permissions(folder_.path(), fs::perms::others_write | fs::perms::sticky_bit, fs::perm_options::add);
  EXPECT_EQ(refusal(),
            "metadata: {folder}/plugin.so: the folder {folder} of the plugin file can be written by everyone; chmod "
            "o-w {folder}");
}

TEST_F(PluginFileKindsTest, RefusesALinkFromAFolderThatEveryoneCanWrite) {
  fs::create_symlink(BERTH_TEST_BROKEN_DIR "/libberth_plain.so", path());
  EXPECT_EQ(refusal(), "OK");
  fs::permissions(folder_.path(), fs::perms::others_write, fs::perm_options::add);
  EXPECT_EQ(refusal(),
            "metadata: {folder}/plugin.so: the folder {folder} of the plugin file can be written by everyone; chmod "
            "o-w {folder}");
}

TEST_F(PluginFileKindsTest, AcceptsThePinnedFileOnly) {
  const std::string bytes = good_bytes();
  write(bytes);
  const std::string hash = detail::sha256_hex(std::as_bytes(std::span(bytes)));
  EXPECT_EQ(refusal("sha256 = \"" + hash + "\"\n"), "OK");
  const std::string other(64, 'a');
  EXPECT_EQ(
      refusal("sha256 = \"" + other + "\"\n"),
      "metadata: {folder}/plugin.so: the plugin file is not the one that the registry file pins: expected sha256 " +
          other + ", found " + hash + "; install the pinned file, or update 'sha256' of its [[plugin]]");
}

TEST_F(PluginFileKindsTest, RefusesAFileReplacedAfterItWasChecked) {
  write(good_bytes());
  config("[[device]]\nid = \"npu:0\"\nplugin = \"./plugin.so\"\n");
  const auto loaded = load();
  ASSERT_TRUE(loaded.has_value()) << loaded.status().message();
  fs::remove(path());
  write(good_bytes());
  const auto device = loaded->registry()->find({"npu", 0});
  EXPECT_EQ(device.status().message(), options_.path + ":2:1, device npu:0, stage open: " + path() +
                                           ": the plugin file was replaced after it was checked; try again");
  EXPECT_TRUE(loaded->registry()->retry({"npu", 0}).ok());
}

// The linker keeps one mapping for each file, under the path by which it came first.
TEST_F(PluginFileKindsTest, OpensAFileAgainWhoseFirstPathIsGone) {
  write(good_bytes());
  fs::create_hard_link(path(), folder_.path() / "other.so");
  EXPECT_EQ(refusal(), "OK");
  fs::remove(path());
  config("[[device]]\nid = \"npu:0\"\nplugin = \"./other.so\"\n");
  const auto loaded = load();
  ASSERT_TRUE(loaded.has_value()) << loaded.status().message();
  const auto device = loaded->registry()->find({"npu", 0});
  EXPECT_TRUE(device.has_value()) << device.status().message();
  EXPECT_EQ(warnings().back(), "plugin file " + (folder_.path() / "other.so").string() + " was opened as " + path());
}

TEST_F(PluginFileKindsTest, SaysWhatAPluginSaysWithoutRunningIt) {
  const auto info = probe_file(BERTH_TEST_BROKEN_DIR "/libberth_aborts_when_opened.so");
  ASSERT_TRUE(info.has_value()) << info.status().message();
  EXPECT_FALSE(info->note.has_value());
  EXPECT_FALSE(info->usable.ok());
  EXPECT_TRUE(info->exports_query);

  const auto plain = probe_file(BERTH_TEST_BROKEN_DIR "/libberth_plain.so");
  ASSERT_TRUE(plain.has_value()) << plain.status().message();
  ASSERT_TRUE(plain->note.has_value());
  EXPECT_TRUE(plain->usable.ok()) << plain->usable.message();
  EXPECT_EQ(plain->note->name, "plain");
  EXPECT_EQ(plain->note->device_type, "broken");
  EXPECT_EQ(plain->note->version, "1.2.3");
  EXPECT_EQ(plain->elf_class, "ELF64");
  EXPECT_EQ(plain->type, "shared object");
  EXPECT_EQ(plain->sha256.size(), 64u);
  EXPECT_EQ(plain->exported, std::vector<std::string>{"berth_plugin_query"});
  EXPECT_FALSE(plain->static_tls);
}

TEST_F(PluginFileKindsTest, SeesStaticTlsAndDependencies) {
  const auto tls = probe_file(BERTH_TEST_BROKEN_DIR "/libberth_static_tls.so");
  ASSERT_TRUE(tls.has_value()) << tls.status().message();
  EXPECT_TRUE(tls->static_tls);
  const auto dependent = probe_file(BERTH_TEST_BROKEN_DIR "/libberth_missing_dependency.so");
  ASSERT_TRUE(dependent.has_value()) << dependent.status().message();
  EXPECT_NE(std::find(dependent->needed.begin(), dependent->needed.end(), "libberth_absent.so"),
            dependent->needed.end());
  const auto undefined = probe_file(BERTH_TEST_BROKEN_DIR "/libberth_undefined_symbol.so");
  ASSERT_TRUE(undefined.has_value()) << undefined.status().message();
  EXPECT_NE(std::find(undefined->undefined.begin(), undefined->undefined.end(), "berth_test_nowhere"),
            undefined->undefined.end());
}

TEST_F(PluginFileKindsTest, QueriesAPlugin) {
  const auto info = query_file(BERTH_TEST_PLUGIN_DIR "/libberth_cpu_mock.so");
  ASSERT_TRUE(info.has_value()) << info.status().message();
  EXPECT_EQ(info->name, "cpu_mock");
  EXPECT_EQ(info->abi_major, 1u);
  ASSERT_EQ(info->groups.size(), 13u);
  for (const PluginGroup& group : info->groups) EXPECT_TRUE(group.present) << group.name;
}

}  // namespace
}  // namespace berth::loader::test
