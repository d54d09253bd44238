// Runs that find themselves finished, and what a report says was written.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "graph_fixture.h"
#include "weir/catalog/catalog.h"
#include "weir/core/text.h"
#include "weir/formats/replaced_output.h"
#include "weir/pipeline/plan/plan_data.h"
#include "weir/testing/conformance.h"

namespace weir::tests {
namespace {
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr auto kSpec = R"({"weir_pipeline":1,"nodes":{"raw":{"op":"read","path":"in.bin"},
    "s":{"op":"crossings","level":-20},"out":{"op":"write","path":"out.bin"},
    "events":{"op":"write","path":"out.csv"}},"edges":[["raw","out"],["raw","s"],["s","events"]]})";
const std::vector<std::string> kResume{"execution.resume=true"};

class CompleteRun : public GraphTest {
 protected:
  /// Everything in the folder, provenance too, with the times of change.
  std::map<std::string, std::string> everything() const {
    std::map<std::string, std::string> found;
    for (const auto& name : files()) {
      found[name] =
          read(name) +
          std::to_string(std::filesystem::last_write_time(path(name)).time_since_epoch().count());
    }
    return found;
  }
};

TEST_F(CompleteRun, IsLeftAsItIsByTheSameRunWithResume) {
  make_recording("in.bin", 5, {4000});
  run(kSpec);
  const auto before = everything();
  const auto report = run(kSpec, {"execution.resume=true", "execution.threads=2"});
  EXPECT_THAT(report.already_complete, ElementsAre(HasSubstr("in.bin")));
  EXPECT_THAT(report.text(), HasSubstr("already complete"));
  EXPECT_TRUE(report.outputs.empty());
  EXPECT_EQ(everything(), before);
}

TEST_F(CompleteRun, IsNotTakenForAnotherRun) {
  make_recording("in.bin", 5, {4000});
  run(kSpec);
  const auto before = everything();
  testing::expect_error(ErrorCode::output_exists, "--overwrite",
                        [&] { run(kSpec, {"execution.resume=true", "s.level=-21"}); });
  std::filesystem::rename(path("out.csv.weir.json"), path("kept"));
  testing::expect_error(ErrorCode::output_exists, "--overwrite", [&] { run(kSpec, kResume); });
  std::filesystem::rename(path("kept"), path("out.csv.weir.json"));
  EXPECT_EQ(everything(), before);
  make_recording("in.bin", 5, {4001});
  testing::expect_error(ErrorCode::output_exists, "--overwrite", [&] { run(kSpec, kResume); });
  testing::expect_error(ErrorCode::output_exists, "--overwrite", [&] { run(kSpec); });
}

TEST_F(CompleteRun, IsNotCompleteWithoutItsSidecar) {
  make_recording("in.bin", 5, {4000});
  run(kSpec);
  remove("out.bin.json");
  testing::expect_error(ErrorCode::output_exists, "--overwrite", [&] { run(kSpec, kResume); });
  run(kSpec, kResume, nullptr, true);
  EXPECT_THAT(read("out.bin.json"), HasSubstr("weir_raw"));
}

TEST_F(CompleteRun, ReplacesNoCompanionThatOthersWrote) {
  make_recording("in.bin", 5, {4000});
  for (const std::string name : {"out.bin.json", "out.bin.weir.json", "out.csv.weir.json"}) {
    write_text_file(path(name).string(), R"({"mine": 1})");
    testing::expect_error(ErrorCode::output_exists, name, [&] { run(kSpec); });
    EXPECT_EQ(read(name), R"({"mine": 1})");
    remove(name);
  }
  write_text_file(path("out.csv.json").string(), "a table has no sidecar");
  run(kSpec);
  EXPECT_EQ(read("out.csv.json"), "a table has no sidecar");
  // What is left of an output that is gone describes nothing.
  remove("out.bin");
  remove("out.csv");
  run(kSpec);
  write_text_file(path("out.bin.json").string(), R"({"mine": 1})");
  run(kSpec, {}, nullptr, true);
  EXPECT_THAT(read("out.bin.json"), HasSubstr("weir_raw"));
}

TEST_F(CompleteRun, IsDoneAgainWithOverwrite) {
  make_recording("in.bin", 5, {4000});
  run(kSpec);
  EXPECT_TRUE(run(kSpec, kResume, nullptr, true).already_complete.empty());
}

TEST_F(CompleteRun, OfOneInputLetsTheNextGoOn) {
  make_recording("a.bin", 3, {2000});
  make_recording("b.bin", 3, {2500});
  constexpr auto kTwo = R"({"weir_pipeline":1,"nodes":[{"id":"raw","op":"read","path":"?.bin"},
                          {"id":"out","op":"write","path":"out/{stem}.npy"}]})";
  run(kTwo);
  remove("out/b.npy");
  const std::string a = read("out/a.npy");
  const auto report = run(kTwo, kResume);
  EXPECT_THAT(report.already_complete, ElementsAre(HasSubstr("a.bin")));
  ASSERT_EQ(report.outputs.size(), 1U);
  EXPECT_EQ(report.outputs[0].frames, 2500);
  EXPECT_EQ(read("out/a.npy"), a);
}

TEST_F(CompleteRun, ReportsTheSizeOfItsTable) {
  make_recording("in.bin", 5, {4000});
  EXPECT_GT(run(kSpec, {"events.path=" + path("out.zarr").string()}).outputs.at(1).bytes_written,
            0);
  remove("out.bin");
  const auto report = run(kSpec);
  ASSERT_EQ(report.outputs.at(1).node, "events");
  EXPECT_GT(report.outputs[1].events, 0);
  EXPECT_EQ(report.outputs[1].bytes_written,
            static_cast<std::int64_t>(std::filesystem::file_size(path("out.csv"))));
}

class CutReplacement : public GraphTest {
 protected:
  void SetUp() override {
    make_recording("in.bin", 5, {4000});
    run(kSpec, {"out.dtype=int16"});
    before_ = contents(".");
    // A run without dtype = int16 is killed while it replaces out.bin: its sidecar stands already.
    write_text_file(path("out.bin.weir-partial").string(), "new samples");
    set_aside(formats::replacement_of(path("out.bin")));
    write_text_file(path("out.bin.json").string(), "{}");
  }
  pipeline::Report mended(bool overwrite) {
    const auto spec = pipeline::parse_spec(kSpec, pipeline::SpecLanguage::json, path(""),
                                           {"out.dtype=int16"}, catalog::operators());
    pipeline::PlanOptions options;
    options.overwrite = overwrite;
    options.mend_outputs = true;
    return pipeline::run(
        pipeline::make_plan(spec, {catalog::operators(), catalog::formats()}, options));
  }
  std::map<std::string, std::string> before_;
};

TEST_F(CutReplacement, IsRefusedByPlanningWhichChangesNothing) {
  const auto torn = contents(".");
  testing::expect_error(ErrorCode::output_exists, "stopped while replacing it",
                        [&] { plan(kSpec); });
  EXPECT_EQ(contents("."), torn);
}

TEST_F(CutReplacement, IsPutBackByTheNextRunWhichSaysSo) {
  testing::expect_error(ErrorCode::output_exists, "its former content is put back, and what that",
                        [&] { mended(false); });
  remove("out.bin.weir-partial");
  EXPECT_EQ(contents("."), before_);
}

TEST_F(CutReplacement, IsReplacedAfterAllWithOverwrite) {
  const auto report = mended(true);
  EXPECT_THAT(report.text(), HasSubstr("former content is put back"));
  EXPECT_EQ(contents("."), before_);
}

TEST_F(CutReplacement, LeavesNothingAlsoWhenTheRunDoesNotMend) {
  run(kSpec, {"out.dtype=int16"}, nullptr, true);
  EXPECT_EQ(contents("."), before_);
}

}  // namespace
}  // namespace weir::tests
