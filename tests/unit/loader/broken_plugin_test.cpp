// Plugin files that are wrong in one way each (tests/fixtures/plugins): the stage that refuses them, the code, and the
// whole message.
#include <gmock/gmock.h>

#include "berth/core/device_buffer.h"
#include "loader_fixture.h"
#include "plugin/plugin_note.h"

namespace berth::loader::test {
namespace {

struct BrokenCase {
  const char* name;
  LoadStage stage;
  Code code;
  const char* message;  // {file} is the plugin file, {config} the registry file
};

void PrintTo(const BrokenCase& broken, std::ostream* out) { *out << broken.name; }

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// "short_info" -> "ShortInfo".
std::string camel_case(const std::string& name) {
  std::string text;
  bool start = true;
  for (const char c : name) {
    if (c != '_') text += start ? static_cast<char>(std::toupper(c)) : c;
    start = c == '_';
  }
  return text;
}

class BrokenPluginTest : public LoaderTest, public ::testing::WithParamInterface<BrokenCase> {};

TEST_P(BrokenPluginTest, IsRefusedWithTheWholeStory) {
  const BrokenCase& broken = GetParam();
  const std::string file = std::string(BERTH_TEST_BROKEN_DIR "/libberth_") + broken.name + ".so";
  const std::string config_file = config("[[device]]\nid = \"npu:0\"\nplugin = \"" + file + "\"\n");
  const auto loaded = load();
  ASSERT_TRUE(loaded.has_value()) << loaded.status().message();
  const auto device = loaded->registry()->find({"npu", 0});
  ASSERT_FALSE(device.has_value());
  EXPECT_EQ(code_name(device.error().code()), std::string(code_name(broken.code)));
  std::string message = replaced(device.error().message(), file, "{file}");
  message = replaced(message, config_file, "{config}");
  const unsigned level = detail::host_traits().cpu_level;
  message = replaced(message, level <= 1 ? "x86-64 or" : "x86-64-v" + std::to_string(level) + " or", "{processor} or");
  const std::string sanitizer = detail::host_traits().sanitizer;
  message = replaced(message, "expected " + (sanitizer.empty() ? "a plugin without a sanitizer" : sanitizer) + ",",
                     "expected {sanitizer},");
  EXPECT_EQ(message, broken.message);

  const LoadRecord last = loaded->report().records.back();
  EXPECT_EQ(last.device, "npu:0");
  EXPECT_EQ(last.path_tried, broken.stage == LoadStage::kMetadata ? "" : file);
  EXPECT_EQ(stage_name(last.stage), std::string(stage_name(broken.stage)));
  EXPECT_EQ(last.status.message(), device.error().message());
}

class LyingPluginTest : public LoaderTest {};

TEST_F(LyingPluginTest, IsCaughtWithABlockOfUnknownFlags) {
  config("[[device]]\nid = \"npu:0\"\nplugin = \"" BERTH_TEST_BROKEN_DIR "/libberth_unknown_memory_flag.so\"\n");
  const auto loaded = load();
  ASSERT_TRUE(loaded.has_value()) << loaded.status().message();
  const auto device = loaded->registry()->find({"npu", 0});
  ASSERT_TRUE(device.has_value()) << device.status().message();
  const Status status = DeviceBuffer::allocate(*device, {.bytes = 64}).status();
  EXPECT_EQ(status.code(), Code::kPluginFault);
  EXPECT_THAT(
      status.message(),
      ::testing::EndsWith("plugin unknown_memory_flag, allocate: unknown flags of a block: expected no flag but "
                          "HAS_ADDRESS, found 128; report this to the plugin's author [ALLOC-09]"));
  EXPECT_EQ((*device)->statistics().current_count, 0u);
}

const BrokenCase kCases[] = {
    {"no_note", LoadStage::kMetadata, Code::kPluginFault,
     "{config}:2:1, device npu:0, stage metadata: {file}: this is no Berth plugin, or one without its metadata: "
     "expected the note .note.berth, found none [META-01]"},
    {"no_symbol", LoadStage::kMetadata, Code::kPluginFault,
     "{config}:2:1, device npu:0, stage metadata: {file}: the plugin lacks its entry point: expected the exported "
     "function berth_plugin_query, found none [META-04]"},
    {"wrong_major", LoadStage::kMetadata, Code::kUnsupported,
     "{config}:2:1, device npu:0, stage metadata: {file}: the plugin speaks another version of the plugin ABI: "
     "expected 1.0, found 2.0; use a newer Berth, or a plugin built for this one"},
    {"newer_minor", LoadStage::kMetadata, Code::kUnsupported,
     "{config}:2:1, device npu:0, stage metadata: {file}: the plugin speaks another version of the plugin ABI: "
     "expected 1.0, found 1.7 to 1.9; use a newer Berth, or a plugin built for this one"},
    {"newer_processor", LoadStage::kMetadata, Code::kUnsupported,
     "{config}:2:1, device npu:0, stage metadata: {file}: the plugin is built for a newer processor: expected "
     "{processor} or older, found x86-64-v9; build the plugin with a lower -march"},
    {"other_sanitizer", LoadStage::kMetadata, Code::kUnsupported,
     "{config}:2:1, device npu:0, stage metadata: {file}: the plugin is built with a sanitizer that this program was "
     "not built with: expected {sanitizer}, found memory; build both with it, or neither"},
    {"aborts_when_opened", LoadStage::kMetadata, Code::kPluginFault,
     "{config}:2:1, device npu:0, stage metadata: {file}: this is no Berth plugin, or one without its metadata: "
     "expected the note .note.berth, found none [META-01]"},
    {"undefined_symbol", LoadStage::kOpen, Code::kDependencyMissing,
     "{config}:2:1, device npu:0, stage open: {file}: the system cannot open the plugin file: found undefined symbol: "
     "berth_test_nowhere; install the library version that defines it, or rebuild the plugin"},
    {"missing_dependency", LoadStage::kOpen, Code::kDependencyMissing,
     "{config}:2:1, device npu:0, stage open: {file}: the system cannot open the plugin file: found "
     "libberth_absent.so: cannot open shared object file: No such file or directory; install the missing library, or "
     "add its folder to the system's library path"},
    {"static_tls", LoadStage::kOpen, Code::kDependencyMissing,
     "{config}:2:1, device npu:0, stage open: {file}: the system cannot open the plugin file: found cannot allocate "
     "memory in static TLS block; raise glibc.rtld.optional_static_tls in GLIBC_TUNABLES, or open this plugin before "
     "others"},
    {"refuses_version", LoadStage::kVersion, Code::kUnsupported,
     "{config}:2:1, device npu:0, stage version: {file}: plugin refuses_version, query: this plugin wants ABI 3.0"},
    {"answers_major_2", LoadStage::kVersion, Code::kPluginFault,
     "{config}:2:1, device npu:0, stage version: {file}: plugin answers_major_2, query: the plugin chose a version "
     "that one side does not speak: expected version 1.0 or an older one that both speak, found version 2.0; report "
     "this to the plugin's author [QUERY-02]"},
    {"answers_version_0", LoadStage::kVersion, Code::kPluginFault,
     "{config}:2:1, device npu:0, stage version: {file}: plugin answers_version_0, query: the plugin answered version "
     "0: it did not fill in its version: expected version 1.0, found version 0.0; report this to the plugin's author "
     "[QUERY-02]"},
    {"short_info", LoadStage::kVersion, Code::kPluginFault,
     "{config}:2:1, device npu:0, stage version: {file}: plugin short_info, query: the plugin filled less than ABI 1.0 "
     "asks for: expected 296 bytes, found 40 bytes; report this to the plugin's author [QUERY-01]"},
    {"unterminated_name", LoadStage::kTable, Code::kPluginFault,
     "{config}:2:1, device npu:0, stage table: {file}: plugin unterminated_name, query: the plugin does not say who it "
     "is: expected terminated texts, name and device type not empty, found a text without an end; report this to the "
     "plugin's author [QUERY-03]"},
    {"disagrees_with_note", LoadStage::kTable, Code::kPluginFault,
     "{config}:2:1, device npu:0, stage table: {file}: plugin disagrees_with_note, query: the plugin's answer and the "
     "note in its file disagree: expected name 'disagrees_with_note', device type 'broken', ABI 1.0 to 1.0, found name "
     "'disagrees_with_note', device type 'another', ABI 1.0 to 1.0; report this to the plugin's author [META-03]"},
    {"no_table", LoadStage::kTable, Code::kPluginFault,
     "{config}:2:1, device npu:0, stage table: {file}: plugin no_table, query: the plugin gave no function table: "
     "expected a pointer to its table, found null; report this to the plugin's author [QUERY-04]"},
    {"short_table", LoadStage::kTable, Code::kPluginFault,
     "{config}:2:1, device npu:0, stage table: {file}: plugin short_table, query: the function table ends before the "
     "required groups: expected at least 40 bytes, found 16 bytes; report this to the plugin's author [QUERY-04]"},
    {"null_function", LoadStage::kTable, Code::kPluginFault,
     "{config}:2:1, device npu:0, stage table: {file}: plugin null_function, query: the plugin lacks required "
     "functions: expected all of instance, device, memory and copy, found no memory.free; report this to the plugin's "
     "author [QUERY-04]"},
    {"missing_group", LoadStage::kTable, Code::kPluginFault,
     "{config}:2:1, device npu:0, stage table: {file}: plugin missing_group, query: the plugin lacks required "
     "functions: expected all of instance, device, memory and copy, found no copy.to_device, copy.to_host; report this "
     "to the plugin's author [QUERY-04]"},
    {"half_group", LoadStage::kTable, Code::kPluginFault,
     "{config}:2:1, device npu:0, stage table: {file}: plugin half_group, query: the plugin has a part of a group: "
     "expected all functions of a group, or none, found no staging.host_free; report this to the plugin's author "
     "[QUERY-05]"},
    {"async_without_queue", LoadStage::kTable, Code::kPluginFault,
     "{config}:2:1, device npu:0, stage table: {file}: plugin async_without_queue, query: the plugin has a group "
     "without another that it needs: expected queue beside async, queue and peer beside queue_peer, found async "
     "without queue; report this to the plugin's author [QUERY-06]"},
    {"query_throws", LoadStage::kVersion, Code::kPluginFault,
     "{config}:2:1, device npu:0, stage version: {file}: plugin query_throws, query: the plugin let an exception out: "
     "expected none, found something that is no std::exception; report this to the plugin's author [ERROR-04]"},
    {"create_gives_null", LoadStage::kInstance, Code::kPluginFault,
     "{config}:2:1, device npu:0, stage instance: plugin create_gives_null, create: the plugin answered success and "
     "gave nothing: expected a pointer, found null; report this to the plugin's author [ERROR-05]"},
    {"open_gives_null", LoadStage::kDevice, Code::kPluginFault,
     "{config}:2:1, device npu:0, stage device: plugin open_gives_null, open: the plugin answered success and gave "
     "nothing: expected a pointer, found null; report this to the plugin's author [ERROR-05]"},
    {"open_throws", LoadStage::kDevice, Code::kPluginFault,
     "{config}:2:1, device npu:0, stage device: plugin open_throws, open: the plugin let an exception out: expected "
     "none, found something that is no std::exception; report this to the plugin's author [ERROR-04]"},
    {"no_devices", LoadStage::kDevice, Code::kPluginFault,
     "{config}:2:1, device npu:0, stage device: plugin no_devices, count: the plugin answered success and no devices: "
     "expected at least 1, or NO_DEVICE, found 0; report this to the plugin's author [DEVICE-01]"},
    {"bad_description", LoadStage::kDevice, Code::kPluginFault,
     "{config}:2:1, device npu:0, stage device: plugin bad_description, describe: an impossible description of device "
     "0: expected terminated texts and known qualities, found an unknown quality; report this to the plugin's author "
     "[DEVICE-02]"},
    {"no_kinds", LoadStage::kDevice, Code::kPluginFault,
     "{config}:2:1, device npu:0, stage device: plugin no_kinds, properties: an impossible kind_count: expected 1 to "
     "1024, found 0; report this to the plugin's author [PROP-01]"},
    {"odd_alignment", LoadStage::kDevice, Code::kPluginFault,
     "{config}:2:1, device npu:0, stage device: plugin odd_alignment, properties: an impossible bind_alignment: "
     "expected a power of two, found 48; report this to the plugin's author [PROP-01]"},
    {"bit_without_group", LoadStage::kDevice, Code::kPluginFault,
     "{config}:2:1, device npu:0, stage device: plugin bit_without_group, properties: a capability bit without its "
     "group in the table: expected the group, or a clear bit, found bit 8; report this to the plugin's author "
     "[PROP-02]"},
    {"half_native", LoadStage::kDevice, Code::kPluginFault,
     "{config}:2:1, device npu:0, stage device: plugin half_native, get_extension: the extension berth.native has a "
     "part of its functions: expected device, memory and queue, found a null pointer; report this to the plugin's "
     "author [QUERY-05]"},
    {"other_code", LoadStage::kDevice, Code::kPluginFault,
     "{config}:2:1, device npu:0, stage device: plugin other_code, open: the plugin returned one code and wrote "
     "another: expected code 0x401, found code 0x503; report this to the plugin's author [ERROR-01]"},
    {"unknown_class", LoadStage::kDevice, Code::kPluginFault,
     "{config}:2:1, device npu:0, stage device: plugin unknown_class, open: the plugin returned a code of no known "
     "class: expected a class from 1 to 6, found code 0x4201; report this to the plugin's author [ERROR-03]"},
    {"endless_message", LoadStage::kDevice, Code::kPluginFault,
     "{config}:2:1, device npu:0, stage device: plugin endless_message, open: the plugin wrote a message without an "
     "end: expected a terminating zero byte, found none; report this to the plugin's author [ERROR-02]"},
};

INSTANTIATE_TEST_SUITE_P(Kinds, BrokenPluginTest, ::testing::ValuesIn(kCases),
                         [](const auto& test) { return camel_case(test.param.name); });

}  // namespace
}  // namespace berth::loader::test
