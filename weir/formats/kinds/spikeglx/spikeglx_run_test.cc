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

/// What CatGT makes of two triggers: 30,000 frames, 3,000 zeros for a gap of 15,000, 10,000 frames.
class Joined {
 public:
  Joined() {
    write_file(folder(), "a_g0_tcat.nidq", 43'000, 7,
               "catGTCmdline0=<CatGT -dir=/d -run=a -g=0 -t=0,1 -ni -zerofillmax=100>\n"
               "catNFiles=2\n");
  }
  std::filesystem::path folder() const { return folder_ / "catgt_a_g0"; }
  /// Writes a log: the command that made the file, and what it said.
  void log(const std::filesystem::path& path, const std::string& lines) const {
    testing::write_string(path,
                          "[Thd 1 CPU 0 4/28/22 17:32:37.186] Cmdline: CatGT -dir=/d -run=a "
                          "-g=0 -t=0,1 -ni -zerofillmax=100\n" +
                              lines);
  }

 private:
  ScratchFolder folder_;
};

std::string gap_line(const std::string& file, std::int64_t start, std::int64_t gap,
                     std::int64_t zeros) {
  return fmt::format(
      "[Thd 1 CPU 0 4/28/22 17:35:39.867] Gap before file '{}' out_start_smp={} "
      "inp_gap_smp={} out_zeros_smp={}.\n",
      file, start, gap, zeros);
}

TEST(SpikeglxRun, LeavesOutTheZerosThatCatgtFilledAGapWith) {  // Case D12.
  const Joined joined;
  joined.log(joined.folder() / "CatGT.log",
             gap_line("a_g0_t1.imec0.ap.bin", 9, 9, 9) +
                 gap_line("a_g0_t1.nidq.bin", 30'000, 15'000, 3'000));
  for (const auto& path : {joined.folder(), joined.folder() / "a_g0_tcat.nidq.bin"}) {
    SCOPED_TRACE(path);
    const auto source = open(path);
    EXPECT_EQ(segments_of(*source), (Segments{{30'000, 0.007}, {10'000, 45.007}}));
    ASSERT_EQ(source->info().warnings.size(), 1U);
    EXPECT_NE(source->info().warnings[0].find("CatGT filled 1 gap between the 2 files it joined: "
                                              "at 30,000 3,000 zeros for 15,000"),
              std::string::npos)
        << source->info().warnings[0];
    // Its samples count up from 14, two in each frame.
    EXPECT_EQ(read_all(*source, 0).back(), static_cast<std::int16_t>(14 + 2 * 30'000 - 1));
    EXPECT_EQ(read_all(*source, 1).front(), static_cast<std::int16_t>(14 + 2 * 33'000));
    EXPECT_EQ(source->info().segments[1].index, 1);
  }
}

TEST(SpikeglxRun, FindsTheLogOfTheCommandThatJoined) {
  const Joined joined;
  const auto expect_whole = [&](const std::string& warning) {
    const auto source = open(joined.folder());
    EXPECT_EQ(segments_of(*source), (Segments{{43'000, 0.007}}));
    ASSERT_FALSE(source->info().warnings.empty());
    EXPECT_NE(source->info().warnings[0].find(warning), std::string::npos)
        << source->info().warnings[0];
  };
  expect_whole("joined by CatGT of 2 files; how long the gaps between them were stands in");
  const auto above = joined.folder().parent_path() / "a_g0_CatGT.log";
  testing::write_string(above, "Cmdline: CatGT -run=b\n" + gap_line("a_g0_t1.nidq.bin", 1, 2, 1));
  expect_whole("joined by CatGT of 2 files");
  joined.log(above, gap_line("a_g0_t1.nidq.bin", 30'000, 15'000, 13'001));
  expect_whole("its 1 gaps do not fit the 43,000 frames");
  joined.log(above, gap_line("a_g0_t1.nidq.bin", 30'000, 2'000, 3'000));
  expect_whole("its 1 gaps do not fit");
  joined.log(above, "Gap before file 'a_g0_t1.nidq.bin' out_start_smp=1\n");
  expect_whole("out_zeros_smp= is missing");
  // A second pass over the same files, another command behind, a gap without zeros.
  joined.log(above, gap_line("a_g0_t1.nidq.bin", 100, 7, 0) +
                        gap_line("a_g0_t2.nidq.bin", 200, 50, 10) +
                        gap_line("a_g0_t1.nidq.bin", 8, 1, 0) + "x Cmdline: CatGT -run=b\n" +
                        gap_line("a_g0_t1.nidq.bin", 1, 2, 1));
  EXPECT_EQ(segments_of(*open(joined.folder())),
            (Segments{{100, 0.007}, {100, 0.114}, {42'790, 0.264}}));
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
