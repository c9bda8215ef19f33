// Every kind of mistake in a registry file: the whole message.
#include <gtest/gtest.h>

#include "loader_fixture.h"
#include "registry/read_config.h"

namespace berth::loader::test {
namespace {

struct MistakeCase {
  const char* name;
  const char* text;
  const char* message;  // after "devices.toml:"
};

void PrintTo(const MistakeCase& mistake, std::ostream* out) { *out << mistake.name; }

class ConfigMistakesTest : public ::testing::TestWithParam<MistakeCase> {};

TEST_P(ConfigMistakesTest, AreToldInFull) {
  const EnvironmentLookup no_environment = [](std::string_view) { return std::optional<std::string>(); };
  const auto read = detail::read_config(GetParam().text, "/x/devices.toml", no_environment);
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().code(), Code::kInvalidConfig);
  EXPECT_EQ(read.error().origin(), Origin::kRegistry);
  EXPECT_EQ(read.error().message(), std::string("/x/devices.toml:") + GetParam().message);
}

// The library walks nested tables recursively; a long dotted key used to overflow the stack.
TEST(ConfigDepthTest, RefusesDottedKeysThatNestTooDeep) {
  std::string text = "version = 1\n";
  for (int level = 0; level < 200000; ++level) text += "a.";
  const auto read = detail::read_config(text + "b = 1\n", "/x/devices.toml",
                                        [](std::string_view) { return std::optional<std::string>(); });
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().code(), Code::kInvalidConfig);
  EXPECT_EQ(read.error().message(),
            "/x/devices.toml:2:1: a dotted key nests too deep: expected at most 1000 dots in a line, found 200000");
}

// A good entry to put a mistake into.
#define DEVICE "version = 1\n[[device]]\nid = \"cuda:0\"\nplugin = \"cpu_mock\"\n"

const MistakeCase kCases[] = {
    {"NoToml", "version = = 1",
     "1:11: this is not valid TOML: found Error while parsing value: could not determine value type"},
    {"DuplicateKey", "version = 1\nversion = 1\n",
     "2:11: this is not valid TOML: found Error while parsing key-value pair: cannot redefine existing integer "
     "'version'"},
    {"DuplicateKeyInAnEntry", DEVICE "id = \"cuda:1\"\n",
     "5:6: this is not valid TOML: found Error while parsing key-value pair: cannot redefine existing string 'id'"},
    {"DuplicateTable", "version = 1\n[host]\n[host]\n",
     "3:1: this is not valid TOML: found Error while parsing table header: cannot redefine existing table 'host'"},
    {"NoVersion", "",
     "1:1: the registry file does not say its version: expected version = 1; add it as the first line"},
    {"OtherVersion", "version = 2\nfuture = true\n",
     "1:11: the version of this registry file is not known here: expected version 1, found version 2; use a Berth that "
     "reads it, or write version = 1"},
    {"VersionOfAnotherType", "version = \"1\"\n",
     "1:11: wrong type of 'version' in the top level: expected the integer 1, found a string"},
    {"UnknownTopKey", "version = 1\ncolour = 1\n",
     "2:1: unknown key in the top level: expected one of version, plugins, host, types, plugin and device, found "
     "'colour'"},
    {"MisspeltTopTable", "version = 1\n[hosts]\n",
     "2:2: unknown key in the top level: expected one of version, plugins, host, types, plugin and device, found "
     "'hosts'; write 'host'"},
    {"UnknownKey", DEVICE "weather = 1\n",
     "5:1: unknown key in [[device]]: expected one of id, plugin, ordinal, uuid, pci, policy, fallback, shared, "
     "allow_software, claim, limit, pool and options, found 'weather'"},
    {"MisspeltKey", DEVICE "polcy = \"optional\"\n",
     "5:1: unknown key in [[device]]: expected one of id, plugin, ordinal, uuid, pci, policy, fallback, shared, "
     "allow_software, claim, limit, pool and options, found 'polcy'; write 'policy'"},
    {"MisplacedKey", "version = 1\n[plugins]\nlimit = \"1GiB\"\n",
     "3:1: misplaced key in [plugins]: expected path, found 'limit'; move it to [host] or [[device]]"},
    {"MisplacedDeviceKeyAtTheTop", "version = 1\nfallback = \"mock:0\"\n",
     "2:1: misplaced key in the top level: expected one of version, plugins, host, types, plugin and device, found "
     "'fallback'; move it to [[device]]"},
    {"FirstOfTwoMistakes", DEVICE "shared = 1\nweather = 1\n",
     "5:10: wrong type of 'shared' in [[device]]: expected true or false, found an integer"},
    {"SingleDeviceTable", "version = 1\n[device]\nid = \"cuda:0\"\n",
     "2:1: a single table where there can be several: expected [[device]], found [device]; double the brackets"},
    {"SinglePluginTable", "version = 1\n[plugin]\nname = \"a\"\n",
     "2:1: a single table where there can be several: expected [[plugin]], found [plugin]; double the brackets"},
    {"SeveralHostTables", "version = 1\n[[host]]\n[[host]]\n",
     "2:1: several tables where there can be one: expected [host], found [[host]]; use single brackets, once"},
    {"DeviceOfAnotherType", "version = 1\ndevice = \"cuda:0\"\n",
     "2:10: wrong type of 'device' in the top level: expected tables, each under [[device]], found a string"},
    {"DeviceListOfAnotherType", "version = 1\ndevice = [1]\n",
     "2:11: wrong type in 'device' in the top level: expected a table under [[device]], found an integer"},
    {"HostOfAnotherType", "version = 1\nhost = \"32GiB\"\n",
     "2:8: wrong type of 'host' in the top level: expected a table under [host], found a string"},
    {"PathOfAnotherType", "version = 1\n[plugins]\npath = \"plugins\"\n",
     "3:8: wrong type of 'path' in [plugins]: expected an array, found a string"},
    {"FolderOfAnotherType", "version = 1\n[plugins]\npath = [1]\n",
     "3:9: wrong folder in 'path' in [plugins]: expected the path of a folder, as a string, found an integer"},
    {"EmptyFolder", "version = 1\n[plugins]\npath = [\"\"]\n",
     "3:9: wrong folder in 'path' in [plugins]: expected the path of a folder, as a string, found no usable path"},
    {"SizeWithoutUnit", DEVICE "limit = \"8\"\n",
     "5:9: wrong size of 'limit' in [[device]]: expected a whole number and one of B, KiB, MiB, GiB and TiB, such as "
     "\"8GiB\", found \"8\"; add a unit"},
    {"SizeWithDecimalUnit", DEVICE "limit = \"8GB\"\n",
     "5:9: wrong size of 'limit' in [[device]]: expected a whole number and one of B, KiB, MiB, GiB and TiB, such as "
     "\"8GiB\", found \"8GB\"; write GiB"},
    {"SizeWithUnknownUnit", DEVICE "limit = \"8 parsecs\"\n",
     "5:9: wrong size of 'limit' in [[device]]: expected a whole number and one of B, KiB, MiB, GiB and TiB, such as "
     "\"8GiB\", found \"8 parsecs\""},
    {"SizeAsInteger", DEVICE "limit = 8\n",
     "5:9: wrong type of 'limit' in [[device]]: expected a whole number and one of B, KiB, MiB, GiB and TiB, such as "
     "\"8GiB\", found an integer"},
    {"SizeWithFraction", "version = 1\n[host]\nlimit = \"1.5GiB\"\n",
     "3:9: wrong size of 'limit' in [host]: expected a whole number and one of B, KiB, MiB, GiB and TiB, such as "
     "\"8GiB\", found \"1.5GiB\""},
    {"SizeTooLarge", "version = 1\n[host]\nlimit = \"16777216TiB\"\n",
     "3:9: wrong size of 'limit' in [host]: expected a whole number and one of B, KiB, MiB, GiB and TiB, such as "
     "\"8GiB\", found \"16777216TiB\"; the largest size is 16777215TiB"},
    {"NegativeSize", "version = 1\n[host]\nlimit = \"-1GiB\"\n",
     "3:9: wrong size of 'limit' in [host]: expected a whole number and one of B, KiB, MiB, GiB and TiB, such as "
     "\"8GiB\", found \"-1GiB\""},
    {"BuiltInType", "version = 1\n[types]\n1 = \"npu\"\n",
     "3:1: wrong key in [types]: expected a device type byte from 2 to 255; 0 is cpu and 1 is cuda, built in, found "
     "'1'"},
    {"TypeByteOutOfRange", "version = 1\n[types]\n256 = \"npu\"\n",
     "3:1: wrong key in [types]: expected a device type byte from 2 to 255; 0 is cpu and 1 is cuda, built in, found "
     "'256'"},
    {"TypeNameOfAnotherType", "version = 1\n[types]\n2 = 3\n",
     "3:1: wrong type of '2' in [types]: expected the name of a device type, as a string, found an integer"},
    {"WrongTypeName", "version = 1\n[types]\n2 = \"NPU\"\n",
     "3:1: wrong name of a device type in [types]: expected lower-case letters, digits and underscores, other than cpu "
     "and cuda, found \"NPU\""},
    {"TypeNameTwice", "version = 1\n[types]\n2 = \"npu\"\n3 = \"npu\"\n",
     "4:1: the same name twice in [types]: expected a name of its own for each device type byte, found \"npu\" for 2 "
     "and 3"},
    {"PluginWithoutName", "version = 1\n[[plugin]]\nfile = \"cpu_mock\"\n",
     "2:1: [[plugin]] without 'name'; add name = \"...\", which [[device]] refers to"},
    {"PluginWithoutFile", "version = 1\n[[plugin]]\nname = \"mock\"\n",
     "2:1: [[plugin]] without 'file'; add file = \"cpu_mock\" or a path with a slash"},
    {"EmptyPluginName", "version = 1\n[[plugin]]\nname = \"\"\nfile = \"cpu_mock\"\n",
     "3:8: 'name' in [[plugin]] is empty; add name = \"...\", which [[device]] refers to"},
    {"PluginNameTwice", "version = 1\n[[plugin]]\nname = \"a\"\nfile = \"x\"\n[[plugin]]\nname = \"a\"\nfile = \"y\"\n",
     "6:8: the name of a [[plugin]] twice: expected a name of its own for each [[plugin]], found \"a\", as in line 3"},
    {"PluginFileName", "version = 1\n[[plugin]]\nname = \"a\"\nfile = \"libberth_cuda.so\"\n",
     "4:8: wrong plugin file in 'file': expected a bare name or a path with a slash, found \"libberth_cuda.so\"; write "
     "\"cuda\" to look for libberth_cuda.so on the search path, or \"./libberth_cuda.so\" for this file"},
    {"PluginFileWithASpace", "version = 1\n[[plugin]]\nname = \"a\"\nfile = \"cpu mock\"\n",
     "4:8: wrong plugin file in 'file': expected letters, digits, '_', '-' and '.', or a path with a slash, found "
     "\"cpu mock\""},
    {"WrongHash", "version = 1\n[[plugin]]\nname = \"a\"\nfile = \"x\"\nsha256 = \"123\"\n",
     "5:10: wrong 'sha256' in [[plugin]]: expected 64 hex digits, found 3 characters: \"123\"; take what sha256sum "
     "prints for the file"},
    {"OptionsOfAnotherType", "version = 1\n[[plugin]]\nname = \"a\"\nfile = \"x\"\noptions = 1\n",
     "5:11: wrong type of 'options' in [[plugin]]: expected a table, found an integer"},
    {"OptionOfAnotherType", DEVICE "options = { list = [1] }\n",
     "5:20: option 'list' in [[device]]: expected a boolean, an integer, a floating-point number or a string, found an "
     "array"},
    {"DateOption", DEVICE "options = { day = 2026-01-01 }\n",
     "5:19: option 'day' in [[device]]: expected a boolean, an integer, a floating-point number or a string, found a "
     "date or time"},
    {"NullCharacter", DEVICE "options = { text = \"a\\u0000b\" }\n", "5:13: a null character in option 'text'"},
    {"NullCharacterInAPath", DEVICE "claim = \"a\\u0000b\"\n", "5:9: a null character in 'claim'"},
    {"DeviceWithoutId", "version = 1\n[[device]]\nplugin = \"cpu_mock\"\n",
     "2:1: [[device]] without 'id'; add id = \"cuda:0\" or what programs ask for"},
    {"DeviceWithoutPlugin", "version = 1\n[[device]]\nid = \"cuda:0\"\n",
     "2:1: [[device]] without 'plugin'; add plugin = \"cpu_mock\" or the name of a [[plugin]]"},
    {"WrongId", "version = 1\n[[device]]\nid = \"CUDA:0\"\nplugin = \"cpu_mock\"\n",
     "3:6: wrong 'id' in [[device]]: the type name does not start with a lower-case letter: expected a type name and "
     "an index such as cuda:0, found \"CUDA:0\""},
    {"HostId", "version = 1\n[[device]]\nid = \"cpu:0\"\nplugin = \"cpu_mock\"\n",
     "3:6: wrong 'id' in [[device]]: expected another id than cpu:0, which is built in, found \"cpu:0\"; set [host] "
     "limit to bound the memory of cpu:0"},
    {"IdOfAnotherType", "version = 1\n[[device]]\nid = 0\nplugin = \"cpu_mock\"\n",
     "3:6: wrong type of 'id' in [[device]]: expected a string, found an integer"},
    {"IdTwice", DEVICE "[[device]]\nid = \"cuda:0\"\nplugin = \"cpu_mock\"\nordinal = 1\n",
     "6:6: the id of a [[device]] twice: expected an id of its own for each [[device]], found \"cuda:0\", as in line "
     "3"},
    {"TwoIdentities", DEVICE "ordinal = 0\nuuid = \"GPU-1\"\n",
     "6:1: two identities in one [[device]]: expected one of ordinal, uuid and pci, found 'ordinal' and 'uuid'; remove "
     "one of them"},
    {"NegativeOrdinal", DEVICE "ordinal = -1\n",
     "5:11: wrong 'ordinal' in [[device]]: expected a whole number from 0 to 4294967295, found -1"},
    {"OrdinalOfAnotherType", DEVICE "ordinal = \"0\"\n",
     "5:11: wrong type of 'ordinal' in [[device]]: expected an integer or { env = \"VARIABLE\" }, found a string"},
    {"OrdinalFromNowhere", DEVICE "ordinal = { }\n",
     "5:11: 'ordinal' of [[device]] without 'env'; write ordinal = { env = \"VARIABLE\" }"},
    {"OrdinalFromAMisspeltKey", DEVICE "ordinal = { evn = \"RANK\" }\n",
     "5:13: unknown key in 'ordinal' of [[device]]: expected env, found 'evn'; write 'env'"},
    {"WrongUuid", DEVICE "uuid = \"GPU-xyz\"\n",
     "5:8: wrong 'uuid' in [[device]]: expected a UUID or its beginning, such as "
     "\"GPU-f81d4fae-7dec-11d0-a765-00a0c91e6bf6\", found \"GPU-xyz\"; `berth devices` lists the UUIDs there are"},
    {"WrongPci", DEVICE "pci = \"65:00\"\n",
     "5:7: wrong 'pci' in [[device]]: expected a PCI address such as \"0000:65:00.0\", found \"65:00\"; `berth "
     "devices` lists the addresses there are"},
    {"WrongPolicy", DEVICE "policy = \"optinal\"\n",
     "5:10: wrong 'policy' in [[device]]: expected \"required\" or \"optional\", found \"optinal\"; write 'optional'"},
    {"PolicyBesideFallback",
     DEVICE "policy = \"optional\"\nfallback = \"mock:0\"\n[[device]]\nid = \"mock:0\"\nplugin = \"cpu_mock\"\n",
     "5:1: 'policy' beside 'fallback' in one [[device]]: expected one of them, found both; remove 'policy': an entry "
     "with a fallback has none"},
    {"SharedOfAnotherType", DEVICE "shared = \"yes\"\n",
     "5:10: wrong type of 'shared' in [[device]]: expected true or false, found a string"},
    {"PoolOfAnotherKind", DEVICE "pool = { kind = \"arena\" }\n",
     "5:17: wrong 'kind' of 'pool' in [[device]]: expected \"none\", the only kind of pool in this version, found "
     "\"arena\"; write pool = { kind = \"none\" }"},
    {"PoolWithoutKind", DEVICE "pool = { }\n",
     "5:8: 'pool' of [[device]] without 'kind'; write pool = { kind = \"none\" }"},
    {"PoolOfAnotherType", DEVICE "pool = \"none\"\n",
     "5:8: wrong type of 'pool' in [[device]]: expected a table, found a string"},
    {"UnknownFallback",
     DEVICE "fallback = \"mok:0\"\n[[device]]\nid = \"mock:0\"\nplugin = \"cpu_mock\"\nordinal = 1\n",
     "5:12: 'fallback' of [[device]] cuda:0 is no entry of this file: expected cuda:0 or mock:0, found \"mok:0\"; "
     "write 'mock:0'"},
    {"FallbackToItself", DEVICE "fallback = \"cuda:0\"\n",
     "5:12: fallbacks go round in a circle: expected a last entry without 'fallback', found cuda:0 -> cuda:0; remove "
     "one of these 'fallback' keys"},
    {"FallbackToTheHost", DEVICE "fallback = \"cpu:0\"\n",
     "5:12: wrong 'fallback' in [[device]]: expected another id than cpu:0, which is built in, found \"cpu:0\"; name "
     "another [[device]]"},
    {"CycleOfFallbacks",
     DEVICE
     "fallback = \"mock:0\"\n[[device]]\nid = \"mock:0\"\nplugin = \"cpu_mock\"\nordinal = 1\nfallback = \"cuda:0\"\n",
     "5:12: fallbacks go round in a circle: expected a last entry without 'fallback', found cuda:0 -> mock:0 -> "
     "cuda:0; remove one of these 'fallback' keys"},
};

INSTANTIATE_TEST_SUITE_P(Kinds, ConfigMistakesTest, ::testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace berth::loader::test
