// Whole graphs in which steps take the events of others, with the real operators and formats.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstring>
#include <random>

#include "graph_fixture.h"
#include "weir/core/error.h"
#include "weir/testing/conformance.h"

namespace weir::tests {
namespace {
using testing::expect_error;
using ::testing::HasSubstr;

/// Detectors of every kind before steps that take their events: beside them, behind a zero-phase
/// filter on another branch, across channels by radius, at another rate, and one behind the other.
constexpr auto kEvents = R"({"weir_pipeline":1,"nodes":{
  "raw":{"op":"read","path":"in.bin","gaps":"split"},
  "band":{"op":"iir","band":"bandpass","cutoff_hz":[300,6000]},
  "zero":{"op":"iir","band":"bandpass","cutoff_hz":[300,6000],"mode":"zero_phase"},
  "spikes":{"op":"crossings","level":-4,"level_unit":"mad"},
  "late":{"op":"crossings","level":-4.2,"level_unit":"mad"},
  "peaks":{"op":"peaks","peak_sign":"neg","height":4,"height_unit":"mad","distance_s":0.0005,"radius_um":50},
  "slow":{"op":"resample","rate_hz":1000},
  "a":{"op":"snippets","pre_s":0.001,"post_s":0.002},
  "b":{"op":"snippets","ms_before":0.5,"ms_after":1,"edge":"zero","channels":"radius","radius_um":45},
  "c":{"op":"blank","before_s":0.0003,"after_s":0.0005},
  "d":{"op":"snippets","pre_s":0.005,"post_s":0.01,"align":"onset","channels":"own"},
  "again":{"op":"crossings","level":5,"level_unit":"mad"},
  "e":{"op":"blank"},
  "wa":{"op":"write","path":"out/a.npy"},
  "wb":{"op":"write","path":"out/b.npy","dtype":"int16","gain":0.1},
  "wc":{"op":"write","path":"out/c.bin"},
  "wd":{"op":"write","path":"out/d.npy"},
  "we":{"op":"write","path":"out/e.bin"},
  "wp":{"op":"write","path":"out/p.csv"}},
 "edges":[["raw","band"],["raw","zero"],["raw","slow"],["band","spikes"],["zero","late"],["band","peaks"],
  ["band","a"],["spikes","a"],["peaks","b"],["raw","b"],["raw","c"],["late","c"],["slow","d"],["spikes","d"],
  ["c","again"],["slow","e"],["again","e"],
  ["a","wa"],["b","wb"],["c","wc"],["d","wd"],["e","we"],["peaks","wp"]]})";

std::int64_t rows_of(const std::string& csv) {
  return std::count(csv.begin(), csv.end(), '\n') - 1;
}

class EventInputs : public GraphTest {
 protected:
  /// Of an array in NumPy's format: everything behind the header.
  std::vector<float> array(const std::string& name) const {
    const std::string text = read(name);
    constexpr std::size_t kHeader = 192;
    std::vector<float> values((text.size() - kHeader) / sizeof(float));
    std::memcpy(values.data(), text.data() + kHeader, values.size() * sizeof(float));
    return values;
  }
};

TEST_F(EventInputs, ChangeNoByteForAnyCutAndThreads) {
  make_recording("in.bin", 70, {15000, 7001}, false);
  run(kEvents, {"execution.threads=1"});
  const auto wanted = contents("out");
  EXPECT_GT(rows_of(wanted.at("a.npy.csv")), 20);
  EXPECT_GT(rows_of(wanted.at("b.npy.csv")), 20);
  EXPECT_GT(rows_of(wanted.at("d.npy.csv")), 20);
  std::mt19937 random(11);
  std::int64_t threads = 1;
  for (int i = 0; i < 8; ++i, threads = threads % 8 + 1) {
    remove("out");
    const double chunk = i == 0 ? 0.00003 : 0.0001 * static_cast<double>(1 + random() % 2000);
    run(kEvents,
        {fmt::format("execution.chunk_s={}", chunk), fmt::format("execution.threads={}", threads)});
    EXPECT_TRUE(contents("out") == wanted)
        << "chunks of " << chunk << " s, " << threads << " threads";
  }
}

TEST_F(EventInputs, WriteSnippetsBesideTheirEvents) {
  std::vector<float> samples(2000, 0.0F);
  for (std::size_t t = 0; t < samples.size(); ++t) {
    samples[t] = 0.001F * static_cast<float>(t);
  }
  for (const std::size_t t : {400U, 900U, 1998U}) {
    samples[t] += 10;
  }
  make_floats("in.bin", samples);
  const auto report = run(R"({"weir_pipeline":1,"nodes":{"raw":{"op":"read","path":"in.bin"},
      "s":{"op":"crossings","level":5},"w":{"op":"snippets","pre_s":0.003,"post_s":0.004},
      "o":{"op":"write","path":"out.npy"}},
      "edges":[["s","w"],["raw","s"],["raw","w"],["w","o"]]})");
  EXPECT_EQ(rows_of(read("out.npy.csv")), 2);
  EXPECT_THAT(read("out.npy"), HasSubstr("'shape': (2, 7, 1)"));
  EXPECT_THAT(read("out.npy.json"), HasSubstr("\"samples_before\": 3"));
  std::vector<float> wanted(samples.begin() + 397, samples.begin() + 404);
  wanted.insert(wanted.end(), samples.begin() + 897, samples.begin() + 904);
  EXPECT_EQ(array("out.npy"), wanted);
  EXPECT_THAT(report.text(), HasSubstr("2 snippets, "));
  EXPECT_THAT(report.text(), HasSubstr("it would reach over an end of the segment: 1"));
  expect_error(ErrorCode::unsupported, "out.npy: holds snippets around events", [&] {
    plan(R"({"weir_pipeline":1,"nodes":[{"id":"raw","op":"read","path":"out.npy"},
             {"id":"o","op":"write","path":"o.bin"}]})");
  });
}

TEST_F(EventInputs, MayComeFromASlowerBranch) {
  std::vector<float> samples(2000, 0.0F);
  samples[1000] = 10;
  make_floats("in.bin", samples);
  run(R"({"weir_pipeline":1,"nodes":{"raw":{"op":"read","path":"in.bin"},
      "r":{"op":"resample","rate_hz":500},"s":{"op":"crossings","level":2},
      "b":{"op":"blank","before_s":0.002,"after_s":0.003},"o":{"op":"write","path":"out.bin"}},
      "edges":[["raw","r"],["r","s"],["raw","b"],["s","b"],["b","o"]]})");
  const auto out = read_floats("out.bin");
  EXPECT_EQ(out[1000], 0);
}

TEST_F(EventInputs, GiveOneRunForEachOfSeveralRecordings) {
  make_recording("one.bin", 8, {9000});
  make_recording("two.bin", 8, {7000, 3000});
  std::string spec = kEvents;
  spec.replace(spec.find("\"in.bin\""), 8, R"("*.bin")");
  for (auto at = spec.find("out/"); at != std::string::npos; at = spec.find("out/", at + 10)) {
    spec.insert(at + 4, "{stem}_");
  }
  run(spec);
  const auto together = contents("out");
  for (const std::string name : {"one", "two"}) {
    remove("out");
    std::string alone = spec;
    alone.replace(alone.find("\"*.bin\""), 7, "\"" + name + ".bin\"");
    run(alone);
    for (const auto& [file, bytes] : contents("out")) {
      EXPECT_EQ(bytes, together.at(file)) << file;
    }
  }
}

TEST_F(EventInputs, GoOnAfterACancelledRun) {
  make_recording("in.bin", 40, {12000, 5000});
  run(kEvents);
  const auto wanted = contents("out");
  remove("out");
  ::setenv("WEIR_CHECKPOINT_S", "0", 1);
  for (std::int64_t stop = 3; stop < 40; stop += 9) {
    std::int64_t ticks = 0;
    try {
      run(kEvents, {"execution.resume=true", "execution.chunk_s=0.01"},
          [&](const Progress&) { return ++ticks < stop; });
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::cancelled);
    }
  }
  ::unsetenv("WEIR_CHECKPOINT_S");
  run(kEvents, {"execution.resume=true", "execution.chunk_s=0.01"});
  EXPECT_TRUE(contents("out") == wanted);
}

TEST_F(EventInputs, NameWhatIsWrongWithTheEdges) {
  make_recording("in.bin", 4, {3000});
  const auto refused = [&](const std::string& part, const std::string& edges) {
    expect_error(ErrorCode::invalid_spec, part, [&] {
      plan(R"({"weir_pipeline":1,"nodes":{"raw":{"op":"read","path":"in.bin"},
        "f":{"op":"scale","gain":2},"s":{"op":"crossings","level":5},"t":{"op":"crossings","level":7},
        "w":{"op":"snippets"},"o":{"op":"write","path":"out.npy"},"p":{"op":"write","path":"p.bin"},
        "q":{"op":"write","path":"q.csv"},"r":{"op":"write","path":"r.csv"}},
        "edges":[["raw","s"],["raw","t"],["s","q"],["t","r"],["w","o"],["f","p"],)" +
           edges + "]}");
    });
  };
  refused("node w: needs events beside its signal", R"(["raw","w"],["raw","f"])");
  refused("node w: has no signal to work on: node s gives events", R"(["s","w"],["raw","f"])");
  refused("node w: takes one signal, but raw, f feed it", R"(["raw","w"],["raw","f"],["f","w"])");
  refused("node w: has no signal to work on: node s, t gives events",
          R"(["s","w"],["t","w"],["raw","f"])");
  refused("takes one signal and the events of one node, but raw, s, t feed it",
          R"(["raw","w"],["s","w"],["t","w"],["raw","f"])");
  refused("takes one input, but raw, s feed it", R"(["raw","w"],["s","w"],["raw","f"],["s","f"])");
  refused("node f: takes a signal, but node w gives snippets",
          R"(["raw","w"],["s","w"],["w","f"])");
  refused("node s: has no port \"spikes\" (edge to w); its port is \"events\"",
          R"(["raw","w"],["s.spikes","w"],["raw","f"])");
}

TEST_F(EventInputs, TellInThePlanWhoseEventsTheyAreAndHowLate) {
  make_recording("in.bin", 4, {3000});
  const auto made = plan(kEvents);
  EXPECT_THAT(made.text(), HasSubstr("events of spikes"));
  EXPECT_THAT(made.text(), HasSubstr("events of late up to"));
  EXPECT_THAT(made.text(), HasSubstr("snippets of 90 frames"));
}

TEST_F(EventInputs, RefuseOtherFilesForSnippets) {
  make_recording("in.bin", 4, {3000});
  const std::string spec = R"({"weir_pipeline":1,"nodes":{"raw":{"op":"read","path":"in.bin"},
      "s":{"op":"crossings","level":5},"w":{"op":"snippets"},
      "o":{"op":"write","path":"out.zarr"}},
      "edges":[["raw","s"],["raw","w"],["s","w"],["w","o"]]})";
  expect_error(ErrorCode::invalid_spec, "is to hold snippets, which are written as .npy",
               [&] { plan(spec); });
}

}  // namespace
}  // namespace weir::tests
