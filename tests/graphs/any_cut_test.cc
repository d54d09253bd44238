// Promise P1 for whole graphs with the real operators: chunk size, thread count and memory cap
// change no byte.
#include <fmt/format.h>

#include <random>

#include "graph_fixture.h"

namespace weir::tests {
namespace {

/// Bands at two rates, four kinds of output, events with a fit, one pass.
constexpr auto kMain = R"({"weir_pipeline":1,"nodes":{
  "raw":{"op":"read","path":"in.bin","gaps":"split"},
  "ref":{"op":"common_reference"},
  "band":{"op":"iir","band":"bandpass","cutoff_hz":[300,6000]},
  "spikes":{"op":"crossings","level":-3.0,"level_unit":"mad","refractory_s":0.001},
  "events":{"op":"write","path":"out/spikes.csv"},
  "clean":{"op":"write","path":"out/ap.bin","dtype":"int16"},
  "store":{"op":"write","path":"out/ap.zarr","zarr_shard_s":0.3},
  "lfp":{"op":"resample","rate_hz":1000},
  "slow":{"op":"iir","band":"lowpass","cutoff_hz":100,"order":3},
  "lfp_out":{"op":"write","path":"out/lfp.bin"}},
 "edges":[["raw","ref"],["ref","band"],["band","clean"],["band","store"],["band","spikes"],["spikes","events"],
          ["raw","lfp"],["lfp","slow"],["slow","lfp_out"]]})";

/// Every operator with an edge rule or a grid, behind one another and side by side, across channels
/// after along them.
constexpr auto kEdges = R"({"weir_pipeline":1,"nodes":{
  "raw":{"op":"read","path":"in.bin","gaps":"split"},
  "half":{"op":"scale","gain":0.5,"offset":2},
  "smooth":{"op":"median","width":9},
  "zero":{"op":"iir","band":"bandpass","cutoff_hz":[300,6000],"mode":"zero_phase"},
  "exact":{"op":"iir","band":"highpass","cutoff_hz":20,"order":2,"mode":"zero_phase_exact"},
  "shanks":{"op":"common_reference","scope":"group","statistic":"mean"},
  "taps":{"op":"fir","band":"lowpass","cutoff_hz":3000,"length":63,"mode":"centred","edge":"odd"},
  "up":{"op":"resample","up":2,"down":3},
  "full":{"op":"rectify"},
  "peaks":{"op":"crossings","level":40,"release":10,"min_duration_s":0.0001},
  "a":{"op":"write","path":"out/a.bin"},
  "b":{"op":"write","path":"out/b.bin","dtype":"int16","channels":"5:20"},
  "c":{"op":"write","path":"out/c.bin"},
  "d":{"op":"write","path":"out/d.csv"}},
 "edges":[["raw","half"],["half","smooth"],["smooth","zero"],["zero","shanks"],["shanks","a"],["half","taps"],
          ["taps","up"],["up","b"],["raw","exact"],["exact","full"],["full","c"],["full","peaks"],["peaks","d"]]})";

class AnyCut : public GraphTest {
 protected:
  void expect_the_same_for_any_cut(const std::string& spec) {
    run(spec, {"execution.threads=1"});
    const auto wanted = contents("out");
    std::mt19937 random(11);
    std::vector<std::string> chunks{"0.00003", "10"};
    for (int i = 0; i < 6; ++i) {
      chunks.push_back(fmt::format("{}", 0.0001 * static_cast<double>(1 + random() % 2000)));
    }
    std::int64_t threads = 1;
    for (const auto& chunk : chunks) {
      remove("out");
      const std::vector<std::string> overrides{
          "execution.chunk_s=" + chunk, fmt::format("execution.threads={}", threads),
          fmt::format("execution.memory={}", threads % 2 == 0 ? "256 MiB" : "2 GiB")};
      run(spec, overrides);
      EXPECT_TRUE(contents("out") == wanted)
          << "chunks of " << chunk << " s, " << threads << " threads";
      threads = threads % 8 + 1;
    }
  }
};

TEST_F(AnyCut, ChangesNoByteOfTheMainJob) {
  make_recording("in.bin", 70, {20000, 9001});
  expect_the_same_for_any_cut(kMain);
}

TEST_F(AnyCut, ChangesNoByteBehindEdgesAndGrids) {
  make_recording("in.bin", 40, {7000, 6007}, false);
  expect_the_same_for_any_cut(kEdges);
}

TEST_F(AnyCut, ChangesNoByteOfOneChannel) {
  make_recording("in.bin", 1, {12000});
  std::string spec = kMain;
  spec.replace(spec.find(R"("op":"common_reference")"), 23, R"("op":"scale","gain":1.0)");
  expect_the_same_for_any_cut(spec);
}

TEST_F(AnyCut, BranchesDoNotDisturbOneAnother) {
  make_recording("in.bin", 33, {15000});
  run(kMain);
  const auto together = contents("out");
  remove("out");
  run(R"({"weir_pipeline":1,"nodes":[{"id":"raw","op":"read","path":"in.bin"},{"id":"lfp","op":"resample","rate_hz":1000},
       {"id":"slow","op":"iir","band":"lowpass","cutoff_hz":100,"order":3},{"id":"lfp_out","op":"write","path":"out/lfp.bin"}]})");
  const auto alone = contents("out");
  EXPECT_EQ(alone.at("lfp.bin"), together.at("lfp.bin"));
  EXPECT_EQ(alone.at("lfp.bin.json"), together.at("lfp.bin.json"));
}

}  // namespace
}  // namespace weir::tests
