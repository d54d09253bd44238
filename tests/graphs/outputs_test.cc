// What a run leaves behind: units, whole files or none, clear errors.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "graph_fixture.h"
#include "weir/catalog/catalog.h"
#include "weir/core/text.h"
#include "weir/formats/json.h"
#include "weir/testing/conformance.h"

namespace weir::tests {
namespace {
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Key;
using ::testing::Not;

constexpr auto kCopy = R"({"weir_pipeline":1,"nodes":[{"id":"raw","op":"read","path":"in.bin"},
                            {"id":"out","op":"write","path":"out.bin","dtype":"int16"}]})";
constexpr auto kPhysical = R"({"weir_pipeline":1,"nodes":[{"id":"raw","op":"read","path":"in.bin"},
                            {"id":"out","op":"write","path":"out.bin"}]})";

class Outputs : public GraphTest {};

TEST_F(Outputs, Int16ComesOutAsItWentIn) {
  make_recording("in.bin", 37, {3001}, false);
  run(kCopy);
  EXPECT_EQ(read("out.bin"), read("in.bin"));
  const Value sidecar = formats::parse_json(read("out.bin.json"));
  EXPECT_EQ(sidecar.at("channels").as_array()[8].at("gain").as_number(), 0.1 + 0.01 * 8);
  EXPECT_EQ(sidecar.at("channels").as_array()[8].at("offset").as_number(), -2);
}

TEST_F(Outputs, Float32IsCountTimesGainPlusOffset) {
  make_recording("in.bin", 3, {500}, false);
  run(kPhysical);
  const std::string counts = read("in.bin");
  const auto values = read_floats("out.bin");
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::int16_t count = 0;
    std::memcpy(&count, counts.data() + 2 * i, 2);
    const auto c = static_cast<double>(i % 3);
    EXPECT_NEAR(values[i], count * (0.1 + 0.01 * c) + (c - 3), 1e-5 * std::abs(values[i]) + 1e-5);
  }
}

TEST_F(Outputs, Int16RoundsHalvesToEvenAndCountsWhatItClips) {
  make_floats("in.bin",
              {0.5F, 1.5F, 2.5F, -0.5F, -1.5F, 32767.4F, 32767.6F, -32768.5F, -32769.0F, 40000.0F});
  const auto report = run(R"({"weir_pipeline":1,"nodes":[{"id":"raw","op":"read","path":"in.bin"},
                            {"id":"out","op":"write","path":"out.bin","dtype":"int16","gain":1}]})");
  const std::string bytes = read("out.bin");
  std::vector<std::int16_t> counts(bytes.size() / 2);
  std::memcpy(counts.data(), bytes.data(), bytes.size());
  EXPECT_THAT(counts, ElementsAre(0, 2, 2, 0, -2, 32767, 32767, -32768, -32768, 32767));
  EXPECT_EQ(report.outputs.at(0).clipped, 3);
}

TEST_F(Outputs, Int16OfFloatInputNeedsAGain) {
  make_floats("in.bin", {1, 2, 3});
  testing::expect_error(ErrorCode::invalid_spec, "node out: gain: the input is stored as float32",
                        [&] { plan(kCopy); });
}

// Case B11: whitened values have a standard deviation of about 1.
TEST_F(Outputs, Int16OfPlainValuesNeedsAGain) {
  make_recording("in.bin", 4, {3000});
  for (const char* op : {R"("op":"whiten")", R"("op":"zscore")"}) {
    const std::string spec = fmt::format(R"({{"weir_pipeline":1,"nodes":[
      {{"id":"raw","op":"read","path":"in.bin"}},{{"id":"w",{}}},
      {{"id":"out","op":"write","path":"out.bin","dtype":"int16"}}]}})",
                                         op);
    testing::expect_error(ErrorCode::invalid_spec, "node out: gain: channel \"",
                          [&] { plan(spec); });
    run(spec, {"out.gain=0.005"});
    const std::string bytes = read("out.bin");
    std::vector<std::int16_t> counts(bytes.size() / 2);
    std::memcpy(counts.data(), bytes.data(), bytes.size());
    double squares = 0;
    for (const double count : counts) {
      squares += count * count;
    }
    EXPECT_NEAR(std::sqrt(squares / static_cast<double>(counts.size())), 200, 6)
        << op;  // z by the MAD
    remove("out.bin");
  }
}

TEST_F(Outputs, NothingIsTouchedWithoutOverwrite) {
  make_recording("in.bin", 2, {100});
  run(kCopy);
  const auto before = files();
  testing::expect_error(ErrorCode::output_exists, "--overwrite", [&] { run(kCopy); });
  EXPECT_EQ(files(), before);
  run(kCopy, {}, nullptr, true);
  EXPECT_EQ(files(), before);
}

TEST_F(Outputs, CancellingLeavesNothing) {
  make_recording("in.bin", 8, {50000});
  const auto before = files();
  testing::expect_error(ErrorCode::cancelled, "cancelled", [&] {
    run(kPhysical, {"execution.chunk_s=0.01"},
        [](const Progress& progress) { return progress.stage != "run"; });
  });
  EXPECT_EQ(files(), before);
}

TEST_F(Outputs, NotANumberIsAnErrorThatNamesThePlace) {
  std::vector<float> samples(3000, 1.0F);
  samples[2017] = std::numeric_limits<float>::quiet_NaN();
  samples[2500] = std::numeric_limits<float>::infinity();
  make_floats("in.bin", samples);
  const auto before = files();
  testing::expect_error(ErrorCode::corrupt_data, "2 samples", [&] { run(kPhysical); });
  testing::expect_error(ErrorCode::corrupt_data, "at frame 2017 of channel a",
                        [&] { run(kPhysical); });
  EXPECT_EQ(files(), before);
  run(kPhysical, {"raw.non_finite=fill"});
  EXPECT_EQ(read_floats("out.bin")[2017], 0.0F);
  run(kPhysical, {"raw.non_finite=pass"}, nullptr, true);
  EXPECT_TRUE(std::isnan(read_floats("out.bin")[2017]));
}

TEST_F(Outputs, EmptyAndOneSampleRecordingsGiveEmptyAndOneSampleOutputs) {
  for (const std::int64_t frames : {0, 1}) {
    make_recording("in.bin", 3, {frames});
    const auto report = run(R"({"weir_pipeline":1,"nodes":{
      "raw":{"op":"read","path":"in.bin"},"ref":{"op":"common_reference"},
      "band":{"op":"iir","band":"bandpass","cutoff_hz":[300,6000]},"med":{"op":"median","width":9},
      "lfp":{"op":"resample","rate_hz":1000},"taps":{"op":"fir","band":"lowpass","cutoff_hz":100,"length":31,"mode":"centred"},
      "s":{"op":"crossings","level":-3,"level_unit":"mad"},
      "a":{"op":"write","path":"a.bin"},"b":{"op":"write","path":"b.bin"},"c":{"op":"write","path":"c.csv"}},
      "edges":[["raw","ref"],["ref","band"],["band","med"],["med","a"],["raw","lfp"],["lfp","taps"],["taps","b"],["band","s"],["s","c"]]})",
                            {}, nullptr, true);
    for (const auto& output : report.outputs) {
      EXPECT_EQ(output.frames, output.node == "c" ? 0 : frames) << output.node;
    }
  }
}

TEST_F(Outputs, EventsCountFromTheStoredSegmentWhenOnlyPartIsRead) {
  std::vector<float> samples(2000, 0.0F);
  samples[1500] = 10;
  make_floats("in.bin", samples);
  run(R"({"weir_pipeline":1,"nodes":[{"id":"raw","op":"read","path":"in.bin","start":1200},
       {"id":"s","op":"crossings","level":5},{"id":"out","op":"write","path":"out.csv"}]})");
  EXPECT_THAT(read("out.csv"), HasSubstr("\n0,a,1500,1501,1500,10,1.5,1.501,0.001,0,1"));
}

TEST_F(Outputs, AProvenanceFileRunsAgainToTheSameBytes) {
  make_recording("in.bin", 5, {4000});
  run(kPhysical);
  const std::string first = read("out.bin");
  const auto spec = pipeline::load_spec(path("out.bin.weir.json"), {}, catalog::operators());
  pipeline::PlanOptions options;
  options.overwrite = true;
  pipeline::run(pipeline::make_plan(spec, {catalog::operators(), catalog::formats()}, options));
  EXPECT_EQ(read("out.bin"), first);
}

TEST_F(Outputs, MayBeARecordingAndTheEventsInsideIt) {
  make_recording("in.bin", 5, {4000});
  const auto spec = R"({"weir_pipeline":1,"nodes":{"raw":{"op":"read","path":"in.bin"},
    "s":{"op":"crossings","level":-20},"events":{"op":"write","path":"a.zarr/events/s"},
    "out":{"op":"write","path":"a.zarr"}},"edges":[["raw","out"],["raw","s"],["s","events"]]})";
  run(spec);
  EXPECT_TRUE(std::filesystem::exists(path("a.zarr/traces_seg0")));
  EXPECT_TRUE(std::filesystem::exists(path("a.zarr/events/s/onset_sample")));
  const auto first = contents("a.zarr");
  run(spec, {}, nullptr, true);
  EXPECT_EQ(contents("a.zarr"), first);
}

class OutputFolder : public GraphTest {
 protected:
  pipeline::Report run_into(const pipeline::Spec& spec, const std::string& folder,
                            bool overwrite = false) {
    pipeline::PlanOptions options;
    options.overwrite = overwrite;
    if (!folder.empty()) {
      options.output_dir = path(folder);
    }
    return pipeline::run(
        pipeline::make_plan(spec, {catalog::operators(), catalog::formats()}, options));
  }
  pipeline::Spec parsed(const std::string& text) {
    return pipeline::parse_spec(text, pipeline::SpecLanguage::json, path(""), {},
                                catalog::operators());
  }
  pipeline::Spec of_provenance(const std::string& name) {
    return pipeline::load_spec(path(name), {}, catalog::operators());
  }
};

TEST_F(OutputFolder, IsWhereTheProvenanceRunsAgain) {
  make_recording("in.bin", 5, {4000});
  run_into(parsed(kPhysical), "there");
  const auto first = contents("there");
  const auto before = files();
  const auto spec = of_provenance("there/out.bin.weir.json");
  testing::expect_error(ErrorCode::output_exists, "there/out.bin: exists",
                        [&] { run_into(spec, ""); });
  run_into(spec, "", true);
  EXPECT_EQ(contents("there"), first);
  EXPECT_EQ(files(), before);
  run_into(spec, "elsewhere");
  EXPECT_EQ(contents("elsewhere"), first);
}

TEST_F(OutputFolder, TakesTheLastPartOfAPathOrAllThatIsInsideAStore) {
  make_recording("in.bin", 5, {4000});
  auto spec = parsed(R"({"weir_pipeline":1,"nodes":{"raw":{"op":"read","path":"in.bin"},
    "s":{"op":"crossings","level":-20},"events":{"op":"write","path":"../a/{stem}.zarr/events/s"},
    "out":{"op":"write","path":"../a/{stem}.zarr"}},
    "edges":[["raw","out"],["raw","s"],["s","events"]]})");
  spec.execution.resume = true;
  run_into(spec, "there");
  EXPECT_TRUE(std::filesystem::exists(path("there/in.zarr/traces_seg0")));
  EXPECT_TRUE(std::filesystem::exists(path("there/in.zarr/events/s/onset_sample")));
  EXPECT_THAT(contents("there"), Each(Key(Not(HasSubstr("checkpoint")))));
}

TEST_F(OutputFolder, RefusesTwoOutputsOfOneName) {
  make_recording("in.bin", 2, {10});
  const auto spec = parsed(R"({"weir_pipeline":1,"nodes":{"raw":{"op":"read","path":"in.bin"},
    "out":{"op":"write","path":"../x/a.bin"},"twin":{"op":"write","path":"../y/a.bin"}},
    "edges":[["raw","out"],["raw","twin"]]})");
  const auto before = files();
  testing::expect_error(ErrorCode::invalid_spec,
                        "there/a.bin is written by \"out\" already; --output-dir keeps only the "
                        "last part of a path",
                        [&] { run_into(spec, "there"); });
  make_recording("in2.bin", 2, {10});
  testing::expect_error(
      ErrorCode::invalid_spec, "the last part of the path needs {stem} or {input}", [&] {
        run_into(parsed(R"({"weir_pipeline":1,"nodes":[{"id":"raw","op":"read","path":"in*.bin"},
                           {"id":"out","op":"write","path":"{stem}/a.bin"}]})"),
                 "there");
      });
}

TEST_F(Outputs, APlanOverTheCapNamesTheLargestClaim) {
  make_recording("in.bin", 64, {1000});
  const auto before = files();
  testing::expect_error(ErrorCode::out_of_memory, "largest claim",
                        [&] { plan(kPhysical, {"execution.memory=10 kB"}); });
  EXPECT_EQ(files(), before);
}

TEST_F(Outputs, AnInputIsNeverAnOutput) {
  make_recording("in.bin", 2, {10});
  const std::string onto_input = "out.path=" + path("in.bin").string();
  testing::expect_error(ErrorCode::invalid_spec, "is also an input",
                        [&] { plan(kPhysical, {onto_input}, true); });
  try {
    plan(kPhysical, {onto_input});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.text(), Not(HasSubstr("--overwrite")));
  }
}

TEST_F(Outputs, ShareNoFileThatComesWithAnother) {
  make_recording("in.bin", 2, {1000});
  const auto refused = [&](const std::string& part, const std::string& snippets,
                           const std::string& other, const std::string& table) {
    testing::expect_error(ErrorCode::invalid_spec, part, [&] {
      plan(fmt::format(R"({{"weir_pipeline":1,"nodes":{{"raw":{{"op":"read","path":"in.bin"}},
        "s":{{"op":"crossings","level":1}},"m":{{"op":"read_events","path":"{}"}},"w":{{"op":"snippets"}},
        "a":{{"op":"write","path":"{}","overwrite":true}},"b":{{"op":"write","path":"{}","overwrite":true}}}},
        "edges":[["raw","s"],["raw","w"],["m","w"],["w","a"],["s","b"]]}})",
                       table, snippets, other));
    });
  };
  write_text_file(path("m.npy.csv").string(), "onset_s\n0.01\n");
  refused("o.npy.csv is written by \"a\" already", "o.npy", "o.npy.csv", "m.npy.csv");
  refused("m.npy.csv is also an input", "m.npy", "o.csv", "m.npy.csv");
}

TEST_F(Outputs, ReplaceNoFolderThatIsNotWeirs) {
  make_recording("in.bin", 2, {1000});
  std::filesystem::create_directories(path("out.bin/precious"));
  testing::expect_error(ErrorCode::output_exists, "out.bin: is a folder that weir did not write",
                        [&] { plan(kPhysical, {"out.path=" + path("out.bin").string()}, true); });
  EXPECT_TRUE(std::filesystem::exists(path("out.bin/precious")));
}

TEST_F(Outputs, AreOnePathWhateverFolderItIsReachedBy) {
  make_recording("in.bin", 2, {10});
  std::filesystem::create_directories(path("real"));
  std::filesystem::create_directory_symlink(path("real"), path("link"));
  testing::expect_error(ErrorCode::invalid_spec, "link/a.bin is written by \"out\" already", [&] {
    plan(R"({"weir_pipeline":1,"nodes":{"raw":{"op":"read","path":"in.bin"},
      "out":{"op":"write","path":"real/a.bin"},"twin":{"op":"write","path":"link/a.bin"}},
      "edges":[["raw","out"],["raw","twin"]]})");
  });
}

}  // namespace
}  // namespace weir::tests
