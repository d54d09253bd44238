#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include "weir/cli/captured_terminal_internal.h"
#include "weir/cli/program.h"
#include "weir/formats/json.h"
#include "weir/testing/format_conformance.h"

namespace weir::cli {
namespace {
namespace fs = std::filesystem;
using testing::read_string;
using testing::ScratchFolder;
using testing::write_string;

constexpr std::int64_t kFrames = 30'000;
constexpr std::int64_t kGap = 15'000;

/// Case D12: a run of two triggers whose second starts at sample 45,000. One analog input counts.
class RunWithAGap : public ::testing::Test {
 protected:
  RunWithAGap() {
    fs::create_directories(folder_ / "run_g0");
    write_trigger("run_g0_t0", 0);
    write_trigger("run_g0_t1", kFrames + kGap);
  }

  /// Exit code of a spec that copies the run to out.bin.
  int run(const std::string& gaps) {
    write_string(folder_ / "spec.json",
                 fmt::format(R"({{"weir_pipeline":1,"nodes":[
                     {{"id":"run","op":"read","path":"run_g0","stream":"nidq"{}}},
                     {{"id":"out","op":"write","path":"out.bin","dtype":"int16"}}]}})",
                             gaps.empty() ? "" : fmt::format(",\"gaps\":\"{}\"", gaps)));
    return run_program({"run", (folder_ / "spec.json").string()}, terminal_);
  }

  std::vector<std::int16_t> written() const {
    const std::string bytes = read_string(folder_ / "out.bin");
    std::vector<std::int16_t> samples(bytes.size() / 2);
    std::memcpy(samples.data(), bytes.data(), 2 * samples.size());
    return samples;
  }
  Value::Array segments() const {
    return formats::parse_json(read_string(folder_ / "out.bin.json")).at("segments").as_array();
  }

  ScratchFolder folder_;
  CapturedTerminal terminal_;

 private:
  static std::int16_t sample(std::int64_t at) { return static_cast<std::int16_t>(at % 1000 + 1); }

  void write_trigger(const std::string& name, std::int64_t first) {
    std::vector<std::int16_t> samples;
    for (std::int64_t i = 0; i < kFrames; ++i) {
      samples.push_back(sample(first + i));
    }
    const fs::path file = folder_ / "run_g0" / (name + ".nidq.bin");
    testing::write_bytes(file, std::as_bytes(std::span(samples)));
    write_string(fs::path(file).replace_extension(".meta"),
                 fmt::format("typeThis=nidq\nniSampRate=30000\nniAiRangeMax=5\nnSavedChans=1\n"
                             "acqMnMaXaDw=0,0,1,0\nsnsMnMaXaDw=0,0,1,0\nfirstSample={}\n",
                             first));
  }
};

TEST_F(RunWithAGap, IsRefusedWithATableOfIt) {
  EXPECT_EQ(run(""), 2);
  EXPECT_NE(terminal_.notes.find("1 gap longer than 0.01667 ms: gap 0: 500 ms (15000 samples) "
                                 "before sample 30000; choose gaps = \"split\" or \"fill\""),
            std::string::npos)
      << terminal_.notes;
  EXPECT_FALSE(fs::exists(folder_ / "out.bin"));
}

TEST_F(RunWithAGap, IsSplitIntoSegmentsAtTheirTimes) {
  ASSERT_EQ(run("split"), 0) << terminal_.notes;
  const auto samples = written();
  ASSERT_EQ(std::ssize(samples), 2 * kFrames);
  EXPECT_EQ(samples[kFrames - 1], 1000);
  EXPECT_EQ(samples[kFrames], 1);
  const auto found = segments();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].at("samples").as_integer(), kFrames);
  EXPECT_EQ(found[1].at("samples").as_integer(), kFrames);
  EXPECT_EQ(found[1].at("start_s"), Value(Value::Array{3, 2}));
}

TEST_F(RunWithAGap, IsFilledWithZeros) {
  ASSERT_EQ(run("fill"), 0) << terminal_.notes;
  const auto samples = written();
  ASSERT_EQ(std::ssize(samples), 2 * kFrames + kGap);
  EXPECT_EQ(segments().size(), 1U);
  for (std::int64_t i = 0; i < std::ssize(samples); ++i) {
    const bool filled = i >= kFrames && i < kFrames + kGap;
    ASSERT_EQ(samples[static_cast<std::size_t>(i)], filled ? 0 : i % 1000 + 1) << i;
  }
  EXPECT_NE(terminal_.output.find("gap 0: 500 ms (15000 samples) before sample 30000; filled with "
                                  "0 physical units"),
            std::string::npos)
      << terminal_.output << terminal_.notes;
}

}  // namespace
}  // namespace weir::cli
