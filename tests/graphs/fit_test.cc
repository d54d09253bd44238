// Fits before a run: the same value however they are made, told of and stopped throughout.
#include <gmock/gmock.h>

#include "graph_fixture.h"
#include "weir/core/error.h"
#include "weir/pipeline/plan/plan_data.h"
#include "weir/pipeline/run/fit_run.h"
#include "weir/testing/conformance.h"

namespace weir::tests {
namespace {
constexpr auto kSpikes = R"({"weir_pipeline":1,"nodes":[{"id":"raw","op":"read","path":"in.bin"},
    {"id":"ref","op":"common_reference"},
    {"id":"band","op":"iir","band":"highpass","cutoff_hz":300,"order":1},
    {"id":"spikes","op":"crossings","level":-4,"level_unit":"mad"},
    {"id":"out","op":"write","path":"out.csv"}]})";
constexpr std::int64_t kChannels = 8;
constexpr std::int64_t kFrames = 330'000;  // 11 s, of which a fit looks at 10 s in 20 stretches.

class Fits : public GraphTest {
 protected:
  Value fit(const std::vector<std::string>& overrides, const pipeline::FitTick& tick) {
    const auto made = plan(kSpikes, overrides);
    const auto& input = made.data().inputs.front();
    pipeline::Graph graph = input.graph;
    pipeline::Threads threads(made.data().threads);
    return pipeline::fit_steps(input, input.place, graph, threads, tick);
  }
};

TEST_F(Fits, AreTheSameForAnyThreadsChunksAndMemory) {
  make_recording("in.bin", kChannels, {kFrames});
  const auto nothing = [](const pipeline::FitProgress&) {};
  const Value first = fit({"execution.threads=1"}, nothing);
  ASSERT_EQ(first.at("spikes").at("scale").as_array().size(), std::size_t{kChannels});
  EXPECT_EQ(fit({"execution.threads=2", "execution.chunk_s=0.013"}, nothing), first);
  EXPECT_EQ(fit({"execution.threads=5", "execution.chunk_s=1.7"}, nothing), first);
  const std::vector<std::string> tight{"execution.threads=3", "execution.memory=36 MiB"};
  ASSERT_GT(plan(kSpikes, tight).data().inputs.front().temporary_bytes, 0U);
  EXPECT_EQ(fit(tight, nothing), first);
}

TEST_F(Fits, TellHowFarTheyAre) {
  make_recording("in.bin", kChannels, {kFrames});
  double reached = 0;
  std::int64_t told = 0;
  std::int64_t bytes = 0;
  fit({"execution.threads=2"}, [&](const pipeline::FitProgress& progress) {
    EXPECT_EQ(progress.seconds_total, 10);
    EXPECT_GE(progress.seconds_done, reached);
    reached = progress.seconds_done;
    bytes += progress.bytes_read;
    ++told;
  });
  EXPECT_NEAR(reached, 10, 1e-9);
  EXPECT_GE(told, 20);  // Every stretch.
  EXPECT_GE(bytes, std::int64_t{10} * 30000 * kChannels * 2);
}

// Of `whole`, every frame of every segment is looked at, and through the steps above.
TEST_F(Fits, LookAtTheWholeRecordingWhereTheStepAsksForIt) {
  constexpr auto kTrend =
      R"({"weir_pipeline":1,"nodes":[{"id":"raw","op":"read","path":"in.bin","gaps":"split"},
    {"id":"middle","op":"median","width":5},
    {"id":"trend","op":"detrend"},
    {"id":"out","op":"write","path":"out.bin"}]})";
  make_recording("in.bin", kChannels, {kFrames, 1234});
  const auto fit_trend = [&](const std::vector<std::string>& overrides, double& seconds) {
    const auto made = plan(kTrend, overrides);
    const auto& input = made.data().inputs.front();
    pipeline::Graph graph = input.graph;
    pipeline::Threads threads(made.data().threads);
    return pipeline::fit_steps(input, input.place, graph, threads,
                               [&](const auto& progress) { seconds = progress.seconds_done; });
  };
  double seconds = 0;
  const Value first = fit_trend({"execution.threads=1"}, seconds);
  // Nobody is told of the two frames that the median held back.
  EXPECT_NEAR(seconds, (kFrames + 1234) / 30000.0, 1e-4);
  ASSERT_EQ(first.at("trend").at("level").as_array().size(), 2U);
  ASSERT_EQ(first.at("trend").at("slope").as_array()[1].as_array().size(), std::size_t{kChannels});
  EXPECT_EQ(fit_trend({"execution.threads=3", "execution.chunk_s=0.017"}, seconds), first);
}

TEST_F(Fits, StopWhereverTheyAreTold) {
  make_recording("in.bin", kChannels, {kFrames});
  std::int64_t total = 0;
  fit({"execution.threads=2"}, [&](const pipeline::FitProgress&) { ++total; });
  for (const std::int64_t last : {std::int64_t{1}, std::int64_t{2}, total / 2, total - 9}) {
    std::int64_t told = 0;
    testing::expect_error(ErrorCode::cancelled, "enough", [&] {
      fit({"execution.threads=2"}, [&](const pipeline::FitProgress&) {
        if (++told >= last) {
          throw Error(ErrorCode::cancelled, "enough");
        }
      });
    });
    EXPECT_GE(told, last);
  }
  // While channels are measured, too: all seconds are done by then.
  testing::expect_error(ErrorCode::cancelled, "measuring", [&] {
    fit({"execution.threads=1"}, [&](const pipeline::FitProgress& progress) {
      if (progress.bytes_read == 0) {
        EXPECT_EQ(progress.seconds_done, progress.seconds_total);
        throw Error(ErrorCode::cancelled, "measuring");
      }
    });
  });
}

TEST_F(Fits, ShowTheirStageToTheObserver) {
  make_recording("in.bin", kChannels, {kFrames});
  const auto before = files();
  std::vector<std::string> stages;
  testing::expect_error(ErrorCode::cancelled, "cancelled", [&] {
    run(kSpikes, {}, [&](const Progress& progress) {
      stages.push_back(progress.stage);
      EXPECT_TRUE(progress.stage != "fit" || progress.blocks_done == 0);
      return progress.stage == "fit";
    });
  });
  ASSERT_GE(stages.size(), 2U);
  EXPECT_EQ(stages.front(), "fit");
  EXPECT_EQ(files(), before);
}

}  // namespace
}  // namespace weir::tests
