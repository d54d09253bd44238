#include "weir/core/text.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "weir/testing/conformance.h"

namespace weir {
namespace {

using testing::expect_error;

TEST(Text, TrimsAndSplits) {
  EXPECT_EQ(trimmed(" \t a b\r\n"), "a b");
  EXPECT_EQ(trimmed(" \n"), "");
  EXPECT_EQ(split("a,,b,", ','), (std::vector<std::string>{"a", "", "b", ""}));
  EXPECT_EQ(split("", ','), (std::vector<std::string>{""}));
  EXPECT_TRUE(ends_with_ignoring_case("REC.EDF", ".edf"));
  EXPECT_FALSE(ends_with_ignoring_case("df", ".edf"));
}

TEST(Text, ReadsWholeNumbersOnly) {
  EXPECT_EQ(parse_integer(" +42 "), 42);
  EXPECT_EQ(parse_integer("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(parse_number("1e-3"), 1e-3);
  for (const char* text : {"", " ", "12x", "1.5", "9223372036854775808", "0x10"}) {
    expect_error(ErrorCode::invalid_spec, std::string("\"") + text + "\" is not a whole number",
                 [=] { parse_integer(text); });
  }
  expect_error(ErrorCode::invalid_spec, "\"1,5\" is not a number", [] { parse_number("1,5"); });
}

TEST(Text, FilesAreReplacedWholeAndLeaveNoPartialFile) {
  const std::string path = ::testing::TempDir() + "/weir_text_test.txt";
  write_text_file(path, "first");
  write_text_file(path, "second");
  EXPECT_EQ(read_text_file(path), "second");
  EXPECT_FALSE(std::filesystem::exists(path + ".weir-partial"));
  expect_error(ErrorCode::corrupt_data, path + ": longer than 3 bytes",
               [&] { read_text_file(path, 3); });
  expect_error(ErrorCode::not_found, "/nowhere/file", [] { read_text_file("/nowhere/file"); });
  expect_error(ErrorCode::not_found, "/nowhere/file", [] { write_text_file("/nowhere/file", ""); });
}

TEST(Text, PrintableTextMovesNoCursor) {
  EXPECT_EQ(printable("µV 日本 a\\b"), "µV 日本 a\\b");
  EXPECT_EQ(printable("a\x1b[31mb\n\t\r\x7f"), "a\\x1b[31mb\\n\\t\\r\\x7f");
  EXPECT_EQ(printable("a\nb\r", "\n"), "a\nb\\r");
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
  EXPECT_EQ(printable("\xc2\x9b"
                      "0m"),
            "\\u009b0m");
  EXPECT_EQ(printable("\x9b"
                      "0m\xff\xc2"),
            "\\x9b0m\\xff\\xc2");
  EXPECT_EQ(printable(""), "");
}

TEST(Text, GroupsDigitsAndTellsDurations) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(-1234567), "-1,234,567");
  EXPECT_EQ(duration_text(0.25), "250 ms");
  EXPECT_EQ(duration_text(3.44), "3.4 s");
  EXPECT_EQ(duration_text(62), "1 min 02 s");
  EXPECT_EQ(duration_text(3720), "1 h 02 min");
}

}  // namespace
}  // namespace weir
