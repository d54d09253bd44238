#include "weir/formats/kinds/spikeinterface/binary_folder_writer.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "weir/core/error.h"
#include "weir/formats/kinds/spikeinterface/spikeinterface.h"
#include "weir/testing/conformance.h"
#include "weir/testing/format_conformance.h"

namespace weir::formats {
namespace {
using testing::expect_error;
using testing::ScratchFolder;

/// What the folder keeps: unique names, places in a plane, microvolts.
RecordingOutput output_at(const std::filesystem::path& path, SampleType type) {
  auto output = testing::awkward_output(path, type, 5);
  output.stream.segments[1].frames = 7;
  for (std::size_t c = 0; c < 5; ++c) {
    auto& channel = output.stream.channels[c];
    channel.source_index = 0;
    channel.unit = "uV";
    channel.position = {0.5 * static_cast<double>(c), -16.0, 0};
    channel.group = c < 3 ? "a" : "b";
  }
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
  const auto writer = spikeinterface_format().create(output);
  append_all(*writer, output, piece);
  EXPECT_FALSE(std::filesystem::exists(output.path));
  writer->commit("{}");
}

TEST(BinaryFolderWriter, IsReadBackAsWhatWasWritten) {
  const ScratchFolder folder;
  for (const auto type : {SampleType::int16, SampleType::float32}) {
    const auto output = output_at(folder / std::string(name(type)), type);
    write_all(output);
    const auto source = spikeinterface_format().open(output.path, {});
    const auto& info = source->info();
    EXPECT_TRUE(info.warnings.empty()) << info.warnings.front();
    EXPECT_EQ(info.rate, output.stream.rate);
    auto channels = info.channels;
    for (auto& channel : channels) {
      channel.source_index = 0;
    }
    EXPECT_EQ(channels, output.stream.channels);
    ASSERT_EQ(info.segments.size(), 3U);
    for (std::size_t s = 0; s < 3; ++s) {
      EXPECT_EQ(info.segments[s].frames, output.stream.segments[s].frames);
      EXPECT_NEAR(info.segments[s].start_s.to_double(),
                  output.stream.segments[s].start_s.to_double(), 1e-12);
    }
    const auto samples = testing::read_all(*source, 2);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const auto at = static_cast<std::int64_t>(i);
      const std::int64_t mixed = (2 * 7919 + at / 5 * 104729 + at % 5 * 1299709) % 65536 - 32768;
      const double expected =
          type == SampleType::int16 ? static_cast<double>(mixed) : static_cast<double>(mixed) / 7;
      ASSERT_EQ(samples[i], static_cast<float>(expected));
    }
    testing::check_source(*source);
  }
}

TEST(BinaryFolderWriter, WritesTheSameFilesInAnyPiecesAndAfterAKill) {
  const ScratchFolder folder;
  const auto type = SampleType::int16;
  write_all(output_at(folder / "whole" / "a", type));
  const auto expected = testing::folder_content(folder / "whole");
  for (const std::int64_t piece : {1, 7, 500}) {
    const auto output = output_at(folder / std::to_string(piece) / "a", type);
    write_all(output, piece);
    EXPECT_EQ(testing::folder_content(output.path.parent_path()), expected) << piece;
  }
  for (const std::int64_t done : {0, 1, 250, 401}) {
    std::filesystem::remove_all(folder / "killed");
    auto output = output_at(folder / "killed" / "a", type);
    {
      const auto writer = spikeinterface_format().create(output);
      testing::append_samples(*writer, output, 11, false, 0, 0, done);
      output.resume_from = writer->save();
      testing::append_samples(*writer, output, 13, true, 0, done, 401);
      writer->end_segment();
      testing::append_samples(*writer, output, 13, true, 1, 0, 7);
      writer->end_segment();
      writer->keep_partial();
    }
    const auto writer = spikeinterface_format().create(output);
    testing::append_samples(*writer, output, 100, true, 0, done, 401);
    writer->end_segment();
    for (const std::int64_t s : {1, 2}) {
      testing::append_samples(*writer, output, 100, true, s, 0,
                              output.stream.segments[static_cast<std::size_t>(s)].frames);
      writer->end_segment();
    }
    writer->commit("{}");
    EXPECT_EQ(testing::folder_content(folder / "killed"), expected) << done;
  }
}

TEST(BinaryFolderWriter, LeavesNothingBehindAndRefusesAnExistingFolder) {
  const ScratchFolder folder;
  auto output = output_at(folder / "a", SampleType::int16);
  {
    const auto writer = spikeinterface_format().create(output);
    testing::append_samples(*writer, output, 10, true, 0, 0, 100);
  }
  EXPECT_TRUE(testing::folder_content(folder.path()).empty());
  EXPECT_FALSE(std::filesystem::exists(partial_path(output.path)));
  write_all(output);
  expect_error(ErrorCode::output_exists, "--overwrite",
               [&] { spikeinterface_format().create(output); });
}

/// tests/peers/recording_peers.py loads these with SpikeInterface.
TEST(BinaryFolderWriter, WritesForOtherPrograms) {
  const char* folder = std::getenv("WEIR_PEERS_FOLDER");
  if (folder == nullptr) {
    GTEST_SKIP() << "WEIR_PEERS_FOLDER names no folder to write into";
  }
  for (const auto type : {SampleType::int16, SampleType::float32}) {
    auto output =
        output_at(std::filesystem::path(folder) / ("si-" + std::string(name(type))), type);
    write_all(output);
    output.path += "-units";
    output.stream.channels[1].unit = "degC";
    output.stream.channels[2].unit = "V";
    output.stream.channels[3].position.reset();
    write_all(output);
  }
}

}  // namespace
}  // namespace weir::formats
