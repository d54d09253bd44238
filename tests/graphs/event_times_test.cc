// Where events stand: on the samples that the detector saw, whatever delayed them.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "graph_fixture.h"
#include "weir/core/text.h"
#include "weir/pipeline/plan/plan_data.h"

namespace weir::tests {
namespace {
using ::testing::HasSubstr;

/// A pulse of 10 at 1500 of 2000 samples at 1 kHz, through a filter and `crossings`.
class EventTimes : public GraphTest {
 protected:
  std::string table(const std::string& filters, const std::string& edges, double level) {
    std::vector<float> samples(2000, 0.0F);
    samples[1500] = 10;
    make_floats("in.bin", samples);
    spec_ = fmt::format(R"({{"weir_pipeline":1,"nodes":{{"raw":{{"op":"read","path":"in.bin"}},{}
        "s":{{"op":"crossings","level":{}}},"out":{{"op":"write","path":"out.csv"}}}},
        "edges":[{},["s","out"]]}})",
                        filters, level, edges);
    run(spec_, {}, nullptr, true);
    return read("out.csv");
  }
  std::string spec_;
};

TEST_F(EventTimes, AreThoseOfTheFilteredSamplesAndThePlanTellsTheDelay) {
  // Causal and symmetric: 2 frames late.
  const std::string rows =
      table(R"("f":{"op":"fir","taps":[0.1,0.2,0.4,0.2,0.1]},)", R"(["raw","f"],["f","s"])", 3);
  EXPECT_THAT(rows, HasSubstr("\n0,a,1502,1503,1502,4,1.502,1.503,0.001,0,1"));
  const auto made = plan(spec_, {}, true);
  EXPECT_THAT(made.text(), HasSubstr("2 frames late"));
  const auto& graph = made.data().inputs.front().graph;
  EXPECT_EQ(graph.delay_to(graph.size() - 1), Rational(2));
}

TEST_F(EventTimes, AddDelaysUpAlongThePathThroughAChangeOfRate) {
  const std::string rows =
      table(R"("f":{"op":"fir","taps":[0.2,0.2,0.2,0.2,0.2]},"r":{"op":"resample","rate_hz":500},
               "g":{"op":"fir","taps":[0.5,0.5]},)",
            R"(["raw","f"],["f","r"],["r","g"],["g","s"])", 1);
  const auto made = plan(spec_, {}, true);
  const auto& graph = made.data().inputs.front().graph;
  EXPECT_EQ(graph.delay_to(graph.size() - 1), Rational(3, 2));  // 2 of 1 kHz and half of 500 Hz.
  EXPECT_THAT(made.text(), HasSubstr("3/2 frames late"));
  // The middle stands at 1502 of 1 kHz, 751 + 0.5 of 500 Hz; the peak beside it.
  EXPECT_TRUE(rows.find(",751,") != std::string::npos || rows.find(",752,") != std::string::npos)
      << rows;
}

TEST_F(EventTimes, AreNotDelayedByCentredFilters) {
  table(R"("f":{"op":"fir","taps":[0.1,0.2,0.4,0.2,0.1],"mode":"centred"},)",
        R"(["raw","f"],["f","s"])", 3);
  EXPECT_THAT(read("out.csv"), HasSubstr("\n0,a,1500,1501,1500,4,"));
  EXPECT_EQ(plan(spec_, {}, true).text().find("late"), std::string::npos);
}

TEST_F(EventTimes, CountInTheFileTheyStandInWhenFilesAreJoinedInTime) {
  std::vector<float> samples(2000, 0.0F);
  samples[1500] = 10;
  make_floats("a.bin", samples);
  make_floats("b.bin", samples);
  for (const char* name : {"a", "b"}) {
    const std::string sidecar = path(std::string(name) + ".bin.json").string();
    std::string text = read_text_file(sidecar);
    text.insert(1, fmt::format(R"("segments":[{{"start_s":{},"samples":2000}}],)",
                               name[0] == 'a' ? 0 : 100));
    write_text_file(sidecar, text);
  }
  run(R"({"weir_pipeline":1,"nodes":[{"id":"raw","op":"read","path":["a.bin","b.bin"],
        "join":"time","gaps":"split"},
        {"id":"f","op":"fir","taps":[0.1,0.2,0.4,0.2,0.1]},
        {"id":"s","op":"crossings","level":3},{"id":"out","op":"write","path":"out.csv"}]})");
  EXPECT_THAT(read("out.csv"), HasSubstr("\n0,a,1502,1503,1502,4,1.502,1.503,0.001,0,1"));
  EXPECT_THAT(read("out.csv"), HasSubstr("\n0,a,1502,1503,1502,4,101.502,101.503,0.001,1,1"));
}

}  // namespace
}  // namespace weir::tests
