#include "weir/formats/kinds/edf/edf_writer.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "weir/core/error.h"
#include "weir/formats/dense_writer.h"
#include "weir/formats/kinds/edf/edf.h"
#include "weir/formats/kinds/edf/edf_output.h"
#include "weir/testing/conformance.h"
#include "weir/testing/format_conformance.h"

namespace weir::formats {
namespace {
using testing::expect_error;
using testing::ScratchFolder;

/// 500 Hz, the middle segment empty, the last of 3.3 records.
RecordingOutput output_at(const std::filesystem::path& path, std::int64_t channels = 3) {
  auto output = testing::awkward_output(path, SampleType::int16, channels);
  output.stream.rate = SampleRate::from_hz(500);
  output.stream.segments[0].frames = 1000;
  output.stream.segments[2] = {.frames = 1650, .start_s = Rational(10), .index = 2};
  return output;
}

void append_all(RecordingWriter& writer, const RecordingOutput& output, std::int64_t piece) {
  for (std::int64_t s = 0; s < std::ssize(output.stream.segments); ++s) {
    testing::append_samples(writer, output, piece, piece % 2 == 0, s, 0,
                            output.stream.segments[static_cast<std::size_t>(s)].frames);
    writer.end_segment();
  }
}

void write_all(const RecordingOutput& output, std::int64_t piece = 100) {
  const auto writer = edf_format().create(output);
  append_all(*writer, output, piece);
  writer->commit("{}");
}

std::vector<std::vector<float>> samples_of(const RecordingSource& source) {
  std::vector<std::vector<float>> samples;
  for (std::int64_t s = 0; s < std::ssize(source.info().segments); ++s) {
    samples.push_back(testing::read_all(source, s));
  }
  return samples;
}

TEST(EdfWriter, IsReadBackAsWhatWasWritten) {
  const ScratchFolder folder;
  for (const char* name : {"a.edf", "a.bdf"}) {
    SCOPED_TRACE(name);
    const auto output = output_at(folder / name, 37);
    write_all(output);
    const auto source = edf_format().open(output.path, {});
    const auto& info = source->info();
    EXPECT_TRUE(info.warnings.empty()) << info.warnings.front();
    EXPECT_EQ(info.rate, output.stream.rate);
    EXPECT_EQ(info.channels, output.stream.channels);
    EXPECT_EQ(info.segments, output.stream.segments);
    EXPECT_EQ(info.start_time, output.start_time);
    EXPECT_EQ(info.metadata.at("type"), output.path.extension() == ".bdf" ? "BDF+D" : "EDF+D");
    const auto samples = samples_of(*source);
    for (std::size_t s = 0; s < samples.size(); ++s) {
      for (std::size_t i = 0; i < samples[s].size(); ++i) {
        const auto at = static_cast<std::int64_t>(i);
        const std::int64_t expected =
            (static_cast<std::int64_t>(s) * 7919 + at / 37 * 104729 + at % 37 * 1299709) % 65536 -
            32768;
        ASSERT_EQ(samples[s][i], static_cast<float>(expected)) << s << " " << i;
      }
    }
    testing::check_source(*source);
  }
}

TEST(EdfWriter, TellsEverythingItCanWithoutItsSidecar) {
  const ScratchFolder folder;
  const auto output = output_at(folder / "a.edf");
  write_all(output);
  const auto with = samples_of(*edf_format().open(output.path, {}));
  std::filesystem::remove(sidecar_path(output.path));
  const auto source = edf_format().open(output.path, {});
  const auto& info = source->info();
  EXPECT_TRUE(info.warnings.empty()) << info.warnings.front();
  EXPECT_EQ(info.channels[0].name, "Fp1, \"left\"???\\");  // What is no printable ASCII.
  EXPECT_NEAR(info.channels[1].gain, 0.195, 4e-7);         // Of -12779.52 only -12779.5 has room.
  EXPECT_EQ(info.channels[1].unit, "uV");
  EXPECT_NEAR(info.channels[0].gain, -0.03, 1e-9);
  EXPECT_EQ(info.start_time, "2026-11-30T04:05:07");  // 06.789 and a third of a second.
  ASSERT_EQ(info.segments.size(), 2U);
  EXPECT_NEAR(info.segments[0].start_s.to_double(), 0.789 + 1.0 / 3 - 1, 1e-11);
  EXPECT_NEAR(info.segments[1].start_s.to_double(), 10 + 0.789 - 1, 1e-11);
  EXPECT_EQ(info.segments[0].frames, 1000);
  EXPECT_EQ(info.segments[1].frames, 1650);  // Records of a tenth of a second end with it.
  const auto without = samples_of(*source);
  EXPECT_EQ(without[0], with[0]);
  EXPECT_EQ(without[1], with[2]);
}

TEST(EdfWriter, FillsTheLastRecordUpAndSaysSo) {
  const ScratchFolder folder;
  auto output = output_at(folder / "a.edf");
  output.stream.segments = {Segment{.frames = 1603, .start_s = {}}};
  output.start_time.clear();
  write_all(output);
  EXPECT_EQ(edf_format().open(output.path, {})->info().total_frames(), 1603);
  EXPECT_NE(testing::read_string(output.path)
                .find("+3.206\x14"
                      "filled up from here on\x14"),
            std::string::npos);
  std::filesystem::remove(sidecar_path(output.path));
  const auto source = edf_format().open(output.path, {});
  EXPECT_EQ(source->info().metadata.at("type"), "EDF+C");
  EXPECT_EQ(source->info().start_time, "1985-01-01T00:00:00");
  const auto samples = testing::read_all(*source);
  ASSERT_GT(samples.size(), 3U * 1603U);
  // 6389.76 uV over 0.195 uV: the count of channel 1 nearest to 0 physical.
  EXPECT_EQ(samples[3 * 1603 + 1], 32767);
}

TEST(EdfWriter, WritesTheSameBytesInAnyPiecesAndAfterAKill) {
  const ScratchFolder folder;
  write_all(output_at(folder / "whole" / "a.bdf"));
  const auto expected = testing::folder_content(folder / "whole");
  for (const std::int64_t piece : {1, 7, 500, 5000}) {
    const auto output = output_at(folder / std::to_string(piece) / "a.bdf");
    write_all(output, piece);
    EXPECT_EQ(testing::folder_content(output.path.parent_path()), expected) << piece;
  }
  for (const std::int64_t done : {0, 1, 49, 50, 999, 1000}) {
    auto output = output_at(folder / "killed" / "a.bdf");
    std::filesystem::remove_all(folder / "killed");
    {
      const auto writer = edf_format().create(output);
      testing::append_samples(*writer, output, 11, false, 0, 0, done);
      output.resume_from = writer->save();
      testing::append_samples(*writer, output, 13, true, 0, done, 1000);
      writer->keep_partial();
    }
    const auto writer = edf_format().create(output);
    testing::append_samples(*writer, output, 100, true, 0, done, 1000);
    writer->end_segment();
    writer->end_segment();
    testing::append_samples(*writer, output, 100, true, 2, 0, 1650);
    writer->end_segment();
    writer->commit("{}");
    EXPECT_EQ(testing::folder_content(folder / "killed"), expected) << done;
  }
}

TEST(EdfWriter, ChoosesRecordsThatHoldWholeSamples) {
  const auto records = [](const Rational& hz, std::int64_t channels, std::int64_t frames) {
    auto output = testing::awkward_output("a.edf", SampleType::int16, channels);
    output.stream.rate = SampleRate(hz);
    output.stream.segments = {Segment{.frames = frames, .start_s = {}}};
    const EdfOutput plan = plan_edf(output);
    EXPECT_EQ(Rational(plan.samples) / hz, plan.record_s);
    return std::pair(plan.samples, plan.record_s);
  };
  EXPECT_EQ(records(Rational(500), 2, 1000), std::pair(std::int64_t{500}, Rational(1)));
  EXPECT_EQ(records(Rational(500), 2, 1050), std::pair(std::int64_t{50}, Rational(1, 10)));
  EXPECT_EQ(records(Rational(500), 2, 1001), std::pair(std::int64_t{500}, Rational(1)));
  EXPECT_EQ(records(Rational(750003, 25), 2, 7), std::pair(std::int64_t{750003}, Rational(25)));
  EXPECT_EQ(records(Rational(1, 60), 2, 7), std::pair(std::int64_t{1}, Rational(60)));
  EXPECT_EQ(records(Rational(30000), 384, 30000), std::pair(std::int64_t{7500}, Rational(1, 4)));
  EXPECT_EQ(edf_seconds(Rational(8192202312, 1000000)), "+8192.202312");  // Case F9.
  EXPECT_EQ(edf_seconds(Rational(-1, 3)), "-0.333333333333");
  EXPECT_EQ(edf_seconds(Rational(0)), "+0");
  EXPECT_EQ(edf_seconds(Rational(1999999999999999, 1000000000000000)), "+2");
}

TEST(EdfWriter, TellsRangesInEightCharacters) {
  const auto range = [](double gain, double offset, const char* unit) {
    Channel channel;
    channel.gain = gain;
    channel.offset = offset;
    channel.unit = unit;
    return edf_range(channel, {});
  };
  const auto exact = range(0.195, 0, "uV");
  EXPECT_EQ(exact.minimum, "-6389.76");
  EXPECT_EQ(exact.maximum, "6389.565");
  EXPECT_LT(exact.gain_error, 1e-15);
  const auto rounded = range(2.34375, 0, "uV");
  EXPECT_EQ(rounded.minimum, "-76800");
  EXPECT_LT(rounded.gain_error, 1e-7);
  const auto volts = range(1.95e-7, 0, "V");
  EXPECT_EQ(volts.unit, "mV");
  EXPECT_EQ(volts.minimum, "-6.38976");
  const auto backward = range(-0.5, 0, "mV");
  EXPECT_EQ(backward.minimum, "16384");
  for (const auto& [gain, offset, unit] :
       {std::tuple(1e-12, 0.0, "degC"), std::tuple(1e6, 0.0, "degC"),
        std::tuple(0.001, 1e6, "degC")}) {
    expect_error(ErrorCode::unsupported, "eight characters", [&] { range(gain, offset, unit); });
  }
}

TEST(EdfWriter, NamesWhatEdfCannotHold) {
  const auto refused = [](const char* part, auto change) {
    auto output = output_at("a.edf");
    change(output);
    expect_error(ErrorCode::unsupported, part, [&] { edf_format().writer_bytes(output); });
  };
  refused("write with dtype = \"int16\"",
          [](auto& output) { output.stream.type = SampleType::float32; });
  refused("channels: 9999 are not between 1 and 9998",
          [](auto& output) { output.stream.channels.resize(9999); });
  refused("rate: ",
          [](auto& output) { output.stream.rate = SampleRate(Rational(1000003, 999999937)); });
  EXPECT_GT(edf_format().writer_bytes(output_at("a.edf")), 0U);
}

TEST(EdfWriter, RefusesASidecarOfAnotherFile) {
  const ScratchFolder folder;
  const auto output = output_at(folder / "a.edf");
  write_all(output);
  const std::string whole = testing::read_string(output.path);
  testing::write_string(output.path, whole.substr(0, whole.size() - 2000));
  expect_error(ErrorCode::corrupt_data, "a.edf.json: describes",
               [&] { edf_format().open(output.path, {}); });
}

/// tests/peers/recording_peers.py reads these with other programs.
TEST(EdfWriter, WritesForOtherPrograms) {
  const char* folder = std::getenv("WEIR_PEERS_FOLDER");
  if (folder == nullptr) {
    GTEST_SKIP() << "WEIR_PEERS_FOLDER names no folder to write into";
  }
  for (const char* name : {"gap.edf", "gap.bdf", "whole.edf", "whole.bdf"}) {
    auto output = output_at(std::filesystem::path(folder) / name, 5);
    output.stream.channels[0].name = "Fp1";
    if (std::string_view(name).starts_with("whole")) {
      output.stream.segments = {Segment{.frames = 1650, .start_s = Rational(1, 4)}};
    }
    write_all(output);
  }
}

}  // namespace
}  // namespace weir::formats
