#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <sstream>
#include <thread>

#include "npy/element.h"
#include "progress.h"
#include "report/probe_report.h"
#include "report/table.h"
#include "report/text.h"

namespace berth::cli {
namespace {

TEST(TextTest, WritesSizesWithAUnit) {
  EXPECT_EQ(bytes_text(std::uint64_t{0}), "0 B");
  EXPECT_EQ(bytes_text(std::uint64_t{1023}), "1023 B");
  EXPECT_EQ(bytes_text(std::uint64_t{1024}), "1 KiB");
  EXPECT_EQ(bytes_text(std::uint64_t{10 * 1024 + 512}), "10.5 KiB");
  EXPECT_EQ(bytes_text(UINT64_MAX), "16 EiB");
  EXPECT_EQ(bytes_text(std::optional<std::uint64_t>()), "unknown");
}

TEST(TextTest, WritesDurationsWithAUnit) {
  EXPECT_EQ(duration_text(999), "999 ns");
  EXPECT_EQ(duration_text(1'500), "1.5 us");
  EXPECT_EQ(duration_text(2'000'000), "2 ms");
  EXPECT_EQ(duration_text(61'000'000'000), "61 s");
}

TEST(TextTest, SaysAFallbackOnce) {
  EXPECT_EQ(fallback_text("cuda:0", "mock:0", "fallback: no driver"), "cuda:0 falls back to mock:0: no driver");
  EXPECT_EQ(fallback_text("cuda:0", "cuda:3", "--map"), "cuda:0 falls back to cuda:3: --map");
}

TEST(TableTest, AlignsColumnsAndPaintsCells) {
  Table table({"NAME", ">BYTES", "REMARK"});
  table.add({"größer", "7", ""});
  table.add({"b", "1000", "text"});
  table.paint(0, &Style::good);
  std::ostringstream plain;
  table.print(plain, Style{});
  EXPECT_EQ(plain.str(),
            "  NAME    BYTES  REMARK\n"
            "  größer      7  -\n"
            "  b        1000  text\n");
  std::ostringstream coloured;
  table.print(coloured, Style{true}, 0);
  EXPECT_EQ(coloured.str(),
            "NAME    BYTES  REMARK\n"
            "größer      7  -\n"
            "\033[32mb\033[0m        1000  text\n");
}

template <typename T>
std::string shown(program::ScalarType type, T value) {
  std::byte bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  return element_text(element_at(type, bytes));
}

TEST(ElementTest, ShowsEveryType) {
  using program::ScalarType;
  EXPECT_EQ(shown(ScalarType::kFloat, 0.1F), "0.1");
  EXPECT_EQ(shown(ScalarType::kDouble, -1e300), "-1e+300");
  EXPECT_EQ(shown(ScalarType::kLong, INT64_MIN), "-9223372036854775808");
  EXPECT_EQ(shown(ScalarType::kUInt64, UINT64_MAX), "18446744073709551615");
  EXPECT_EQ(shown(ScalarType::kChar, std::int8_t{-5}), "-5");
  EXPECT_EQ(shown(ScalarType::kByte, std::uint8_t{200}), "200");
  EXPECT_EQ(shown(ScalarType::kBool, std::uint8_t{2}), "true");
  EXPECT_EQ(shown(ScalarType::kHalf, std::uint16_t{0xC000}), "-2");
  EXPECT_EQ(shown(ScalarType::kHalf, std::uint16_t{0x0001}), "5.96046e-08");
  EXPECT_EQ(shown(ScalarType::kHalf, std::uint16_t{0x7C00}), "inf");
  EXPECT_EQ(shown(ScalarType::kHalf, std::uint16_t{0x7E00}), "nan");
  EXPECT_EQ(shown(ScalarType::kBFloat16, std::uint16_t{0x3FC0}), "1.5");
  EXPECT_EQ(shown(ScalarType::kQInt8, std::uint8_t{0xA5}), "0xa5");
}

TEST(ProgressTest, IsSilentWithinASecond) {
  std::ostringstream out;
  {
    ErrorStream err(out);
    Progress progress(err, "short work");
  }
  EXPECT_EQ(out.str(), "");
}

TEST(ProgressTest, SpeaksAfterASecond) {
  std::ostringstream out;
  {
    ErrorStream err(out);
    Progress progress(err, "long work");
    progress.now("run 2 of 3");
    std::this_thread::sleep_for(std::chrono::milliseconds(1300));
  }
  EXPECT_EQ(out.str(), "... run 2 of 3 (1 s)\n");
}

TEST(ProbeReportTest, SaysWhatThePluginChangedInTheProcess) {
  ProbeReport report;
  report.query.emplace().process_changes = {"the locale", "the signal actions of SIGFPE"};
  std::ostringstream out;
  print_text(out, report, Style{});
  EXPECT_NE(out.str().find("the locale, the signal actions of SIGFPE\n"), std::string::npos) << out.str();
}

}  // namespace
}  // namespace berth::cli
