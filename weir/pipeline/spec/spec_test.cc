#include "weir/pipeline/spec/spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "weir/core/text.h"
#include "weir/pipeline/spec/spec_operators_internal.h"
#include "weir/testing/conformance.h"

namespace weir::pipeline {
namespace {
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using weir::testing::expect_error;

constexpr std::string_view kToml = R"(
weir_pipeline = 1
edges = [["raw", "band"], ["band", "spikes"], ["spikes.events", "events"], ["band", "clean"]]

[nodes.raw]
op = "read"
path = "rec.bin"

[nodes.band]
op = "filter"
cutoff_hz = [300, 6000]

[nodes.spikes]
op = "level"

[nodes.events]
op = "write"
path = "out/spikes.csv"

[nodes.clean]
op = "write"
path = "out/{node}.zarr"
dtype = "int16"

[execution]
memory = "2 GiB"
)";

Spec parse_toml_spec(std::string_view text, const std::vector<std::string>& overrides = {}) {
  return parse_spec(text, SpecLanguage::toml, "/data/session", overrides, test_operators());
}

Spec parse_json_spec(std::string_view text, const std::vector<std::string>& overrides = {}) {
  return parse_spec(text, SpecLanguage::json, "/data/session", overrides, test_operators());
}

/// A spec of one chain with `middle` as JSON between read and write.
std::string chain(const std::string& middle) {
  return R"({"weir_pipeline": 1, "nodes": [{"id": "raw", "op": "read", "path": "a.bin"}, )" +
         middle + R"(, {"id": "out", "op": "write", "path": "o.zarr"}]})";
}

void expect_problem(const std::string& text, const std::string& part,
                    ErrorCode code = ErrorCode::invalid_spec) {
  expect_error(code, part, [&] { parse_json_spec(text); });
}

std::vector<std::string> ids(const Spec& spec) {
  std::vector<std::string> out;
  for (const auto& node : spec.nodes) {
    out.push_back(node.id);
  }
  return out;
}

TEST(Spec, KeepsNodesInTheOrderOfTheDocument) {
  const Spec spec = parse_toml_spec(kToml);
  EXPECT_THAT(ids(spec), ElementsAre("raw", "band", "spikes", "events", "clean"));
  EXPECT_EQ(spec.find("band")->op, "filter");
  EXPECT_EQ(to_json(spec.find("band")->params), R"({"cutoff_hz":[300,6000]})");
  EXPECT_EQ(spec.find("nothing"), nullptr);
  EXPECT_EQ(spec.execution.memory, "2 GiB");
  EXPECT_EQ(spec.text, kToml);
}

TEST(Spec, SplitsPortsFromEdges) {
  const Spec spec = parse_toml_spec(kToml);
  ASSERT_EQ(spec.edges.size(), 4);
  EXPECT_EQ(spec.edges[2].from, "spikes");
  EXPECT_EQ(spec.edges[2].from_port, "events");
  EXPECT_EQ(spec.edges[2].to, "events");
}

TEST(Spec, ReadsAnArrayOfNodesAsOneChain) {
  const Spec spec = parse_json_spec(chain(R"({"id": "f", "op": "filter", "cutoff_hz": 300})"));
  ASSERT_EQ(spec.edges.size(), 2);
  EXPECT_EQ(spec.edges[1].from, "f");
  EXPECT_EQ(spec.edges[1].to, "out");
}

TEST(Spec, SaysTheSameInTomlAndJson) {
  const Spec toml = parse_toml_spec(kToml);
  const Spec json = parse_json_spec(R"({"weir_pipeline": 1, "execution": {"memory": "2 GiB"},
    "nodes": {"clean": {"op": "write", "path": "out/clean.zarr", "dtype": "int16"},
              "events": {"op": "write", "path": "/data/session/out/spikes.csv"},
              "raw": {"op": "read", "path": ["./rec.bin"]}, "spikes": {"op": "level"},
              "band": {"op": "filter", "cutoff": [300.0, 6000.0], "order": 5}},
    "edges": [["band", "clean"], ["spikes.events", "events"], ["band", "spikes"], ["raw", "band"]]})");
  Value from_toml = canonical(toml, test_operators());
  from_toml.find("nodes")->find("clean")->set("path", "/data/session/out/clean.zarr");
  EXPECT_EQ(to_json(from_toml, 1), to_json(canonical(json, test_operators()), 1));
}

TEST(Spec, CanonicalFormIsAFixedPoint) {
  const Value once = canonical(parse_toml_spec(kToml), test_operators());
  const Spec again =
      parse_spec(to_json(once, 2), SpecLanguage::json, "/elsewhere", {}, test_operators());
  EXPECT_EQ(to_json(canonical(again, test_operators()), 1), to_json(once, 1));
  EXPECT_EQ(once.at("nodes").at("raw").at("path").as_array()[0].as_string(),
            "/data/session/rec.bin");
  EXPECT_EQ(once.at("nodes").at("band").at("order").as_integer(), 5);
  EXPECT_EQ(once.at("nodes").at("raw").find("start"), nullptr);
  EXPECT_EQ(once.at("execution").at("split").as_string(), "exact");
}

TEST(Spec, CanonicalPathsKeepGlobsButNotThoseOfTheFolder) {
  const Spec spec = parse_spec(
      R"({"weir_pipeline": 1, "nodes": [{"id": "raw", "op": "read", "path": "*.bin"},
          {"id": "out", "op": "write", "path": "x.zarr"}]})",
      SpecLanguage::json, "/data/run[1]", {}, test_operators());
  const Value document = canonical(spec, test_operators());
  EXPECT_EQ(document.at("nodes").at("raw").at("path").as_array()[0].as_string(),
            "/data/run[[]1]/*.bin");
  EXPECT_EQ(document.at("nodes").at("out").at("path").as_string(), "/data/run[1]/x.zarr");
}

TEST(Spec, AppliesOverridesBeforeReading) {
  const std::vector<std::string> overrides{"band.cutoff=[200,5000]", "execution.threads=3",
                                           "raw.path=/d/other.bin", "raw.raw.rate_hz=30000"};
  for (const auto* key : {"cutoff", "cutoff_hz"}) {
    std::string text(kToml);
    text.replace(text.find("cutoff_hz"), 9, key);
    const Spec spec = parse_toml_spec(text, overrides);
    EXPECT_EQ(to_json(spec.find("band")->params), R"({"cutoff":[200,5000]})");
    EXPECT_EQ(spec.execution.threads, 3);
    EXPECT_EQ(to_json(spec.find("raw")->params),
              R"({"path":"/d/other.bin","raw":{"rate_hz":30000}})");
  }
}

TEST(Spec, RefusesOverridesThatNameNothing) {
  const auto refused = [](const std::string& text, const std::string& part) {
    expect_error(ErrorCode::invalid_spec, part, [&] { parse_toml_spec(kToml, {text}); });
  };
  refused("bond.order=3", "--set bond.order=3: no node is called \"bond\"; did you mean \"band\"?");
  refused("band", "--set band: expected node.field=value");
  refused("band=3", "expected node.field=value");
  refused("band.order", "expected node.field=value");
  refused("band.id=x", "a node's id cannot be changed here");
  refused("band.ordr=3", "node band (filter): ordr: unknown key; did you mean \"order\"?");
  refused("band.order.x=3", "node band (filter): order: expected integer, found object");
  refused("execution.thread=3", "execution.thread: unknown key; did you mean \"threads\"?");
}

TEST(Spec, NamesTheFieldThatIsWrong) {
  expect_problem(chain(R"({"id": "f", "op": "filter", "cutof_hz": 300})"),
                 "node f (filter): cutof_hz: unknown key; did you mean \"cutoff_hz\"?");
  expect_problem(chain(R"({"id": "f", "op": "filter"})"),
                 "node f (filter): cutoff_hz: is required");
  expect_problem(chain(R"({"id": "f", "op": "filter", "cutoff_hz": -1})"),
                 "node f (filter): cutoff_hz: -1 is too small; it must be above 0 Hz");
  expect_problem(chain(R"({"id": "f", "op": "fliter", "cutoff_hz": 300})"),
                 "node f: op: \"fliter\" is no operator; did you mean \"filter\"?");
  expect_problem(chain(R"({"id": "f", "op": 3})"), "node f: op: expected string, found integer");
  expect_problem(chain(R"({"id": "f"})"), "node f: op: is required");
  expect_problem(chain("7"), "nodes[1].id: is required in an array of nodes");
  expect_problem(chain(R"({"id": "a.b", "op": "level"})"), "node a.b: id: must be made of letters");
  expect_problem(chain(R"({"id": "", "op": "level"})"),
                 "nodes[1].id: is empty; call the node by a name of letters");
  expect_problem(R"({"weir_pipeline": 1, "nodes": {"": {"op": "level"}}, "edges": []})",
                 "nodes: a name: is empty; call");
  expect_problem(chain(R"({"id": "raw", "op": "level"})"), "node raw: id: two nodes have this id");
}

TEST(Spec, TellsWhereTheFieldsOfRawBelong) {
  expect_error(ErrorCode::invalid_spec,
               "node raw (read): rate_hz: is a field of raw, for files that do not say it: raw = "
               "{rate_hz = …}, or --set raw.raw.rate_hz=…",
               [] { parse_toml_spec(kToml, {"raw.rate_hz=30000"}); });
}

TEST(Spec, NamesUnknownKeysOfTheDocument) {
  expect_problem(R"({"weir_pipeline": 1, "node": {}})",
                 "node: unknown key; did you mean \"nodes\"?\nnodes: is required");
  expect_problem(R"({"weir_pipeline": 1, "nodes": []})", "nodes: a pipeline needs a read");
  expect_problem(R"({"weir_pipeline": 1, "nodes": 3})",
                 "nodes: expected an object or an array, found integer");
  expect_problem("[1]", "expected an object with weir_pipeline and nodes, found array");
}

TEST(Spec, ReportsEveryProblemAtOnce) {
  try {
    parse_json_spec(R"({"weir_pipeline": 1, "execution": {"memory": "lots", "threads": -1},
      "nodes": {"raw": {"op": "read", "pth": "x"}, "f": {"op": "filter", "order": "high"}},
      "edges": [["raw", "g"], ["raw", "f"]]})");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_spec);
    for (const auto* part :
         {"edges[0]: no node is called \"g\"; did you mean \"f\"?", "execution.memory: ",
          "execution.threads: -1 is too small", "node raw (read): pth: unknown key",
          "node raw (read): path: is required", "node f (filter): cutoff_hz: is required",
          "node f (filter): order: expected integer, found string",
          "node f (filter): leads to no write"}) {
      EXPECT_THAT(error.text(), HasSubstr(part));
    }
  }
}

TEST(Spec, RefusesVersionsItDoesNotRead) {
  expect_problem(R"({"nodes": {}})", "weir_pipeline: is required");
  expect_problem(R"({"weir_pipeline": 2, "nodes": {}})",
                 "weir_pipeline: version 2 needs a newer weir; this is weir ");
  expect_problem(R"({"weir_pipeline": "1", "nodes": {}})",
                 "weir_pipeline: expected a version number such as 1, found \"1\"");
  expect_problem(R"({"weir_provenance": 2, "spec": {}})", "weir_provenance: version 2 needs");
}

TEST(Spec, ChecksTablesOfEventsAsNodes) {
  expect_problem(chain(R"({"id": "m", "op": "read_events", "path": "m.csv", "pairs": []})"),
                 "node m (read_events): pairs: unknown key; known: path, stream, format, raw");
  expect_problem(chain(R"({"id": "m", "op": "read_events", "path": "m.csv"})"),
                 "node m (read_events): takes no input, but \"raw\" feeds it");
  expect_problem(R"({"weir_pipeline": 1, "nodes": [{"id": "t", "op": "read_events"},
                     {"id": "o", "op": "write", "path": "o.csv"}]})",
                 "node t (read_events): path: is required");
}

TEST(Spec, PlacesSyntaxErrors) {
  expect_problem("{\n  \"weir_pipeline\": 1,\n  oops}", "not valid JSON at line 3, column 3");
  expect_error(ErrorCode::invalid_spec, "not valid TOML at line 2, column ",
               [] { parse_toml_spec("weir_pipeline = 1\nnodes = = 3\n"); });
  expect_error(ErrorCode::invalid_spec, "line 2, column 5: inf and nan have no place in a spec",
               [] { parse_toml_spec("weir_pipeline = 1\nx = nan\n"); });
  expect_error(ErrorCode::invalid_spec, "dates have no place in a spec",
               [] { parse_toml_spec("weir_pipeline = 1\nx = 2026-01-01\n"); });
}

TEST(Spec, RefusesExecutionItCannotKeep) {
  const auto refused = [](const std::string& line, const std::string& part, ErrorCode code) {
    expect_error(code, part, [&] { parse_toml_spec(std::string(kToml) + line); });
  };
  refused("split = \"approximate\"", "execution.split: this version splits exactly only",
          ErrorCode::unsupported);
  refused("split = \"fast\"", "execution.split: \"fast\" is not one of", ErrorCode::invalid_spec);
  refused("temporary = \"much\"", "execution.temporary: ", ErrorCode::invalid_spec);
  expect_error(ErrorCode::invalid_spec,
               "execution.memory: 1 has no unit; write \"2 GiB\", \"512 MB\" or \"70% available\"",
               [] { parse_toml_spec(kToml, {"execution.memory=1"}); });
  refused("memroy = \"1 GiB\"", "execution.memroy: unknown key; did you mean \"memory\"?",
          ErrorCode::invalid_spec);
  const Spec spec = parse_toml_spec(std::string(kToml) + "temporary_dir = \"../scratch\"\n");
  EXPECT_EQ(spec.execution.temporary_dir, "/data/scratch");
}

class SpecFile : public ::testing::Test {
 protected:
  SpecFile() { std::filesystem::create_directories(folder_); }
  ~SpecFile() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_ =
      std::filesystem::path(::testing::TempDir()) /
      ("weir_spec_" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()) +
       ::testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(SpecFile, ResolvesPathsAgainstItsFolder) {
  write_text_file((folder_ / "run.toml").string(), kToml);
  const Spec spec = load_spec(folder_ / "run.toml", {}, test_operators());
  EXPECT_EQ(spec.base, folder_.lexically_normal());
  const Value document = canonical(spec, test_operators());
  EXPECT_EQ(document.at("nodes").at("raw").at("path").as_array()[0].as_string(),
            (folder_ / "rec.bin").string());
}

TEST_F(SpecFile, RepeatsTheSpecOfAProvenanceFile) {
  const Value held = canonical(parse_toml_spec(kToml), test_operators());
  Value provenance = Value::object();
  provenance.set("weir_provenance", 1);
  provenance.set("spec", held);
  provenance.set("spec_text", kToml);
  const auto path = folder_ / "spikes.csv.weir.json";
  write_text_file(path.string(), to_json(provenance, 2));
  const Spec spec = load_spec(path, {}, test_operators());
  EXPECT_EQ(canonical(spec, test_operators()), held);
}

TEST_F(SpecFile, NamesTheFileOnEveryLine) {
  const auto path = folder_ / "bad.json";
  write_text_file(path.string(), R"({"weir_pipeline": 1, "nods": {}})");
  try {
    load_spec(path, {}, test_operators());
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(split(error.text(), '\n'),
                ElementsAre(StartsWith(path.string() + ": nods: unknown key"),
                            StartsWith(path.string() + ": nodes: is required")));
  }
  expect_error(ErrorCode::not_found, "missing.toml",
               [&] { load_spec(folder_ / "missing.toml", {}, test_operators()); });
}

TEST(SpecSchema, ListsEveryOpWithItsFields) {
  const Value schema = spec_schema(test_operators());
  const Value& ops = schema.at("$defs").at("node").at("oneOf");
  EXPECT_EQ(ops.as_array().size(), 3 + test_operators().all().size());
  const Value& filter = schema.at("$defs").at("op_filter");
  EXPECT_EQ(to_json(filter.at("properties").at("op")), R"({"const":"filter"})");
  EXPECT_EQ(to_json(filter.at("required")), R"(["op"])");
  EXPECT_EQ(to_json(filter.at("allOf")),
            R"([{"anyOf":[{"required":["cutoff_hz"]},{"required":["cutoff"]}]}])");
  EXPECT_EQ(to_json(schema.at("$defs").at("op_read").at("required")), R"(["op","path"])");
  EXPECT_EQ(to_json(schema.at("properties").at("weir_pipeline")), R"({"const":1})");
}

}  // namespace
}  // namespace weir::pipeline
