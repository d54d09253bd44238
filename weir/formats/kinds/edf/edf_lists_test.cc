#include "weir/formats/kinds/edf/edf_lists.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "weir/core/error.h"
#include "weir/formats/annotations_of.h"
#include "weir/formats/kinds/edf/edf.h"
#include "weir/testing/conformance.h"
#include "weir/testing/format_conformance.h"

namespace weir::formats {
namespace {
using testing::expect_error;
using testing::ScratchFolder;

/// Two segments with a gap between them, that start at a third of a second of their own clock.
RecordingOutput output_at(const std::filesystem::path& path) {
  auto output = testing::awkward_output(path, SampleType::int16, 2);
  output.stream.rate = SampleRate::from_hz(500);
  output.stream.segments = {Segment{.frames = 1000, .start_s = Rational(1, 3)},
                            Segment{.frames = 1650, .start_s = Rational(10), .index = 1}};
  return output;
}

void write_all(const RecordingOutput& output) {
  const auto writer = edf_format().create(output);
  for (std::int64_t s = 0; s < std::ssize(output.stream.segments); ++s) {
    testing::append_samples(*writer, output, 100, false, s, 0,
                            output.stream.segments[static_cast<std::size_t>(s)].frames);
    writer->end_segment();
  }
  writer->commit("{}");
}

/// The same texts at the same times, to half a sample.
void expect_read_back(const RecordingOutput& output) {
  const auto source = edf_format().open_events(output.path, {.stream = "annotations", .raw = {}});
  testing::check_event_source(*source);
  EXPECT_TRUE(source->info().warnings.empty()) << source->info().warnings.front();
  std::vector<Annotation> found;
  for (auto& each : annotations_of(*source)) {
    if (each.text != "filled up from here on") {
      found.push_back(std::move(each));
    }
  }
  ASSERT_EQ(found.size(), output.annotations.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Annotation& expected = output.annotations[i];
    EXPECT_EQ(found[i].text, expected.text);
    EXPECT_NEAR(found[i].onset_s.to_double(), expected.onset_s.to_double(), 1e-3) << i;
    EXPECT_NEAR(found[i].duration_s.value_or(Rational(0)).to_double(),
                expected.duration_s.value_or(Rational(0)).to_double(), 1e-3)
        << i;
  }
}

TEST(EdfLists, AreReadBackAtTheirTimes) {
  const ScratchFolder folder;
  for (const char* name : {"a.edf", "a.bdf"}) {
    SCOPED_TRACE(name);
    auto output = output_at(folder / name);
    output.annotations = {{Rational(1, 3), {}, "start"},
                          {Rational(1, 2), Rational(1, 4), "µ, \"quoted\""},
                          {Rational(10), {}, "after the gap"},
                          {Rational(131, 10), {}, "near the end"}};
    write_all(output);
    expect_read_back(output);
  }
}

/// Many at once wait for room in later records, and the last record takes what is left.
TEST(EdfLists, TakeTheLeastRoomThatHoldsThem) {
  const ScratchFolder folder;
  auto output = output_at(folder / "a.edf");
  for (int i = 0; i < 500; ++i) {
    output.annotations.push_back({Rational(1), {}, fmt::format("stimulus {:03}", i)});
  }
  output.annotations.push_back({Rational(13), {}, "last"});
  const EdfOutput plan = plan_edf(output);
  std::int64_t bytes = 0;
  for (const auto& list : plan.lists) {
    bytes += std::ssize(list);
  }
  EXPECT_EQ(plan.record_s, Rational(1, 10));  // 53 of them, the first 6 before the texts begin.
  EXPECT_GE(plan.list_bytes * 47, bytes);
  EXPECT_LE(plan.list_bytes, bytes / 47 + 30);
  EXPECT_EQ(plan.annotation_samples() * 2, 120 + plan.list_bytes);
  write_all(output);
  expect_read_back(output);
}

TEST(EdfLists, AreRefusedWhereNoRecordHasRoom) {
  auto output = output_at("a.edf");
  output.annotations = {{Rational(1), {}, std::string(70'000, 'x')}};
  expect_error(ErrorCode::unsupported, "events: 1 annotations need more than 65,536 bytes",
               [&] { plan_edf(output); });
}

}  // namespace
}  // namespace weir::formats
