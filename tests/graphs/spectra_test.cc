// Rows that are not frames of time, and rows that have more channels than came in, through whole
// graphs: P1, files, what may stand below them.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "graph_fixture.h"
#include "weir/catalog/catalog.h"
#include "weir/formats/json.h"
#include "weir/testing/conformance.h"

namespace weir::tests {
namespace {
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// Tables and bands side by side, with rows alone below the one and time below the other.
constexpr auto kSpectra = R"({"weir_pipeline":1,"nodes":{
  "raw":{"op":"read","path":"in.bin","gaps":"split"},
  "high":{"op":"iir","band":"highpass","cutoff_hz":100},
  "psd":{"op":"psd","nperseg":200},
  "dB":{"op":"log","base":"dB","floor":1e-9},
  "few":{"op":"coherence","reference_channel":3,"nperseg":128},
  "bands":{"op":"band_power","bands":{"a":[0,300],"b":[300,6000],"c":[6000,15000]},"nperseg":300,"noverlap":200},
  "smooth":{"op":"median","width":5},
  "ref":{"op":"common_reference","scope":"all"},
  "gram":{"op":"spectrogram","nperseg":64,"low_hz":1000,"high_hz":3000},
  "a":{"op":"write","path":"out/psd.csv"},
  "b":{"op":"write","path":"out/dB.zarr"},
  "c":{"op":"write","path":"out/few.npy"},
  "d":{"op":"write","path":"out/bands.bin"},
  "e":{"op":"write","path":"out/gram.bin"},
  "f":{"op":"write","path":"out/some.csv","channels":"2:4"}},
 "edges":[["raw","high"],["high","psd"],["psd","a"],["psd","dB"],["dB","b"],["high","few"],["few","c"],
          ["raw","bands"],["bands","smooth"],["smooth","ref"],["ref","d"],["raw","gram"],["gram","e"],["psd","f"]]})";

class Spectra : public GraphTest {};

TEST_F(Spectra, AreTheSameForAnyCutAndAnyThreads) {
  make_recording("in.bin", 70, {9000, 4001, 150});
  run(kSpectra, {"execution.threads=1"});
  const auto wanted = contents("out");
  std::int64_t threads = 2;
  for (const char* chunk : {"0.001", "0.0173", "0.1"}) {
    remove("out");
    run(kSpectra,
        {fmt::format("execution.chunk_s={}", chunk), fmt::format("execution.threads={}", threads)});
    EXPECT_TRUE(contents("out") == wanted) << chunk << ", " << threads << " threads";
    threads += 2;
  }
}

TEST_F(Spectra, AgreeOnTheHostBuildOfTheKernels) {
  make_recording("in.bin", 5, {3000, 150});
  run(kSpectra);
  const auto expected = read_floats("out/gram.bin");
  remove("out");
  run(kSpectra, {"execution.target=host"});
  const auto actual = read_floats("out/gram.bin");
  ASSERT_EQ(actual.size(), expected.size());
  const float scale = *std::max_element(expected.begin(), expected.end());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    ASSERT_NEAR(actual[i], expected[i], 4e-6 * scale) << i;
  }
}

TEST_F(Spectra, AreWrittenWithTheirFrequencies) {
  make_recording("in.bin", 3, {900, 500});
  const auto report = run(kSpectra, {"few.reference_channel=0", "f.channels=1"});
  EXPECT_EQ(report.outputs.at(0).frames, 202);
  EXPECT_THAT(read("out/some.csv"), StartsWith("frequency_hz,segment,c1\r\n0,0,"));
  EXPECT_THAT(read("out/some.csv"), HasSubstr("\r\n15000,0,"));
  EXPECT_THAT(read("out/some.csv"), HasSubstr("\r\n150,1,"));
  const Value sidecar = formats::parse_json(read("out/few.npy.json"));
  EXPECT_EQ(sidecar.at("weir_raw"), Value(2));
  EXPECT_EQ(sidecar.at("axis"), Value("frequency_hz"));
  const auto store = catalog::formats().open(path("out/dB.zarr"), {});
  EXPECT_EQ(store->info().axis, Axis::frequency_hz);
  EXPECT_EQ(store->info().rate.exact(), Rational(200, 30000));
  EXPECT_EQ(store->info().segments.at(1).frames, 101);
}

TEST_F(Spectra, ShowInThePlan) {
  make_recording("in.bin", 3, {900, 500});
  const std::string text = plan(kSpectra, {"few.reference_channel=0", "f.channels=1"}).text();
  EXPECT_THAT(text, HasSubstr("3 ch, a row each 150 Hz, float32"));
  EXPECT_THAT(text, HasSubstr("202 rows, csv"));
  EXPECT_THAT(text, HasSubstr("9 ch, 300 Hz, float32"));
}

constexpr auto kBelow = R"({"weir_pipeline":1,"nodes":[{"id":"raw","op":"read","path":"in.bin"},
  {"id":"psd","op":"psd"},{"id":"below",OP},{"id":"out","op":"write","path":"out.csv"}]})";

std::string below(const std::string& op) {
  std::string text = kBelow;
  return text.replace(text.find("OP"), 2, op);
}

TEST_F(Spectra, TakeOnlyStepsThatTakeEveryRowAlone) {
  make_recording("in.bin", 3, {900});
  for (const char* op :
       {R"("op":"iir","band":"lowpass","cutoff_hz":10)", R"("op":"crossings","level":5)",
        R"("op":"psd")", R"("op":"zscore")", R"("op":"resample","rate_hz":1000)"}) {
    testing::expect_error(ErrorCode::invalid_spec,
                          "the rows of its input run along frequency_hz, where only steps that "
                          "take every row alone can stand",
                          [&] { plan(below(op)); });
  }
  for (const char* op :
       {R"("op":"scale","gain":2)", R"("op":"log","floor":1e-9)", R"("op":"square")"}) {
    plan(below(op));
  }
}

TEST_F(Spectra, AreReadAgain) {
  make_recording("in.bin", 3, {900, 500});
  run(kSpectra, {"few.reference_channel=0", "f.channels=1"});
  const auto twice = R"({"weir_pipeline":1,"nodes":[{"id":"raw","op":"read","path":"out/dB.zarr"},
    {"id":"s","op":"scale","gain":2},{"id":"out","op":"write","path":"twice.csv"}]})";
  run(twice);
  EXPECT_THAT(read("twice.csv"), StartsWith("frequency_hz,segment,c0,c1,c2\r\n0,0,"));
  for (const char* field : {"raw.start_s=1", "raw.stop=5", "raw.gaps=fill", "raw.join=time"}) {
    testing::expect_error(ErrorCode::invalid_spec, "run along frequency_hz, not time",
                          [&] { plan(twice, {field}, true); });
  }
  testing::expect_error(ErrorCode::invalid_spec, "a WAV runs along time",
                        [&] { run(twice, {"out.path=" + path("twice.wav").string()}); });
}

}  // namespace
}  // namespace weir::tests
