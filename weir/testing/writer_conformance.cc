#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "weir/core/error.h"
#include "weir/testing/conformance.h"
#include "weir/testing/format_conformance.h"

namespace weir::testing {
namespace {
using formats::Format;
using formats::RecordingOutput;
using formats::RecordingWriter;
using Content = std::vector<std::pair<std::string, std::string>>;

double sample_at(SampleType type, std::int64_t segment, std::int64_t frame, std::int64_t channel) {
  const std::int64_t mixed = (segment * 7919 + frame * 104729 + channel * 1299709) % 65536 - 32768;
  return type == SampleType::int16 ? static_cast<double>(mixed) : static_cast<double>(mixed) / 7;
}

void fill(AnyBlock block, std::int64_t segment, std::int64_t first) {
  for (std::int64_t f = 0; f < block.frames(); ++f) {
    for (std::int64_t c = 0; c < block.channels(); ++c) {
      const double value = sample_at(block.type(), segment, first + f, c);
      if (block.type() == SampleType::int16) {
        block.as<std::int16_t>()(f, c) = static_cast<std::int16_t>(value);
      } else {
        block.as<float>()(f, c) = static_cast<float>(value);
      }
    }
  }
}

void append_everything(RecordingWriter& writer, const RecordingOutput& output, std::int64_t piece,
                       bool padded) {
  for (std::int64_t s = 0; s < std::ssize(output.stream.segments); ++s) {
    append_samples(writer, output, piece, padded, s, 0, output.stream.segments[s].frames);
    writer.end_segment();
  }
}

/// The folder after writing `output` whole, in pieces.
Content content_of(const Format& format, const std::string& extension, SampleType type,
                   std::int64_t piece, bool padded) {
  const ScratchFolder folder;
  const auto output = awkward_output(folder / ("rec" + extension), type, 5);
  const auto writer = format.create(output);
  append_everything(*writer, output, piece, padded);
  EXPECT_FALSE(std::filesystem::exists(output.path));
  writer->commit("{\"made\": \"by a test\"}\n");
  EXPECT_TRUE(std::filesystem::exists(output.path));
  EXPECT_GT(writer->bytes_written(), 0);
  EXPECT_EQ(read_string(formats::provenance_path(output.path)), "{\"made\": \"by a test\"}\n");
  return folder_content(folder.path());
}

/// Every sample is the one `append_everything` wrote.
void check_samples(const RecordingSource& source, SampleType type) {
  for (std::int64_t s = 0; s < std::ssize(source.info().segments); ++s) {
    const auto values = read_all(source, s);
    for (std::int64_t i = 0; i < std::ssize(values); ++i) {
      ASSERT_EQ(values[i], static_cast<float>(sample_at(type, s, i / 37, i % 37)));
    }
  }
}

void check_info(const RecordingSource& source, const formats::RecordingOutput& output) {
  const auto& info = source.info();
  EXPECT_TRUE(info.warnings.empty()) << info.warnings.front();
  EXPECT_EQ(info.rate, output.stream.rate);
  EXPECT_EQ(info.channels, output.stream.channels);
  EXPECT_EQ(info.segments, output.stream.segments);
  EXPECT_EQ(info.start_time, output.start_time);
}

void check_read_back(const Format& format, const std::string& extension, SampleType type) {
  const ScratchFolder folder;
  const auto output = awkward_output(folder / ("rec" + extension), type, 37);
  {
    const auto writer = format.create(output);
    append_everything(*writer, output, 100, true);
    writer->commit("{}");
  }
  EXPECT_NE(format.probe(output.path, {}), formats::Match::no);
  const auto source = format.open(output.path, {});
  check_info(*source, output);
  EXPECT_EQ(source->info().stored,
            type == SampleType::int16 ? StoredType::int16 : StoredType::float32);
  EXPECT_EQ(source->stored_as_int16(), type == SampleType::int16);
  check_samples(*source, type);
  check_source(*source);
}

/// A run killed after `done` frames of segment `segment` and continued from its save point.
void check_resume(const Format& format, const std::string& extension, const Content& expected,
                  std::int64_t segment, std::int64_t done) {
  const ScratchFolder folder;
  auto output = awkward_output(folder / ("rec" + extension), SampleType::int16, 5);
  {
    const auto writer = format.create(output);
    for (std::int64_t s = 0; s < segment; ++s) {
      append_samples(*writer, output, 50, false, s, 0, output.stream.segments[s].frames);
      writer->end_segment();
    }
    append_samples(*writer, output, 50, false, segment, 0, done);
    output.resume_from = writer->save();
    // Written after the save point, so to be forgotten.
    append_samples(*writer, output, 11, true, segment, done,
                   output.stream.segments[segment].frames);
    writer->keep_partial();
  }
  const auto writer = format.create(output);
  for (std::int64_t s = segment; s < std::ssize(output.stream.segments); ++s) {
    append_samples(*writer, output, 13, true, s, s == segment ? done : 0,
                   output.stream.segments[s].frames);
    writer->end_segment();
  }
  writer->commit("{\"made\": \"by a test\"}\n");
  EXPECT_EQ(folder_content(folder.path()), expected) << "resumed at " << segment << ", " << done;
}

void check_lifetime(const Format& format, const std::string& extension) {
  const ScratchFolder folder;
  auto output = awkward_output(folder / "a" / ("rec" + extension), SampleType::float32, 3);
  {
    const auto writer = format.create(output);
    append_samples(*writer, output, 10, true, 0, 0, 20);
  }
  EXPECT_TRUE(folder_content(folder.path()).empty()) << "a writer that died left something";
  write_string(output.path, "precious");
  expect_error(ErrorCode::output_exists, "--overwrite", [&] { format.create(output); });
  EXPECT_EQ(read_string(output.path), "precious");
  output.overwrite = true;
  {
    const auto writer = format.create(output);
    append_everything(*writer, output, 10, true);
    EXPECT_EQ(read_string(output.path), "precious");
    writer->commit("");
  }
  EXPECT_EQ(format.open(output.path, {})->info().total_frames(), output.stream.total_frames());
}

void check_late_rival(const Format& format, const std::string& extension) {
  const ScratchFolder folder;
  const auto output = awkward_output(folder / ("rec" + extension), SampleType::int16, 3);
  {
    const auto writer = format.create(output);
    append_everything(*writer, output, 10, true);
    write_string(output.path, "precious");
    expect_error(ErrorCode::output_exists, "appeared", [&] { writer->commit("{}"); });
  }
  EXPECT_EQ(read_string(output.path), "precious");
  EXPECT_EQ(folder_content(folder.path()).size(), 1U) << "the partial is still there";
}
}  // namespace

RecordingOutput awkward_output(const std::filesystem::path& path, SampleType type,
                               std::int64_t channels) {
  RecordingOutput output;
  output.path = path;
  output.start_time = "2026-11-30T04:05:06.789+01:00";
  output.zarr_chunk_s = 0.002;
  output.zarr_shard_s = 0.006;
  auto& stream = output.stream;
  stream.type = type;
  stream.rate = SampleRate(Rational(750003, 25));
  stream.channels = make_channels(channels, 0.195, -6389.76, "uV");
  for (std::int64_t c = 0; c < channels; ++c) {
    auto& channel = stream.channels[c];
    channel.source_index = 3 * c + 1;
    channel.group = c % 2 == 0 ? "shank 0" : "";
    if (c % 3 == 0) {
      channel.position = {0.1 * static_cast<double>(c), -16.0, 1.0 / 3};
    }
  }
  stream.channels[0].name = "Fp1, \"left\"\tµ\n\\";
  stream.channels[0].gain = -0.03;  // Case C9: inverted inputs keep their sign.
  stream.channels.back().unit = "";
  stream.segments = {Segment{.frames = 401, .start_s = Rational(1, 3)},
                     Segment{.frames = 0, .start_s = Rational(2), .index = 1},
                     Segment{.frames = 133, .start_s = Rational(-5, 7), .index = 2}};
  return output;
}

void append_samples(RecordingWriter& writer, const RecordingOutput& output, std::int64_t piece,
                    bool padded, std::int64_t segment, std::int64_t first, std::int64_t stop) {
  const std::int64_t step = piece > 0 ? piece : std::max(stop - first, std::int64_t{1});
  const std::int64_t channels = output.stream.channel_count();
  const Buffer buffer(output.stream.type, step, channels);
  for (std::int64_t f = first; f < stop; f += step) {
    const std::int64_t count = std::min(step, stop - f);
    const AnyBlock roomy = buffer.first(count);
    const AnyBlock block(roomy.type(), roomy.data(), count, channels,
                         padded ? roomy.stride() : channels);
    fill(block, segment, f);
    writer.append(block);
  }
}

void check_writer(const Format& format, const std::string& extension) {
  SCOPED_TRACE(std::string(format.name));
  check_read_back(format, extension, SampleType::int16);
  check_read_back(format, extension, SampleType::float32);
  const auto expected = content_of(format, extension, SampleType::int16, 0, false);
  for (const std::int64_t piece : {1, 7, 60, 180, 1000}) {
    EXPECT_EQ(content_of(format, extension, SampleType::int16, piece, piece % 2 == 0), expected)
        << "in pieces of " << piece;
  }
  for (const std::int64_t done : {0, 1, 60, 179, 180, 181, 250, 401}) {
    check_resume(format, extension, expected, 0, done);
  }
  check_resume(format, extension, expected, 1, 0);
  check_resume(format, extension, expected, 2, 100);
  check_lifetime(format, extension);
  check_late_rival(format, extension);
  EXPECT_GT(format.writer_bytes(awkward_output("x", SampleType::int16, 5)), 0U);
}

}  // namespace weir::testing
