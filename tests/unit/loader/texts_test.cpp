// Small parsers and writers: sizes, identities, lists, nearest words, text from plugins.
#include <gtest/gtest.h>

#include <array>

#include "plugin/identity_text.h"
#include "plugin/plugin_note.h"
#include "plugin/plugin_options.h"
#include "plugin/sha256.h"
#include "plugin/text.h"
#include "registry/size_text.h"
#include "registry/source_text.h"

namespace berth::loader::detail {
namespace {

std::optional<std::uint64_t> size_of(std::string_view text) {
  std::string hint;
  return parse_size(text, hint);
}

TEST(SizeTextTest, ReadsEveryUnit) {
  EXPECT_EQ(size_of("0B"), 0u);
  EXPECT_EQ(size_of("4096B"), 4096u);
  EXPECT_EQ(size_of("64KiB"), 65536u);
  EXPECT_EQ(size_of("512MiB"), 512u << 20);
  EXPECT_EQ(size_of("8 GiB"), std::uint64_t{8} << 30);
  EXPECT_EQ(size_of("16777215TiB"), std::uint64_t{16777215} << 40);
}

TEST(SizeTextTest, RefusesWhatIsNoSize) {
  for (const char* text : {"", "B", "1", "1 b", "1KB", "1kib", "-1B", "+1B", "1.5GiB", "1GiB ", " 1GiB", "0x1B",
                           "16777216TiB", "18446744073709551616B", "1 G i B"}) {
    EXPECT_FALSE(size_of(text).has_value()) << text;
  }
}

TEST(SizeTextTest, HintsAtTheUnitThatWasMeant) {
  std::string hint;
  EXPECT_FALSE(parse_size("1kb", hint).has_value());
  EXPECT_EQ(hint, "write KiB");
  EXPECT_FALSE(parse_size("1", hint).has_value());
  EXPECT_EQ(hint, "add a unit");
  EXPECT_FALSE(parse_size("18446744073709551616B", hint).has_value());
  EXPECT_EQ(hint, "the largest size is 16777215TiB");
}

TEST(IdentityTextTest, ReadsUuidsInAllSpellings) {
  const std::string digits = "f81d4fae7dec11d0a76500a0c91e6bf6";
  for (const char* text : {"f81d4fae-7dec-11d0-a765-00a0c91e6bf6", "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6",
                           "GPU-f81d4fae-7dec-11d0-a765-00a0c91e6bf6", "{f81d4fae-7dec-11d0-a765-00a0c91e6bf6}",
                           "urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6", "f81d4fae7dec11d0a76500a0c91e6bf6"}) {
    EXPECT_EQ(parse_uuid_prefix(text), digits) << text;
  }
  EXPECT_EQ(parse_uuid_prefix("GPU-f81d"), "f81d");
  for (const char* text : {"", "-", "GPU-", "{}", "xyz", "f81d4fae7dec11d0a76500a0c91e6bf60"}) {
    EXPECT_FALSE(parse_uuid_prefix(text).has_value()) << text;
  }
}

TEST(IdentityTextTest, WritesUuids) {
  std::array<std::uint8_t, 16> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * 17);
  EXPECT_EQ(uuid_text(bytes), "00112233-4455-6677-8899-aabbccddeeff");
}

TEST(IdentityTextTest, ReadsPciAddressesInAllSpellings) {
  EXPECT_EQ(parse_pci("65:00.0"), "0000:65:00.0");
  EXPECT_EQ(parse_pci("0000:C1:1f.7"), "0000:c1:1f.7");
  EXPECT_EQ(parse_pci("00000000:65:00.0"), "0000:65:00.0");
  EXPECT_EQ(parse_pci("10000:65:00.0"), "00010000:65:00.0");
  for (const char* text :
       {"", "65", "65:00", "65.0", "0000:65:20.0", "65:00.8", "65:00.", ":00.0", "1:2:3:4.0", "165:00.0", "65:00.0x"}) {
    EXPECT_FALSE(parse_pci(text).has_value()) << text;
  }
}

TEST(SourceTextTest, WritesListsAndPlaces) {
  EXPECT_EQ(list_text({}, "or"), "none");
  EXPECT_EQ(list_text({"a"}, "or"), "a");
  EXPECT_EQ(list_text({"a", "b"}, "or"), "a or b");
  EXPECT_EQ(list_text({"a", "b", "c"}, "and"), "a, b and c");
  EXPECT_EQ(place_text("f", {}), "f");
  EXPECT_EQ(place_text("f", {2, 7}), "f:2:7");
}

TEST(SourceTextTest, FindsTheNearestWord) {
  const std::vector<std::string> words = {"policy", "plugin", "pool", "id"};
  EXPECT_EQ(nearest("polcy", words), "policy");
  EXPECT_EQ(nearest("plguin", words), "plugin");
  EXPECT_EQ(nearest("di", words), "id");
  EXPECT_EQ(nearest("weather", words), "");
  EXPECT_EQ(nearest(std::string(1000, 'p'), words), "");
}

TEST(PluginTextTest, CleansWhatPluginsWrite) {
  EXPECT_EQ(clean_text("a\nb\tc\x7f"), "a b c ");
  EXPECT_EQ(clean_text("gr\xc3\xbc\xc3\x9f"), "gr\xc3\xbc\xc3\x9f");
  EXPECT_EQ(clean_text("\xff\xc0\x80 \xed\xa0\x80 \xe2\x82"), "??? ??? ??");
  EXPECT_EQ(clean_text("\xf0\x9f\x9a\xa2 \xf4\x90\x80\x80"), "\xf0\x9f\x9a\xa2 ????");
}

TEST(PluginTextTest, SeesTextsWithoutAnEnd) {
  const std::array<char, 3> full = {'a', 'b', 'c'};
  const std::array<char, 3> ended = {'a', '\0', 'c'};
  EXPECT_FALSE(text_in(full.data(), full.size()).has_value());
  EXPECT_EQ(text_in(ended.data(), ended.size()), "a");
}

TEST(PluginTextTest, HashesBytes) {
  EXPECT_EQ(sha256_hex({}), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(PluginOptionsTest, WritesEqualSetsEqually) {
  const std::vector<PluginOption> one = {{"a", std::int64_t{1}}, {"b", true}};
  const std::vector<PluginOption> other = {{"b", true}, {"a", std::int64_t{1}}};
  EXPECT_EQ(canonical_text(one), canonical_text(other));
}

TEST(PluginOptionsTest, WritesDifferentSetsDifferently) {
  const std::vector<std::vector<PluginOption>> sets = {{},
                                                       {{"a", std::int64_t{1}}},
                                                       {{"a", true}},
                                                       {{"a", 1.0}},
                                                       {{"a", std::string("1")}},
                                                       {{"a", std::string("int:1")}},
                                                       {{"a", std::string("1\nb=int:2")}},
                                                       {{"a", std::string("1")}, {"b", std::int64_t{2}}}};
  for (std::size_t i = 0; i < sets.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(canonical_text(sets[i]), canonical_text(sets[j])) << i << " " << j;
  }
}

PluginNote good_note() {
  PluginNote note;
  note.abi_major = 1;
  note.name = "a";
  note.device_type = "b";
  return note;
}

TEST(PluginNoteTest, JudgesProcessors) {
  PluginNote note = good_note();
  note.cpu_baseline = "x86-64-v3";
  EXPECT_TRUE(judge_note(note, {.cpu_level = 3, .sanitizer = {}}).ok());
  EXPECT_TRUE(judge_note(note, {.cpu_level = 4, .sanitizer = {}}).ok());
  EXPECT_EQ(judge_note(note, {.cpu_level = 2, .sanitizer = {}}).message(),
            "the plugin is built for a newer processor: expected x86-64-v2 or older, found x86-64-v3; build the plugin "
            "with a lower -march");
  EXPECT_EQ(judge_note(note, {.cpu_level = 1, .sanitizer = {}}).message(),
            "the plugin is built for a newer processor: expected x86-64 or older, found x86-64-v3; build the plugin "
            "with a lower -march");
}

TEST(PluginNoteTest, JudgesSanitizers) {
  PluginNote note = good_note();
  EXPECT_TRUE(judge_note(note, {.cpu_level = 1, .sanitizer = "address"}).ok());
  note.sanitizer = "address";
  EXPECT_TRUE(judge_note(note, {.cpu_level = 1, .sanitizer = "address"}).ok());
  EXPECT_EQ(judge_note(note, {.cpu_level = 1, .sanitizer = {}}).message(),
            "the plugin is built with a sanitizer that this program was not built with: expected a plugin without a "
            "sanitizer, found address; build both with it, or neither");
}

TEST(PluginNoteTest, JudgesVersions) {
  PluginNote note = good_note();
  note.abi_minor_max = 5;  // newer, but content with an older host
  EXPECT_TRUE(judge_note(note, {.cpu_level = 1, .sanitizer = {}}).ok());
  note.abi_major = 0;
  EXPECT_EQ(judge_note(note, {.cpu_level = 1, .sanitizer = {}}).message(),
            "the plugin speaks another version of the plugin ABI: expected 1.0, found 0.0 to 0.5; use a plugin built "
            "for this Berth");
}

}  // namespace
}  // namespace berth::loader::detail
