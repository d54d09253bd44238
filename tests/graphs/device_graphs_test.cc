// Whole pipelines on every device there is: the host build of the kernels, PoCL, a GPU. The CPU is
// the oracle of all.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <sstream>

#include "graph_fixture.h"
#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/pipeline/plan/plan_data.h"
#include "weir/testing/conformance.h"
#include "weir/testing/counting_device.h"
#include "weir/testing/required.h"

namespace weir::tests {
namespace {
using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Two rates, four kinds of output, events, one pass and one upload; everything has kernels.
constexpr auto kMain = R"({"weir_pipeline":1,"nodes":{
  "raw":{"op":"read","path":"in.bin","gaps":"split"},
  "ref":{"op":"common_reference","statistic":"mean"},
  "band":{"op":"iir","band":"bandpass","cutoff_hz":[300,6000]},
  "spikes":{"op":"crossings","level":-2.5,"level_unit":"mad","refractory_s":0.001},
  "events":{"op":"write","path":"out/spikes.csv"},
  "clean":{"op":"write","path":"out/ap.bin","dtype":"int16"},
  "some":{"op":"write","path":"out/some.bin","channels":"3:9"},
  "few":{"op":"write","path":"out/few.bin","channels":[7,2],"dtype":"int16"},
  "lfp":{"op":"resample","rate_hz":1000},
  "slow":{"op":"iir","band":"lowpass","cutoff_hz":100,"order":3,"precision":"float64"},
  "lfp_out":{"op":"write","path":"out/lfp.bin"}},
 "edges":[["raw","ref"],["ref","band"],["band","clean"],["band","some"],["band","few"],["band","spikes"],
          ["spikes","events"],["raw","lfp"],["lfp","slow"],["slow","lfp_out"]]})";

/// Steps without kernels below steps with them, and beside them below the reader; integers that
/// leave as they came, relabelled or not; relabelling before a step on either side.
constexpr auto kMixed = R"({"weir_pipeline":1,"nodes":{
  "raw":{"op":"read","path":"in.bin","gaps":"split"},
  "half":{"op":"scale","gain":0.5,"offset":2},
  "smooth":{"op":"median","width":9},
  "echo":{"op":"fake_echo","frames":5},
  "zero":{"op":"iir","band":"bandpass","cutoff_hz":[300,6000],"mode":"zero_phase"},
  "shanks":{"op":"common_reference","scope":"group","statistic":"mean"},
  "full":{"op":"rectify"},
  "peaks":{"op":"crossings","level":6,"release":2,"min_duration_s":0.0001},
  "taps":{"op":"fir","band":"lowpass","cutoff_hz":3000,"length":63,"mode":"centred","edge":"odd"},
  "up":{"op":"resample","up":2,"down":3},
  "back":{"op":"iir","band":"lowpass","cutoff_hz":3000,"mode":"zero_phase"},
  "copy":{"op":"write","path":"out/copy.bin","dtype":"int16"},
  "halves":{"op":"write","path":"out/halves.bin","dtype":"int16","channels":"1:4"},
  "whole":{"op":"write","path":"out/whole.bin","dtype":"int16","gain":3.5},
  "a":{"op":"write","path":"out/a.bin"},
  "b":{"op":"write","path":"out/b.bin","dtype":"int16","channels":"0:2"},
  "c":{"op":"write","path":"out/c.bin"},
  "d":{"op":"write","path":"out/d.csv"},
  "e":{"op":"write","path":"out/e.bin"}},
 "edges":[["raw","copy"],["raw","half"],["half","halves"],["half","whole"],["half","smooth"],["smooth","echo"],["echo","zero"],
          ["zero","shanks"],["shanks","a"],["smooth","full"],["full","c"],["full","peaks"],["peaks","d"],
          ["half","taps"],["taps","up"],["up","b"],["half","back"],["back","e"]]})";

/// Steps that take the events of detectors on the device, on either side of the link: of their own
/// branch of the graph, of a slower one, below the reader; and of detectors on the CPU in another
/// branch, whose rows must wait for it. A table of events keeps no step from the device.
constexpr auto kEvents = R"({"weir_pipeline":1,"nodes":{
  "raw":{"op":"read","path":"in.bin","gaps":"split"},
  "marks":{"op":"read_events","path":"marks.csv"},
  "known":{"op":"blank","before_s":0.0005,"after_s":0.001,"mode":"linear"},
  "band":{"op":"iir","band":"bandpass","cutoff_hz":[300,6000]},
  "zero":{"op":"iir","band":"bandpass","cutoff_hz":[300,6000],"mode":"zero_phase"},
  "spikes":{"op":"crossings","level":-2.5,"level_unit":"mad"},
  "late":{"op":"crossings","level":-2.5,"level_unit":"mad"},
  "near":{"op":"snippets","pre_s":0.001,"post_s":0.002},
  "far":{"op":"snippets","pre_s":0.001,"post_s":0.002,"edge":"zero","channels":"own"},
  "clear":{"op":"blank","before_s":0.0003,"after_s":0.0005},
  "left":{"op":"crossings","level":1.5,"level_unit":"mad"},
  "echo":{"op":"fake_echo","frames":5},
  "after":{"op":"snippets","pre_s":0.001,"post_s":0.002},
  "back":{"op":"snippets","pre_s":0.0005,"post_s":0.001},
  "first":{"op":"snippets","pre_s":0.0005,"post_s":0.001,"align":"onset"},
  "a":{"op":"write","path":"out/a.npy"},
  "b":{"op":"write","path":"out/b.npy"},
  "c":{"op":"write","path":"out/c.bin"},
  "d":{"op":"write","path":"out/d.npy"},
  "e":{"op":"write","path":"out/e.bin"},
  "f":{"op":"write","path":"out/spikes.csv"},
  "g":{"op":"write","path":"out/g.npy"},
  "h":{"op":"write","path":"out/h.npy","dtype":"int16","gain":0.1}},
 "edges":[["raw","known"],["marks","known"],["known","e"],["raw","band"],["raw","zero"],["band","spikes"],["zero","late"],
          ["band","near"],["late","near"],["near","a"],["zero","far"],["spikes","far"],["far","b"],
          ["raw","clear"],["late","clear"],["clear","c"],["clear","left"],["band","echo"],["echo","after"],["left","after"],
          ["after","d"],["spikes","f"],["band","back"],["left","back"],["back","g"],["raw","first"],["late","first"],
          ["first","h"]]})";

std::string target_option(const std::string& target) {
  return "execution.target=" + target;
}

class DeviceGraphs : public GraphTest, public ::testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    device_ = testing::device_or_skip(GetParam());
    if (device_ == nullptr) {
      return;
    }
    options_.device_opener = [this](const std::string&) { return device_; };
    options_.batch_chunks = false;  // These recordings are short: they would be one chunk.
  }
  std::string target() const { return target_option(GetParam()); }
  void make_events_input() {
    make_recording("in.bin", 11, {1500, 901});
    write_text_file(
        path("marks.csv").string(),
        "channel,onset_sample,onset_s\n0,300,0.01\n0,303,0.0101\n0,900,0.03\n0,1200,0.04\n");
  }

  /// The same events at the same samples; peak values within a few millionths of the largest.
  static void expect_close_events(const std::string& actual, const std::string& expected) {
    const auto rows = split(actual, '\n');
    const auto wanted = split(expected, '\n');
    ASSERT_EQ(rows.size(), wanted.size());
    ASSERT_GT(rows.size(), 10U);
    const auto names = split(wanted.front(), ',');
    const auto peak = static_cast<std::size_t>(std::find(names.begin(), names.end(), "peak_value") -
                                               names.begin());
    ASSERT_LT(peak, names.size());
    for (std::size_t i = 1; i < rows.size(); ++i) {
      auto a = split(rows[i], ',');
      auto b = split(wanted[i], ',');
      ASSERT_EQ(a.size(), b.size());
      EXPECT_NEAR(parse_number(a[peak]), parse_number(b[peak]), 1e-3) << rows[i];
      a[peak] = b[peak];
      EXPECT_EQ(a, b);
    }
  }
  static std::vector<std::string> split(const std::string& text, char at) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, at);) {
      parts.push_back(part);
    }
    return parts;
  }

  /// Floats within a few millionths of full scale; integers within one count; text the same.
  static void expect_close(const std::string& name, const std::string& actual,
                           const std::string& expected) {
    if (name.ends_with(".csv")) {
      expect_close_events(actual, expected);
      return;
    }
    ASSERT_EQ(actual.size(), expected.size()) << name;
    if (name.ends_with(".json")) {
      EXPECT_EQ(actual, expected) << name;
      return;
    }
    static const std::set<std::string> kIntegers{"ap.bin",    "few.bin", "copy.bin", "halves.bin",
                                                 "whole.bin", "b.bin",   "h.npy"};
    const bool integers = kIntegers.contains(name);
    const std::size_t header = name.ends_with(".npy") ? 192 : 0;
    ASSERT_EQ(actual.substr(0, header), expected.substr(0, header)) << name;
    double scale = 0;
    double worst = 0;
    const auto look = [&]<class T>(T) {
      for (std::size_t at = header; at < actual.size(); at += sizeof(T)) {
        T a{};
        T b{};
        std::memcpy(&a, actual.data() + at, sizeof(T));
        std::memcpy(&b, expected.data() + at, sizeof(T));
        scale = std::max(scale, std::abs(static_cast<double>(b)));
        worst = std::max(worst, std::abs(static_cast<double>(a) - static_cast<double>(b)));
      }
    };
    integers ? look(std::int16_t{}) : look(float{});
    EXPECT_LE(worst, integers ? 1.0 : 3e-6 * scale) << name;
    EXPECT_GT(scale, 0) << name;
  }

  void expect_agreement(const std::string& spec, const std::vector<std::string>& overrides = {}) {
    run(spec, {"execution.target=cpu"});
    const auto expected = contents("out");
    remove("out");
    std::vector<std::string> all = overrides;
    all.push_back(target());
    run(spec, all);
    const auto actual = contents("out");
    ASSERT_EQ(actual.size(), expected.size());
    for (const auto& [name, bytes] : expected) {
      ASSERT_TRUE(actual.contains(name)) << name;
      expect_close(name, actual.at(name), bytes);
    }
  }

  void expect_the_same_for_any_chunk(const std::string& spec) {
    std::map<std::string, std::string> wanted;
    for (const char* chunk : {"0.0017", "0.0253", "0.07", "10"}) {
      run(spec, {target(), std::string("execution.chunk_s=") + chunk});
      const auto found = contents("out");
      remove("out");
      wanted = wanted.empty() ? found : wanted;
      EXPECT_TRUE(found == wanted) << "chunks of " << chunk << " s";
    }
  }

  std::shared_ptr<compute::Device> device_;
};

TEST_P(DeviceGraphs, AgreeWithTheProcessor) {
  make_recording("in.bin", 11, {1500, 901});
  expect_agreement(kMain);
  remove("out");
  expect_agreement(kMain, {"execution.chunk_s=0.013"});
}

TEST_P(DeviceGraphs, GoOnOnTheProcessorWhereThereAreNoKernels) {
  make_recording("in.bin", 5, {1300, 907}, false);
  expect_agreement(kMixed);
  remove("out");
  expect_agreement(kMixed, {"execution.chunk_s=0.011", "execution.threads=2"});
}

TEST_P(DeviceGraphs, BringEventsToStepsOnTheProcessor) {
  make_events_input();
  const std::string text = plan(kEvents, {target()}).text();
  for (const char* node : {"known", "band", "zero", "spikes", "late", "near", "far", "back"}) {
    EXPECT_THAT(text, ContainsRegex(fmt::format("  {} .* on {}\n", node, device_->target().name)));
  }
  expect_agreement(kEvents);
  remove("out");
  expect_agreement(kEvents, {"execution.chunk_s=0.011", "execution.threads=2"});
  remove("out");
  expect_the_same_for_any_chunk(kEvents);
  make_recording("in.bin", 7, {1100, 901}, false);
  expect_agreement(kEvents);
}

/// Samples that are float32 already reach the steps as they were read.
TEST_P(DeviceGraphs, BringEventsToTheRowsThatWereRead) {
  constexpr auto kDirect = R"({"weir_pipeline":1,"nodes":{
    "raw":{"op":"read","path":"in.bin"}, "found":{"op":"crossings","level":5},
    "around":{"op":"snippets","pre_s":0.003,"post_s":0.004},
    "clear":{"op":"blank","before_s":0.002,"after_s":0.003},
    "a":{"op":"write","path":"out/a.npy"}, "c":{"op":"write","path":"out/c.bin"}},
   "edges":[["raw","found"],["raw","around"],["found","around"],["around","a"],
            ["raw","clear"],["found","clear"],["clear","c"]]})";
  std::vector<float> samples(3000);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i] = 0.001F * static_cast<float>(i) + (i % 71 < 2 ? 10.0F : 0.0F);
  }
  make_floats("in.bin", samples);
  expect_agreement(kDirect);
  remove("out");
  const auto report = run(kDirect, {target()});
  EXPECT_EQ(report.outputs.front().node, "a");
  EXPECT_GE(report.outputs.front().bytes_downloaded, report.outputs.front().events * 7 * 4);
  remove("out");
  expect_the_same_for_any_chunk(kDirect);
}

/// Each of two branches on the CPU finds events for the other.
TEST_P(DeviceGraphs, LeaveCrossedEventsToTheProcessor) {
  constexpr auto kCrossed = R"({"weir_pipeline":1,"nodes":{
    "raw":{"op":"read","path":"in.bin","gaps":"split"},
    "half":{"op":"scale","gain":0.5},
    "a":{"op":"fake_echo","frames":5}, "b":{"op":"fake_echo","frames":3},
    "on_a":{"op":"crossings","level":3,"level_unit":"mad"}, "on_b":{"op":"crossings","level":3,"level_unit":"mad"},
    "to_a":{"op":"blank","after_s":0.001}, "to_b":{"op":"blank","after_s":0.001},
    "one":{"op":"write","path":"out/a.bin"}, "two":{"op":"write","path":"out/c.bin"}},
   "edges":[["raw","a"],["raw","half"],["half","b"],["a","on_a"],["b","on_b"],["a","to_a"],["on_b","to_a"],
            ["b","to_b"],["on_a","to_b"],["to_a","one"],["to_b","two"]]})";
  make_recording("in.bin", 5, {1300, 907}, false);
  expect_agreement(kCrossed);
  remove("out");
  expect_the_same_for_any_chunk(kCrossed);
}

TEST_P(DeviceGraphs, GiveTheSameBytesForAnyChunk) {
  make_recording("in.bin", 11, {1500, 601});
  expect_the_same_for_any_chunk(kMain);
  expect_the_same_for_any_chunk(kMixed);
}

TEST_P(DeviceGraphs, ReportWhatCrossedTheLink) {
  make_recording("in.bin", 11, {1500});
  const auto report = run(kMain, {target(), "execution.chunk_s=0.02"});
  EXPECT_EQ(report.target, device_->target().name);
  EXPECT_EQ(report.bytes_uploaded, 1500 * 11 * 2);  // Packed, and once for all branches.
  const auto clean = std::find_if(report.outputs.begin(), report.outputs.end(),
                                  [](const auto& output) { return output.node == "clean"; });
  ASSERT_NE(clean, report.outputs.end());
  EXPECT_EQ(clean->frames, 1500);
  EXPECT_GE(clean->bytes_downloaded, clean->bytes_written);
  EXPECT_LE(clean->bytes_downloaded, clean->bytes_written + 4 * 11 * report.blocks + 4096);
  EXPECT_THAT(report.text(), HasSubstr("uploaded"));
}

TEST_P(DeviceGraphs, CountWhatTheProcessorCounts) {
  constexpr auto kClipping = R"({"weir_pipeline":1,"nodes":[
    {"id":"raw","op":"read","path":"in.bin","gaps":"split"},
    {"id":"smooth","op":"median","width":5},
    {"id":"cast","op":"int_cast","gain":0.0005},
    {"id":"out","op":"write","path":"out/cast.bin","dtype":"int16"}]})";
  make_recording("in.bin", 11, {1500, 901});
  const auto counted = run(kClipping, {"execution.target=cpu"}).warnings;
  remove("out");
  EXPECT_THAT(counted, ::testing::Contains(HasSubstr("node cast: clipped samples: ")));
  EXPECT_EQ(run(kClipping, {target(), "execution.chunk_s=0.007"}).warnings, counted);
}

TEST_P(DeviceGraphs, GoOnFromACheckpointWithTheSameBytes) {
  make_events_input();
  const std::vector<std::string> overrides{target(), "execution.chunk_s=0.007",
                                           "execution.resume=true"};
  for (const char* spec : {kMain, kEvents}) {
    remove("out");
    run(spec, {target()});
    const auto wanted = contents("out");
    for (const std::int64_t good_launches : {60, 110, 160}) {
      remove("out");
      options_.device_opener = [&](const std::string&) {
        return testing::failing_device(*device_, good_launches);
      };
      ::setenv("WEIR_CHECKPOINT_S", "0", 1);
      testing::expect_error(ErrorCode::device, testing::kLostDevice, [&] { run(spec, overrides); });
      options_.device_opener = [this](const std::string&) { return device_; };
      const auto report = run(spec, overrides);
      ::unsetenv("WEIR_CHECKPOINT_S");
      EXPECT_TRUE(report.resumed) << good_launches;
      EXPECT_TRUE(contents("out") == wanted) << "stopped after " << good_launches << " launches";
    }
  }
}

TEST_P(DeviceGraphs, FailWithoutLeavingAnything) {
  make_recording("in.bin", 11, {1500});
  const auto before = files();
  options_.device_opener = [this](const std::string&) {
    return testing::failing_device(*device_, 40);
  };
  testing::expect_error(ErrorCode::device, testing::kLostDevice,
                        [&] { run(kMain, {target(), "execution.chunk_s=0.007"}); });
  remove("out");
  EXPECT_EQ(files(), before);
}

TEST_P(DeviceGraphs, LeaveTheWorkToTheProcessorIfToldTo) {
  make_recording("in.bin", 11, {1500});
  run(kMain, {"execution.target=cpu"});
  const auto wanted = contents("out");
  for (const std::int64_t good : {0, 40}) {
    remove("out");
    options_.fall_back = true;
    options_.device_opener = [this, good](const std::string&) {
      return testing::failing_device(*device_, good);
    };
    ::setenv("WEIR_CHECKPOINT_S", "0", 1);
    const auto report = run(kMain, {target(), "execution.chunk_s=0.007", "execution.resume=true"});
    ::unsetenv("WEIR_CHECKPOINT_S");
    EXPECT_TRUE(contents("out") == wanted) << good;  // The device's checkpoints are gone, too.
    EXPECT_FALSE(report.resumed);
    EXPECT_EQ(report.target, "cpu");
    EXPECT_THAT(report.warnings,
                ::testing::Contains(AllOf(HasSubstr(testing::kLostDevice), HasSubstr("cpu"))));
    EXPECT_THAT(read("out/ap.bin.weir.json"), HasSubstr(R"("target": "cpu")"));
  }
}

TEST_P(DeviceGraphs, FailOrGoOnOnTheProcessorWhenTheDeviceHasNoRoom) {
  make_recording("in.bin", 11, {700, 800});
  run(kMain, {"execution.target=cpu"});
  const auto wanted = contents("out");
  remove("out");
  const auto before = files();
  testing::DeviceCounts counts;
  options_.device_opener = [&](const std::string&) {
    return testing::counting_device(*device_, counts);
  };
  run(kMain, {target()});
  remove("out");
  for (const std::int64_t good :
       {std::int64_t{0}, std::int64_t{5}, counts.allocations - 1}) {  // The last in mid-run.
    options_.device_opener = [this, good](const std::string&) {
      return testing::full_device(*device_, good);
    };
    testing::expect_error(ErrorCode::device, testing::kFullDevice, [&] { run(kMain, {target()}); });
    remove("out");
    EXPECT_EQ(files(), before) << good;
    options_.fall_back = true;
    const auto report = run(kMain, {target()});
    options_.fall_back = false;
    EXPECT_TRUE(contents("out") == wanted) << good;
    EXPECT_THAT(report.warnings, ::testing::Contains(HasSubstr(testing::kFullDevice)));
    remove("out");
  }
}

TEST_P(DeviceGraphs, ArePlannedWithinTheMemoryOfBoth) {
  make_recording("in.bin", 11, {1500});
  const auto made = plan(kMixed, {target()});
  EXPECT_THAT(made.text(), AllOf(HasSubstr("device memory"), HasSubstr("on the cpu, parallel"),
                                 HasSubstr("on " + device_->target().name)));
  // What is allocated on the device was claimed.
  make_events_input();
  for (const char* spec : {kMain, kMixed, kEvents}) {
    testing::DeviceCounts counts;
    options_.device_opener = [&](const std::string&) {
      return testing::counting_device(*device_, counts);
    };
    const auto counted = plan(spec, {target(), "execution.chunk_s=0.01"});
    pipeline::run(counted);
    remove("out");
    const auto claimed = counted.data().inputs.front().place.device_budget.claimed();
    EXPECT_LE(counts.most_bytes, claimed);
    EXPECT_GT(counts.most_bytes, claimed / 4);
    EXPECT_EQ(counts.bytes, 0U);
  }
  testing::expect_error(ErrorCode::out_of_memory, "largest claim",
                        [&] { plan(kMain, {target(), "execution.memory=1 MiB"}); });
}

TEST_P(DeviceGraphs, TakeShortChunksSeveralAtOnce) {
  make_recording("in.bin", 384, {30'000});
  const std::vector<std::string> overrides{target(), "execution.chunk_s=0.01"};
  EXPECT_EQ(plan(kMain, overrides).data().inputs.front().place.chunk_frames, 300);
  options_.batch_chunks = true;
  const auto batched = plan(kMain, overrides);
  const std::int64_t frames = batched.data().inputs.front().place.chunk_frames;
  EXPECT_EQ(frames % 300, 0);
  EXPECT_GT(frames * 384 * 2, 7 << 20);
  EXPECT_LE(frames * 384 * 2, 8 << 20);
  EXPECT_THAT(batched.text(), HasSubstr("of chunk_s at once"));
  // Not where there is no room for them.
  const auto small = plan(kMain, {target(), "execution.chunk_s=0.01", "execution.memory=70 MiB"});
  EXPECT_LT(small.data().inputs.front().place.chunk_frames, frames);
}

INSTANTIATE_TEST_SUITE_P(Targets, DeviceGraphs, ::testing::Values("host", "opencl", "cuda"),
                         [](const auto& test) { return std::string(test.param); });

TEST_F(GraphTest, IsNotPlannedForATargetThatIsNotThere) {
  make_recording("in.bin", 11, {100});
  testing::expect_error(ErrorCode::not_found, "execution.target",
                        [&] { plan(kMain, {target_option("quantum")}); });
}

}  // namespace
}  // namespace weir::tests
