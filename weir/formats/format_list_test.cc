#include "weir/formats/format_list.h"

#include <gtest/gtest.h>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/testing/conformance.h"
#include "weir/testing/format_conformance.h"

namespace weir::formats {
namespace {
using testing::expect_error;
using testing::ScratchFolder;
using testing::write_string;

Match by_magic(const std::filesystem::path&, std::span<const std::byte> head) {
  return !head.empty() && head[0] == std::byte{'M'} ? Match::certain : Match::no;
}
Match by_name(const std::filesystem::path& path, std::span<const std::byte>) {
  return ends_with_ignoring_case(path.string(), ".nam") ? Match::by_name : Match::no;
}
std::unique_ptr<RecordingSource> open_nothing(const std::filesystem::path&, const OpenOptions&) {
  throw Error(ErrorCode::corrupt_data, "opened");
}
std::unique_ptr<RecordingWriter> create_nothing(const RecordingOutput&) {
  return nullptr;
}
std::unique_ptr<EventWriter> create_no_events(const EventOutput&) {
  return nullptr;
}

std::vector<EventStreamInfo> list_one(const std::filesystem::path&, const OpenOptions&) {
  EventStreamInfo info;
  info.name = "lines";
  return {info};
}
std::unique_ptr<EventSource> open_no_events(const std::filesystem::path& path,
                                            const OpenOptions& options) {
  choose_events(list_one(path, options), options.stream, path.string());
  throw Error(ErrorCode::corrupt_data, "opened events");
}

const Format kMagic{.name = "magic",
                    .summary = "",
                    .extensions = {".mag"},
                    .probe = &by_magic,
                    .open = &open_nothing,
                    .create = nullptr,
                    .create_events = &create_no_events,
                    .writer_bytes = nullptr,
                    .list_events = &list_one,
                    .open_events = &open_no_events};
const Format kNamed{.name = "named",
                    .summary = "",
                    .extensions = {".nam"},
                    .probe = &by_name,
                    .open = &open_nothing,
                    .create = &create_nothing,
                    .create_events = &create_no_events,
                    .writer_bytes = nullptr};
const FormatList kFormats({&kNamed, &kMagic});

TEST(FormatList, ListsByName) {
  ASSERT_EQ(kFormats.all().size(), 2U);
  EXPECT_EQ(kFormats.all()[0], &kMagic);
  EXPECT_EQ(kFormats.find("named"), &kNamed);
  EXPECT_EQ(kFormats.find("other"), nullptr);
}

TEST(FormatList, PrefersTheSurerFormat) {
  const ScratchFolder folder;
  write_string(folder / "a.nam", "M…");
  write_string(folder / "b.nam", "x");
  write_string(folder / "c.txt", "x");
  EXPECT_EQ(&kFormats.detect(folder / "a.nam"), &kMagic);
  EXPECT_EQ(&kFormats.detect(folder / "b.nam"), &kNamed);
  expect_error(ErrorCode::unsupported, "tried magic, named",
               [&] { kFormats.detect(folder / "c.txt"); });
  expect_error(ErrorCode::not_found, "d.nam", [&] { kFormats.detect(folder / "d.nam"); });
}

TEST(FormatList, OpensWithTheFormatAskedFor) {
  const ScratchFolder folder;
  write_string(folder / "a.nam", "x");
  expect_error(ErrorCode::corrupt_data, "opened",
               [&] { kFormats.open(folder / "a.nam", {}, "magic"); });
  expect_error(ErrorCode::invalid_spec, "\"other\" is not known",
               [&] { kFormats.open(folder / "a.nam", {}, "other"); });
}

TEST(FormatList, FindsTheEventsOfAPath) {
  const ScratchFolder folder;
  write_string(folder / "a.nam", "M…");
  write_string(folder / "b.nam", "x");
  EXPECT_EQ(kFormats.list_events(folder / "a.nam", {}).at(0).name, "lines");
  EXPECT_TRUE(kFormats.list_events(folder / "b.nam", {}).empty());
  expect_error(ErrorCode::corrupt_data, "opened events",
               [&] { kFormats.open_events(folder / "a.nam", {}); });
  expect_error(ErrorCode::corrupt_data, "opened events",
               [&] { kFormats.open_events(folder / "b.nam", {}, "magic"); });
  expect_error(ErrorCode::unsupported, "named brings no events",
               [&] { kFormats.open_events(folder / "b.nam", {}); });
  expect_error(ErrorCode::not_found, "no events called \"other\"",
               [&] { kFormats.open_events(folder / "a.nam", {.stream = "other", .raw = {}}); });
  expect_error(ErrorCode::not_found, "c.nam", [&] { kFormats.list_events(folder / "c.nam", {}); });
}

TEST(FormatList, PicksWritersByExtension) {
  EXPECT_EQ(&kFormats.for_recording("out/rec.NAM"), &kNamed);
  EXPECT_EQ(&kFormats.for_events("spikes.mag"), &kMagic);
  EXPECT_EQ(&kFormats.for_events("rec.nam/events/spikes"), &kNamed);
  EXPECT_EQ(&kFormats.for_recording("rec.xyz", "named"), &kNamed);
  expect_error(ErrorCode::invalid_spec, "known: .nam", [] { kFormats.for_recording("rec.mag"); });
  expect_error(ErrorCode::unsupported, "\"magic\"",
               [] { kFormats.for_recording("rec.mag", "magic"); });
  expect_error(ErrorCode::invalid_spec, "known: .mag",
               [] { kFormats.for_events("spikes.parquet"); });
}

}  // namespace
}  // namespace weir::formats
