#include "weir/formats/kinds/spikeglx/spikeglx_run.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "weir/core/error.h"
#include "weir/formats/format_list.h"
#include "weir/formats/kinds/spikeglx/spikeglx.h"
#include "weir/testing/conformance.h"
#include "weir/testing/format_conformance.h"

namespace weir::formats {
namespace {
using testing::expect_error;
using testing::read_all;
using testing::ScratchFolder;

/// A file of two analog inputs whose samples count up from `first`, and its header.
void write_file(const std::filesystem::path& folder, const std::string& name, std::int64_t frames,
                std::int64_t first, const std::string& more = {}) {
  std::filesystem::create_directories(folder);
  std::vector<std::int16_t> samples;
  for (std::int64_t i = 0; i < 2 * frames; ++i) {
    samples.push_back(static_cast<std::int16_t>(2 * first + i));
  }
  testing::write_bytes(folder / (name + ".bin"), std::as_bytes(std::span(samples)));
  testing::write_string(
      folder / (name + ".meta"),
      fmt::format("typeThis=nidq\nniSampRate=1000\nniAiRangeMax=5\nnSavedChans=2\n"
                  "acqMnMaXaDw=0,0,2,0\nsnsMnMaXaDw=0,0,2,0\nfirstSample={}\n{}",
                  first, more));
}

/// As SpikeGLX lays a run out: folders of gates, and in them files of the base station.
class RunFolder {
 public:
  RunFolder() {
    write_file(path() / "run_g0", "run_g0_t0.nidq", 300, 0);
    write_file(path() / "run_g0", "run_g0_t1.nidq", 100, 450);
    write_file(path() / "run_g1", "run_g1_t0.nidq", 50, 550);
    write_file(path() / "run_g0" / "run_g0_imec0", "run_g0_t0.imec0.ap", 20, 0);
  }
  const std::filesystem::path& path() const { return folder_.path(); }

 private:
  ScratchFolder folder_;
};

std::unique_ptr<RecordingSource> open(const std::filesystem::path& path,
                                      const std::string& stream = "nidq") {
  OpenOptions options;
  options.stream = stream;
  return FormatList({&spikeglx_format()}).open(path, options);
}

/// Frames and start of each segment.
std::vector<std::pair<std::int64_t, double>> segments_of(const RecordingSource& source) {
  std::vector<std::pair<std::int64_t, double>> segments;
  for (const auto& segment : source.info().segments) {
    segments.emplace_back(segment.frames, segment.start_s.to_double());
  }
  return segments;
}

using Segments = std::vector<std::pair<std::int64_t, double>>;

TEST(SpikeglxRun, JoinsTheFilesOfAStreamOnOneClock) {  // Case D12: the gap between triggers.
  const RunFolder run;
  const auto source = open(run.path());
  EXPECT_EQ(segments_of(*source), (Segments{{300, 0}, {100, 0.45}, {50, 0.55}}));
  EXPECT_TRUE(source->info().warnings.empty());
  EXPECT_EQ(read_all(*source, 1)[0], 900);
  EXPECT_EQ(read_all(*source, 2)[99], 1199);
  EXPECT_EQ(source->info().segments[2].index, 2);
  testing::check_source(*source);
}

TEST(SpikeglxRun, TakesTheNameOfARunAGateOrATrigger) {
  const RunFolder run;
  EXPECT_EQ(segments_of(*open(run.path() / "run")).size(), 3U);
  EXPECT_EQ(segments_of(*open(run.path() / "run_g0")), (Segments{{300, 0}, {100, 0.45}}));
  EXPECT_EQ(segments_of(*open(run.path() / "run_g0_t1")), (Segments{{100, 0.45}}));
  EXPECT_EQ(segments_of(*open(run.path() / "run_g0" / "run_g0_t1")), (Segments{{100, 0.45}}));
  EXPECT_EQ(open(run.path() / "run_g0_t1")->info().name, "run_g0_t1");
  const FormatList formats({&spikeglx_format()});
  expect_error(ErrorCode::not_found, "cannot open",
               [&] { formats.open(run.path() / "other", {}); });
  expect_error(ErrorCode::not_found, "cannot open",
               [&] { formats.open(run.path() / "run_g0_t2", {}); });
  expect_error(ErrorCode::not_found, "cannot open",
               [&] { formats.open(run.path() / "run_g0_t0.obx.bin", {}); });
}

TEST(SpikeglxRun, TakesTheLargestStreamOfAProbeUnlessTold) {
  const RunFolder run;
  EXPECT_EQ(open(run.path(), "")->info().total_frames(), 20);
  expect_error(ErrorCode::not_found, "stream: no \"lf\"; it holds imec0.ap, nidq",
               [&] { open(run.path(), "lf"); });
}

TEST(SpikeglxRun, TellsOfTriggersThatOverlap) {
  const ScratchFolder folder;
  write_file(folder.path(), "a_g0_t0.nidq", 100, 0);
  write_file(folder.path(), "a_g0_t1.nidq", 100, 90);
  const auto source = open(folder.path());
  EXPECT_EQ(segments_of(*source), (Segments{{100, 0}, {100, 0.09}}));
  ASSERT_EQ(source->info().warnings.size(), 1U);
  EXPECT_NE(source->info().warnings[0].find("a_g0_t1.nidq.bin: starts 10 samples before the file "
                                            "in front of it ends"),
            std::string::npos);
}

TEST(SpikeglxRun, OrdersTriggersByTheirNumber) {
  const ScratchFolder folder;
  write_file(folder.path(), "a_g0_t10.nidq", 10, 30);
  write_file(folder.path(), "a_g0_t9.nidq", 20, 10);
  write_file(folder.path(), "a_g0_t2.nidq", 10, 0);
  EXPECT_EQ(segments_of(*open(folder.path())), (Segments{{10, 0}, {20, 0.01}, {10, 0.03}}));
}

TEST(SpikeglxRun, ReadsWhatCatgtMade) {  // Case D10.
  const ScratchFolder folder;
  write_file(folder / "catgt_a_g0", "a_g0_tcat.nidq", 100, 7);
  EXPECT_EQ(segments_of(*open(folder.path())), (Segments{{100, 0.007}}));
  write_file(folder / "catgt_a_g0", "a_g0_t0.nidq", 60, 7);
  const auto both = open(folder.path());
  EXPECT_EQ(segments_of(*both), (Segments{{60, 0.007}}));
  ASSERT_EQ(both->info().warnings.size(), 1U);
  EXPECT_NE(both->info().warnings[0].find("a_g0_tcat.nidq.bin: is not read"), std::string::npos);
}

TEST(SpikeglxRun, RefusesFilesThatDoNotBelongTogether) {
  const ScratchFolder folder;
  write_file(folder.path(), "a_g0_t0.nidq", 100, 0);
  write_file(folder.path(), "b_g0_t0.nidq", 100, 0);
  expect_error(ErrorCode::unsupported, "holds several runs: a, b; name one, as ",
               [&] { open(folder.path()); });
  EXPECT_EQ(open(folder / "b")->info().total_frames(), 100);
  write_file(folder.path(), "b_g0_t1.nidq", 100, 100, "niMaxInt=512\n");
  expect_error(ErrorCode::corrupt_data, "b_g0_t1.nidq.bin: its channels differ from ",
               [&] { open(folder / "b"); });
}

TEST(SpikeglxRun, KnowsFilesByTheirNames) {
  const ScratchFolder folder;
  write_file(folder.path(), "my_g5_run_t1_g2_t34.imec12.lf", 1, 0);
  const auto file = parse_spikeglx_name(folder / "my_g5_run_t1_g2_t34.imec12.lf.bin");
  ASSERT_TRUE(file);
  EXPECT_EQ(file->run, "my_g5_run_t1");
  EXPECT_EQ(file->gate, 2);
  EXPECT_EQ(file->trigger, 34);
  EXPECT_EQ(file->stream, "imec12.lf");
  for (const char* name : {"a_g0.bin", "a_t0.nidq.bin", "_g0_t0.nidq.bin", "a_g0_tx.nidq.bin",
                           "a_g_t0.nidq.bin", "a_g0_t0.nidq.dat", "a_g0_t99999999999.nidq.bin"}) {
    testing::write_string(folder / name, "");
    testing::write_string(std::filesystem::path(folder / name).replace_extension(".meta"), "");
    EXPECT_FALSE(parse_spikeglx_name(folder / name)) << name;
  }
  testing::write_string(folder / "b_g0_t0.nidq.bin", "");  // Without a header.
  EXPECT_FALSE(parse_spikeglx_name(folder / "b_g0_t0.nidq.bin"));
}

/// What is told of one channel serves all; opened as quickly as their names can be made.
TEST(SpikeglxRun, OpensAMillionChannels) {
  const ScratchFolder folder;
  testing::write_string(folder / "a_g0_t0.imec0.ap.bin", std::string(100, '\0'));
  testing::write_string(folder / "a_g0_t0.imec0.ap.meta",
                        "typeThis=imec\nimSampRate=30000\nimAiRangeMax=0.6\nimMaxInt=512\n"
                        "imDatPrb_type=1110\nnSavedChans=1048576\nacqApLfSy=1048576,0,0\n"
                        "snsApLfSy=1048576,0,0\n~imroTbl=(1110,384,0,500,250,1)\n");
  const auto source = open(folder / "a_g0_t0.imec0.ap.bin", "");
  EXPECT_EQ(source->info().channel_count(), 1 << 20);
  EXPECT_DOUBLE_EQ(source->info().channels.back().gain, 2.34375);
  EXPECT_EQ(source->info().total_frames(), 0);
}

}  // namespace
}  // namespace weir::formats
