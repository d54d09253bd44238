#include "weir/formats/kinds/csv/csv_recording.h"

#include <gtest/gtest.h>

#include <limits>

#include "weir/formats/json.h"
#include "weir/formats/kinds/csv/csv.h"
#include "weir/testing/conformance.h"
#include "weir/testing/format_conformance.h"

namespace weir::formats {
namespace {
using testing::expect_error;
using testing::read_string;
using testing::ScratchFolder;

RecordingOutput output_at(const std::filesystem::path& path, SampleType type) {
  RecordingOutput output;
  output.path = path;
  output.stream.rate = SampleRate::from_hz(30000);
  output.stream.type = type;
  output.stream.channels = make_channels(2, 1, 0, "uV");
  output.stream.channels[1].name = "Cz, \"top\"";
  output.stream.segments = {
      Segment{.frames = 3, .start_s = Rational(1, 10)},
      Segment{.frames = 1, .start_s = Rational(2), .first_frame = 0, .index = 1}};
  return output;
}

void append(RecordingWriter& writer, std::vector<float> values) {
  writer.append(Block<float>(values.data(), std::ssize(values) / 2, 2, 2));
}

void append_everything(RecordingWriter& writer) {
  append(writer, {0.1F, -2, 1.0F / 3, 1e-30F});
  append(writer, {16777217.0F, std::numeric_limits<float>::infinity()});
  writer.end_segment();
  append(writer, {-0.0F, std::numeric_limits<float>::quiet_NaN()});
  writer.end_segment();
}

const std::string kExpected =
    "time_s,ch0,\"Cz, \"\"top\"\"\"\r\n"
    "0.1,0.1,-2\r\n"
    "0.10003333333333334,0.33333334,1e-30\r\n"
    "0.10006666666666666,16777216,inf\r\n"
    "2,-0,nan\r\n";

TEST(CsvRecording, HasARowForEachFrame) {
  const ScratchFolder folder;
  const auto writer = csv_format().create(output_at(folder / "a" / "x.csv", SampleType::float32));
  append_everything(*writer);
  EXPECT_FALSE(std::filesystem::exists(folder / "a" / "x.csv"));
  writer->commit("{}");
  EXPECT_EQ(read_string(folder / "a" / "x.csv"), kExpected);
  EXPECT_EQ(writer->bytes_written(), static_cast<std::int64_t>(kExpected.size()));
  EXPECT_EQ(read_string(folder / "a" / "x.csv.weir.json"), "{}");
  const Value sidecar = parse_json(read_string(folder / "a" / "x.csv.json"));
  EXPECT_EQ(sidecar.at("weir_csv"), Value(1));
  EXPECT_EQ(sidecar.at("channels").as_array().at(1).at("unit"), Value("uV"));
}

TEST(CsvRecording, GivesPhysicalValuesOfCounts) {
  const ScratchFolder folder;
  auto output = output_at(folder / "x.csv", SampleType::int16);
  output.stream.channels[0].gain = 0.195;
  output.stream.channels[0].offset = -6.25;
  output.stream.segments.resize(1);
  const auto writer = csv_format().create(output);
  std::vector<std::int16_t> counts{100, -3};
  writer->append(Block<std::int16_t>(counts.data(), 1, 2, 2));
  writer->commit("{}");
  EXPECT_EQ(read_string(folder / "x.csv"), "time_s,ch0,\"Cz, \"\"top\"\"\"\r\n0.1,13.25,-3\r\n");
}

TEST(CsvRecording, TellsSpectraApart) {
  const ScratchFolder folder;
  auto output = output_at(folder / "psd.csv", SampleType::float32);
  output.stream.axis = Axis::frequency_hz;
  output.stream.rate = SampleRate(Rational(2, 25));
  const auto several = csv_format().create(output);
  append_everything(*several);
  several->commit("{}");
  EXPECT_EQ(read_string(output.path),
            "frequency_hz,segment,ch0,\"Cz, \"\"top\"\"\"\r\n"
            "0,0,0.1,-2\r\n"
            "12.5,0,0.33333334,1e-30\r\n"
            "25,0,16777216,inf\r\n"
            "0,1,-0,nan\r\n");
  output.path = folder / "one.csv";
  output.stream.segments.resize(1);
  const auto one = csv_format().create(output);
  append(*one, {1, 2});
  one->commit("{}");
  EXPECT_EQ(read_string(output.path), "frequency_hz,ch0,\"Cz, \"\"top\"\"\"\r\n0,1,2\r\n");
}

TEST(CsvRecording, ContinuesAfterAKill) {
  const ScratchFolder folder;
  auto output = output_at(folder / "x.csv", SampleType::float32);
  {
    const auto writer = csv_format().create(output);
    append(*writer, {0.1F, -2, 1.0F / 3, 1e-30F});
    output.resume_from = writer->save();
    append(*writer, {7, 7});
    writer->save();
    writer->keep_partial();
  }
  const auto writer = csv_format().create(output);
  append(*writer, {16777217.0F, std::numeric_limits<float>::infinity()});
  writer->end_segment();
  append(*writer, {-0.0F, std::numeric_limits<float>::quiet_NaN()});
  writer->commit("{}");
  EXPECT_EQ(read_string(folder / "x.csv"), kExpected);
}

TEST(CsvRecording, LeavesNothingBehindWhenItDies) {
  const ScratchFolder folder;
  {
    const auto writer = csv_format().create(output_at(folder / "x.csv", SampleType::float32));
    append_everything(*writer);
    writer->save();
  }
  EXPECT_TRUE(testing::folder_content(folder.path()).empty());
}

TEST(CsvRecording, RefusesAnExistingFile) {
  const ScratchFolder folder;
  testing::write_string(folder / "x.csv", "precious");
  expect_error(ErrorCode::output_exists, "--overwrite",
               [&] { csv_format().create(output_at(folder / "x.csv", SampleType::float32)); });
  EXPECT_EQ(read_string(folder / "x.csv"), "precious");
}

}  // namespace
}  // namespace weir::formats
