#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "weir/pipeline/input/exact_time_internal.h"
#include "weir/pipeline/input/input.h"
#include "weir/pipeline/input/path_pattern.h"
#include "weir/testing/conformance.h"
#include "weir/testing/format_conformance.h"

namespace weir::pipeline {
namespace {
using ::testing::ElementsAre;
using weir::testing::expect_error;
using weir::testing::ScratchFolder;
using weir::testing::write_string;

TEST(InputFiles, GlobsAreSorted) {
  const ScratchFolder folder;
  for (const auto* name : {"b.bin", "a2.bin", "a10.bin", "note.txt", ".hidden.bin"}) {
    write_string(folder / name, "x");
  }
  EXPECT_THAT(expand_path("*.bin", folder.path()),
              ElementsAre(folder / "a10.bin", folder / "a2.bin", folder / "b.bin"));
  EXPECT_THAT(expand_path("a?.bin", folder.path()), ElementsAre(folder / "a2.bin"));
  EXPECT_THAT(expand_path("./none.bin", folder.path()), ElementsAre(folder / "none.bin"));
  expect_error(ErrorCode::not_found, "path: no file matches ",
               [&] { expand_path("*.dat", folder.path()); });
}

TEST(InputFiles, NamesWithGlobCharactersAreTakenAsTheyAre) {
  const ScratchFolder folder;
  const auto inner = folder / "run[1]";
  std::filesystem::create_directory(inner);
  write_string(inner / "a*.bin", "x");
  write_string(inner / "ab.bin", "x");
  EXPECT_THAT(expand_path("a*.bin", inner), ElementsAre(inner / "a*.bin"));
  EXPECT_THAT(expand_path("a?.bin", inner), ElementsAre(inner / "a*.bin", inner / "ab.bin"));
  const std::string absolute = absolute_pattern("a?.bin", inner);
  EXPECT_THAT(expand_path(absolute, "/"), ElementsAre(inner / "a*.bin", inner / "ab.bin"));
}

TEST(InputFiles, RefuseMissingAndRepeatedFiles) {
  const ScratchFolder folder;
  write_string(folder / "a.bin", "x");
  const formats::FormatList none({});
  Read read;
  read.path = {"missing.bin"};
  expect_error(ErrorCode::not_found, "missing.bin",
               [&] { open_inputs(read, folder.path(), none, nullptr); });
  read.path = {"a.bin", "*.bin"};
  expect_error(ErrorCode::invalid_spec, "a.bin is named twice",
               [&] { open_inputs(read, folder.path(), none, nullptr); });
  read.path = {"a.bin"};
  expect_error(ErrorCode::unsupported, "a.bin: no known format",
               [&] { open_inputs(read, folder.path(), none, nullptr); });
}

TEST(InputFiles, IdentityTellsChangedEndsAndSizes) {
  const ScratchFolder folder;
  const auto path = folder / "a.bin";
  std::string text(300'000, 'x');
  const auto hash = [&] {
    write_string(path, text);
    return input_identity(path).at("xxh3_of_ends").as_string();
  };
  const std::string first = hash();
  EXPECT_EQ(first.size(), 16);
  EXPECT_EQ(input_identity(path).at("bytes").as_integer(), 300'000);
  text[65'535] = 'y';
  const std::string head = hash();
  EXPECT_NE(head, first);
  text[300'000 - 65'536] = 'y';
  EXPECT_NE(hash(), head);
  const std::string both = hash();
  text[150'000] = 'y';
  EXPECT_EQ(hash(), both) << "the middle is not read";
  EXPECT_THAT(input_identity(path).at("modified").as_string(),
              ::testing::MatchesRegex("....-..-..T..:..:..\\..........Z"));
  expect_error(ErrorCode::not_found, "none.bin", [&] { input_identity(folder / "none.bin"); });
}

TEST(InputFiles, IdentityOfShortFilesReadsEveryByteOnce) {
  const ScratchFolder folder;
  const auto hash = [&](std::size_t size, std::size_t changed) {
    std::string text(size, 'x');
    text[changed] = 'y';
    write_string(folder / "a", text);
    return input_identity(folder / "a").at("xxh3_of_ends").as_string();
  };
  for (const std::size_t size : {std::size_t{1000}, std::size_t{65'536}, std::size_t{100'000}}) {
    EXPECT_NE(hash(size, 0), hash(size, size - 1)) << size;
    EXPECT_NE(hash(size, 0), hash(size, size / 2)) << size;
  }
}

TEST(InputFiles, IdentityOfAFolderTellsItsFiles) {
  const ScratchFolder folder;
  std::filesystem::create_directory(folder / "s");
  write_string(folder / "s/zarr.json", "{}");
  write_string(folder / "s/c0", "data");
  const auto hash = [&] { return input_identity(folder / "s").at("xxh3_of_ends").as_string(); };
  const std::string first = hash();
  EXPECT_EQ(input_identity(folder / "s").at("bytes").as_integer(), 6);
  write_string(folder / "s/zarr.json", "[]");
  const std::string other = hash();
  EXPECT_NE(other, first);
  write_string(folder / "s/c1", "");
  EXPECT_NE(hash(), other);
}

TEST(ExactTime, ReadsMoments) {
  EXPECT_EQ(parse_moment("1970-01-02T00:00:01Z")->seconds, Rational(86401));
  EXPECT_TRUE(parse_moment("1970-01-02T00:00:01Z")->to_the_second);
  EXPECT_EQ(parse_moment("1970-01-01 00:00:00.25")->seconds, Rational(1, 4));
  EXPECT_FALSE(parse_moment("1970-01-01 00:00:00.25")->to_the_second);
  EXPECT_EQ(parse_moment("1970-01-01T01:30:00+01:30")->seconds, Rational(0));
  EXPECT_EQ(parse_moment("1970-01-01T00:00:00-0100")->seconds, Rational(3600));
  for (const auto* text : {"", "yesterday", "1970-13-01T00:00:00", "1970-01-01", "1970-01-01T00:00",
                           "1970-01-01T00:00:00X", "1970-02-30T00:00:00Z"}) {
    EXPECT_FALSE(parse_moment(text)) << text;
  }
}

TEST(ExactTime, FallsBackToNanoseconds) {
  const SampleRate odd = SampleRate::from_hz(30000.123456789);
  const Rational awkward = Rational::from_decimal(1.234567890123456);
  const Rational sum = time_sum(awkward, time_of(12345, odd));
  EXPECT_NEAR(sum.to_double(), 1.234567890123456 + 12345 / 30000.123456789, 2e-9);
  EXPECT_EQ(nearest_frames(time_of(12345, odd), odd), 12345);
  EXPECT_EQ(ceil_frames(sum, odd), 49383);
}

}  // namespace
}  // namespace weir::pipeline
