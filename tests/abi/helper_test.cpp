// The author helper: errors, structs that grow, options, the note and the query; the exception barrier of C++.
#include <berth/plugin_helper.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "fixtures/note_in_c.h"

namespace {

berth_error dirty_error() {
  berth_error error;
  std::memset(&error, 0xA5, sizeof(error));
  return error;
}

TEST(FailTest, WritesEveryField) {
  berth_error error = dirty_error();
  EXPECT_EQ(berth_fail(&error, BERTH_TOO_LARGE, "%d is above %d", 3, 2), BERTH_TOO_LARGE);
  EXPECT_EQ(error.code, BERTH_TOO_LARGE);
  EXPECT_EQ(error.flags, 0U);
  EXPECT_EQ(error.native_code, 0);
  EXPECT_EQ(error.option_index, -1);
  EXPECT_EQ(error.reserved, 0U);
  EXPECT_STREQ(error.message, "3 is above 2");
}

TEST(FailTest, KeepsTheDriversCodeAndTheOptionsIndex) {
  berth_error error = dirty_error();
  berth_fail_native(&error, BERTH_DRIVER_FAILED, BERTH_ERROR_RETRYABLE, -5, "x");
  EXPECT_EQ(error.native_code, -5);
  EXPECT_EQ(error.flags, BERTH_ERROR_RETRYABLE);
  EXPECT_EQ(error.option_index, -1);
  berth_fail_option(&error, BERTH_NOT_UNDERSTOOD, 3, "x");
  EXPECT_EQ(error.option_index, 3);
  EXPECT_EQ(error.native_code, 0);
}

TEST(FailTest, CutsLongTextAtAWholeCharacter) {
  berth_error error = dirty_error();
  for (std::size_t before = 505; before <= 512; ++before) {
    for (const std::string letter : {"e", "\u00e9", "\u20ac", "\U0001F600"}) {
      const std::string text = std::string(before, '.') + letter;
      berth_fail(&error, BERTH_TOO_LARGE, "%s%s", text.c_str(), "tail of the text");
      const std::string got = error.message;
      EXPECT_LE(got.size(), 511U);
      const std::string full = text + "tail of the text";
      EXPECT_EQ(got, full.substr(0, got.size()));
      const unsigned char next = static_cast<unsigned char>(full[got.size()]);
      EXPECT_NE(next & 0xC0U, 0x80U) << "cut inside a character after " << before;
      EXPECT_GE(got.size(), 508U);
    }
  }
}

TEST(SetTextTest, TerminatesAndClearsTheRest) {
  char out[8];
  std::memset(out, 'x', sizeof(out));
  berth_set_text(out, sizeof(out), "ab");
  EXPECT_EQ(std::string(out, 8), std::string("ab\0\0\0\0\0\0", 8));
  berth_set_text(out, sizeof(out), "1234567890");
  EXPECT_STREQ(out, "1234567");
  berth_set_text(out, sizeof(out), "123456\u00e9");
  EXPECT_STREQ(out, "123456");
}

// What a host of another minor passes: the struct of 1.0 with one more field.
struct LongerArgs {
  berth_queue_args known;
  std::uint64_t later;
};

TEST(ReadArgsTest, AcceptsALongerStructWhoseTailIsZero) {
  LongerArgs args{{sizeof(LongerArgs), 7, 0}, 0};
  berth_queue_args known;
  berth_error error = dirty_error();
  EXPECT_EQ(BERTH_READ_ARGS(known, &args.known, BERTH_QUEUE_ARGS_1_0, &error), BERTH_OK);
  EXPECT_EQ(known.flags, 7U);
  EXPECT_EQ(error.code, static_cast<berth_code>(0xA5A5A5A5)) << "untouched on success";
}

TEST(ReadArgsTest, RefusesATailThatIsNotZero) {
  LongerArgs args{{sizeof(LongerArgs), 0, 0}, std::uint64_t{1} << 56};
  berth_queue_args known;
  berth_error error = dirty_error();
  EXPECT_EQ(BERTH_READ_ARGS(known, &args.known, BERTH_QUEUE_ARGS_1_0, &error), BERTH_NOT_UNDERSTOOD);
  EXPECT_STREQ(error.message, "&args.known: byte 23 is set, and this plugin knows only 16 bytes of it");
}

TEST(ReadArgsTest, ReadsMissingFieldsAsZero) {
  const berth_queue_args args{sizeof(args), 7, 0};
  LongerArgs known;
  std::memset(&known, 0xA5, sizeof(known));
  berth_error error = dirty_error();
  EXPECT_EQ(berth_read_args(&known, sizeof(known), &args, BERTH_QUEUE_ARGS_1_0, "args", &error), BERTH_OK);
  EXPECT_EQ(known.known.flags, 7U);
  EXPECT_EQ(known.later, 0U);
}

TEST(ReadArgsTest, RefusesLessThanVersionOne) {
  const berth_queue_args args{12, 0, 0};
  berth_queue_args known;
  berth_error error = dirty_error();
  EXPECT_EQ(BERTH_READ_ARGS(known, &args, BERTH_QUEUE_ARGS_1_0, &error), BERTH_INVALID_ARGUMENT);
  EXPECT_STREQ(error.message, "&args: struct_size is 12, expected at least 16");
}

TEST(AnswerTest, FillsWhatFitsAndSaysHowMuch) {
  struct LongerInfo {
    berth_heap_properties known;
    std::uint64_t later;
  };
  const LongerInfo full{{0, 1, 0, 99}, 42};
  berth_heap_properties out{sizeof(out), 0, 0, 0};
  berth_error error = dirty_error();
  EXPECT_EQ(BERTH_ANSWER(&out, full, BERTH_HEAP_PROPERTIES_1_0, &error), BERTH_OK);
  EXPECT_EQ(out.struct_size, sizeof(out));
  EXPECT_EQ(out.total_bytes, 99U);
  LongerInfo larger{{sizeof(LongerInfo), 0, 0, 0}, 7};
  EXPECT_EQ(BERTH_ANSWER(&larger, full.known, BERTH_HEAP_PROPERTIES_1_0, &error), BERTH_OK);
  EXPECT_EQ(larger.known.struct_size, sizeof(berth_heap_properties));
  EXPECT_EQ(larger.later, 7U) << "beyond what is known nothing is touched";
  out.struct_size = 16;
  out.total_bytes = 5;
  EXPECT_EQ(BERTH_ANSWER(&out, full, BERTH_HEAP_PROPERTIES_1_0, &error), BERTH_INVALID_ARGUMENT);
  EXPECT_STREQ(error.message, "&out: struct_size offers 16 bytes, expected at least 24");
  EXPECT_EQ(out.total_bytes, 5U);
}

TEST(CheckFlagsTest, NamesTheUnknownOnes) {
  berth_error error = dirty_error();
  EXPECT_EQ(berth_check_flags(3, 3, "map", &error), BERTH_OK);
  EXPECT_EQ(berth_check_flags(11, 3, "map", &error), BERTH_NOT_UNDERSTOOD);
  EXPECT_STREQ(error.message, "map: flags 0x8 are unknown, known are 0x3");
}

TEST(OptionHelperTest, ChecksTypesAndRanges) {
  berth_option options[4] = {};
  options[0].key = "on";
  options[0].type = BERTH_OPTION_BOOL;
  options[0].value.boolean = 1;
  options[1].key = "many";
  options[1].type = BERTH_OPTION_INT;
  options[1].value.integer = 12;
  options[2].key = "name";
  options[2].type = BERTH_OPTION_STRING;
  options[2].value.string = "x";
  options[3].key = "odd";
  options[3].type = 9;
  berth_error error = dirty_error();
  std::uint32_t on = 0;
  std::int64_t many = 0;
  const char* name = nullptr;
  EXPECT_EQ(berth_option_bool(options, 0, &on, &error), BERTH_OK);
  EXPECT_EQ(on, 1U);
  EXPECT_EQ(berth_option_int(options, 1, 0, 12, &many, &error), BERTH_OK);
  EXPECT_EQ(many, 12);
  EXPECT_EQ(berth_option_string(options, 2, &name, &error), BERTH_OK);
  EXPECT_STREQ(name, "x");
  EXPECT_EQ(berth_option_int(options, 1, 0, 11, &many, &error), BERTH_INVALID_ARGUMENT);
  EXPECT_STREQ(error.message, "option 'many': expected 0 to 11, found 12");
  EXPECT_EQ(error.option_index, 1);
  EXPECT_EQ(berth_option_bool(options, 3, &on, &error), BERTH_NOT_UNDERSTOOD);
  EXPECT_STREQ(error.message, "option 'odd': expected bool, found unknown");
  EXPECT_EQ(berth_option_unknown(options, 3, "on, many, name", &error), BERTH_NOT_UNDERSTOOD);
  EXPECT_STREQ(error.message, "unknown option 'odd'; known are: on, many, name");
}

berth_query_args query(std::uint32_t major, std::uint32_t minor_min, std::uint32_t minor_max) {
  berth_query_args args{};
  args.struct_size = sizeof(args);
  args.abi_major = major;
  args.abi_minor_min = minor_min;
  args.abi_minor_max = minor_max;
  return args;
}

TEST(NoteTest, HoldsThePublishedBytes) {
  const berth_note& note = *note_in_c();
  EXPECT_EQ(note.owner_bytes, 6U);
  EXPECT_EQ(note.body_bytes, 304U);
  EXPECT_EQ(note.type, 1U);
  EXPECT_EQ(std::string(note.owner, 8), std::string("Berth\0\0\0", 8));
  EXPECT_EQ(note.layout, 1U);
  EXPECT_EQ(note.abi_major, BERTH_ABI_MAJOR);
  EXPECT_STREQ(note.name, "in_c");
  EXPECT_STREQ(note.device_type, "example");
  EXPECT_STREQ(note.version, "2.5");
  EXPECT_STREQ(note.vendor, "Somebody");
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&note) % 4, 0U);
}

TEST(QueryHelperTest, ChoosesTheNewestCommonMinor) {
  berth_error error = dirty_error();
  for (const auto& [minor_max, chosen] : {std::pair{2U, 2U}, {4U, 4U}, {9U, 5U}}) {
    berth_plugin_info info{};
    info.struct_size = sizeof(info);
    const berth_query_args args = query(1, 0, minor_max);
    ASSERT_EQ(query_in_c(&args, &info, &error), BERTH_OK);
    EXPECT_EQ(info.abi_minor, chosen);
    EXPECT_EQ(info.abi_minor_min, 2U);
    EXPECT_EQ(info.abi_minor_max, 5U);
    EXPECT_EQ(info.flags, BERTH_PLUGIN_DRIVER_STARTS_THREADS);
    EXPECT_STREQ(info.name, "in_c");
  }
}

TEST(QueryHelperTest, NamesBothRangesWhenTheyDoNotMeet) {
  struct Case {
    berth_query_args args;
    const char* message;
  };
  for (const Case& one : {Case{query(2, 0, 9), "plugin in_c speaks ABI 1.2 to 1.5, the host 2.0 to 2.9"},
                          Case{query(1, 0, 1), "plugin in_c speaks ABI 1.2 to 1.5, the host 1.0 to 1.1"},
                          Case{query(1, 6, 9), "plugin in_c speaks ABI 1.2 to 1.5, the host 1.6 to 1.9"}}) {
    berth_error error = dirty_error();
    berth_plugin_info info{};
    info.struct_size = sizeof(info);
    EXPECT_EQ(query_in_c(&one.args, &info, &error), BERTH_VERSION_MISMATCH);
    EXPECT_STREQ(error.message, one.message);
    EXPECT_STREQ(info.name, "");
  }
  berth_error error = dirty_error();
  berth_plugin_info info{};
  info.struct_size = sizeof(info);
  const berth_query_args upside_down = query(1, 3, 2);
  EXPECT_EQ(query_in_c(&upside_down, &info, &error), BERTH_INVALID_ARGUMENT);
}

TEST(GuardTest, TurnsExceptionsIntoErrors) {
  using berth::plugin::Failure;
  using berth::plugin::guard;
  berth_error error = dirty_error();
  EXPECT_EQ(guard(&error, [] {}), BERTH_OK);
  EXPECT_EQ(guard(&error, [] { return BERTH_NOT_READY; }), BERTH_NOT_READY);
  EXPECT_EQ(guard(&error, [] { throw Failure(BERTH_TOO_LARGE, "big", BERTH_ERROR_RETRYABLE, 4).at_option(2); }),
            BERTH_TOO_LARGE);
  EXPECT_STREQ(error.message, "big");
  EXPECT_EQ(error.flags, BERTH_ERROR_RETRYABLE);
  EXPECT_EQ(error.native_code, 4);
  EXPECT_EQ(error.option_index, 2);
  EXPECT_EQ(guard(&error, [] { throw std::bad_alloc(); }), BERTH_OUT_OF_HOST_MEMORY);
  EXPECT_STREQ(error.message, "the host is out of memory");
  EXPECT_EQ(guard(&error, [] { throw std::runtime_error("oops"); }), BERTH_PLUGIN_FAULT);
  EXPECT_STREQ(error.message, "unexpected exception: oops");
  EXPECT_EQ(guard(&error, [] { throw 5; }), BERTH_PLUGIN_FAULT);
  EXPECT_STREQ(error.message, "unexpected exception of unknown type");
}

TEST(CodeTest, ClassesAreInTheHighByte) {
  EXPECT_EQ(BERTH_CLASS_OF(BERTH_OK), BERTH_CLASS_OK);
  EXPECT_EQ(BERTH_CLASS_OF(BERTH_NOT_READY), BERTH_CLASS_OK);
  EXPECT_GT(BERTH_NOT_READY, 0);
  EXPECT_EQ(BERTH_CLASS_OF(BERTH_NOT_UNDERSTOOD), BERTH_CLASS_ARGUMENT);
  EXPECT_EQ(BERTH_CLASS_OF(BERTH_TIMEOUT), BERTH_CLASS_STATE);
  EXPECT_EQ(BERTH_CLASS_OF(BERTH_TOO_LARGE), BERTH_CLASS_RESOURCE);
  EXPECT_EQ(BERTH_CLASS_OF(BERTH_NO_PERMISSION), BERTH_CLASS_UNAVAILABLE);
  EXPECT_EQ(BERTH_CLASS_OF(BERTH_EARLIER_WORK), BERTH_CLASS_DEVICE);
  EXPECT_EQ(BERTH_CLASS_OF(BERTH_PLUGIN_FAULT), BERTH_CLASS_PLUGIN);
}

}  // namespace
