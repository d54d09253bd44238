#include "weir/formats/text_encoding.h"

#include <gtest/gtest.h>

namespace weir::formats {
namespace {

TEST(TextEncoding, KeepsUtf8AndTakesOtherBytesForLatin1) {
  EXPECT_EQ(to_utf8("plain"), "plain");
  EXPECT_EQ(to_utf8("\u00b5V \u20ac \U0001F9E0"), "\u00b5V \u20ac \U0001F9E0");
  EXPECT_EQ(to_utf8("\xb5V"), "\u00b5V");
  EXPECT_EQ(to_utf8("M\xfcller"), "M\u00fcller");
}

TEST(TextEncoding, AcceptsNoMalformedSequence) {
  EXPECT_EQ(to_utf8("\xc3"), "\u00c3");                      // Cut short.
  EXPECT_EQ(to_utf8("\xc0\x80"), "\u00c0\u0080");            // Overlong.
  EXPECT_EQ(to_utf8("\xed\xa0\x80"), "\u00ed\u00a0\u0080");  // A surrogate.
  EXPECT_EQ(to_utf8("\xf5\x80\x80\x80").size(), 8U);         // Past U+10FFFF.
}

TEST(TextEncoding, ReadsUtf16) {
  EXPECT_EQ(from_utf16(std::string("A\0\xb5\0\xac\x20", 6)), "A\u00b5\u20ac");
  EXPECT_EQ(from_utf16("\x3e\xd8\xe0\xdd"), "\U0001F9E0");
  EXPECT_EQ(from_utf16("\x3e\xd8"), "\ufffd");
  EXPECT_EQ(from_utf16("\xe0\xddx"), "\ufffd");
}

TEST(TextEncoding, TakesUtf32ForWhatItIs) {
  EXPECT_EQ(from_utf32(std::string("\xb5\0\0\0V\0\0\0\x00\xf6\x01\0", 12)), "\u00b5V\U0001f600");
  EXPECT_EQ(from_utf32(std::string("\x00\xd8\0\0\xff\xff\xff\xff", 8)), "\ufffd\ufffd");
  EXPECT_EQ(from_utf32("abc"), "");
}

}  // namespace
}  // namespace weir::formats
