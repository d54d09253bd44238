#include <gtest/gtest.h>

#include "weir/pipeline/spec/spec.h"
#include "weir/pipeline/spec/spec_operators_internal.h"
#include "weir/testing/conformance.h"

namespace weir::pipeline {
namespace {
/// A spec with two reads' worth of nodes to connect: raw, a, b, c (level), out, out2.
std::string connected(const std::string& edges, const std::string& more = "") {
  return R"({"weir_pipeline": 1, "nodes": {"raw": {"op": "read", "path": "a.bin"},
    "a": {"op": "level"}, "b": {"op": "level"}, "c": {"op": "level"},
    "out": {"op": "write", "path": "o.zarr"})" +
         more + R"(}, "edges": )" + edges + "}";
}

void expect_problem(const std::string& text, const std::string& part) {
  testing::expect_error(ErrorCode::invalid_spec, part, [&] {
    parse_spec(text, SpecLanguage::json, "/data", {}, test_operators());
  });
}

TEST(Graph, AcceptsABranchingTree) {
  const auto text = connected(R"([["raw","a"],["a","b"],["a","c"],["b","out"],["c","two"]])",
                              R"(, "two": {"op": "write", "path": "two.zarr"})");
  EXPECT_NO_THROW(parse_spec(text, SpecLanguage::json, "/data", {}, test_operators()));
}

TEST(Graph, NamesTheNodesOfACycle) {
  expect_problem(connected(R"([["raw","out"],["a","b"],["b","c"],["c","a"]])"),
                 "edges: the nodes form a cycle: a -> b -> c -> a");
  expect_problem(connected(R"([["raw","a"],["a","a"],["a","out"]])"),
                 "edges: a -> a: a node cannot feed itself");
}

TEST(Graph, NamesUnknownNodes) {
  expect_problem(connected(R"([["raw","uot"]])"),
                 "edges[0]: no node is called \"uot\"; did you mean \"out\"?");
  expect_problem(connected(R"([["raw","a.in"]])"), "edges[0]: \"a.in\": a node has one input");
  expect_problem(connected(R"([["a.","b"]])"), "edges[0]: \"a.\": the port's name is missing");
  expect_problem(connected(R"([["raw"]])"), "edges[0]: expected [\"from\", \"to\"]");
  expect_problem(connected("7"), "edges: expected a list");
}

TEST(Graph, RefusesDoubleEdgesAndInputs) {
  expect_problem(connected(R"([["raw","a"],["raw","a"],["a","out"]])"),
                 "edges: raw -> a is given twice");
  expect_problem(connected(R"([["raw","a"],["raw","b"],["a","c"],["b","c"],["c","out"]])"),
                 "node c (level): takes one input, but a, b feed it");
  expect_problem(connected(R"([["raw","a"],["a","raw"],["a","out"]])"),
                 "node raw (read): takes no input, but \"a\" feeds it");
}

TEST(Graph, NamesNodesThatLeadNowhere) {
  expect_problem(connected(R"([["raw","a"],["a","b"],["raw","out"]])"),
                 "node b (level): leads to no write");
  expect_problem(connected(R"([["a","out"]])"), "node raw (read): leads to no write");
  expect_problem(connected(R"([["a","out"]])"), "node a (level): has no input");
  expect_problem(connected(R"([["raw","out"],["out","a"]])"),
                 "node out (write): has no output, but \"a\" expects one");
}

TEST(Graph, TakesOneRead) {
  expect_problem(connected(R"([["raw","out"]])", R"(, "r2": {"op": "read", "path": "b.bin"})"),
                 "nodes: raw, r2 are all reads; this version takes one, whose path may list many "
                 "files for join");
  expect_problem(R"({"weir_pipeline": 1, "nodes": [{"id": "out", "op": "write", "path": "o"}]})",
                 "nodes: a pipeline needs a read");
}

TEST(Graph, RefusesTwoWritesToOnePath) {
  expect_problem(connected(R"([["raw","out"],["raw","two"]])",
                           R"(, "two": {"op": "write", "path": "sub/../o.zarr"})"),
                 "node two (write): path: \"out\" writes to /data/o.zarr already");
  expect_problem(connected(R"([["raw","out"],["raw","o"]])",
                           R"(, "o": {"op": "write", "path": "{node}.zarr"})"),
                 "node o (write): path: \"out\" writes to /data/o.zarr already");
}

TEST(Graph, ChecksTheFieldsOfWrites) {
  const auto with = [](const std::string& fields) {
    return connected(R"([["raw","out"],["raw","two"]])",
                     R"(, "two": {"op": "write", )" + fields + "}");
  };
  expect_problem(with(R"("path": "t.zarr", "gain": 0.5)"),
                 "node two (write): gain: belongs to int16 output");
  expect_problem(with(R"("path": "t.zarr", "dtype": "int8")"),
                 "dtype: \"int8\" is not one of: float32, int16");
  expect_problem(with(R"("path": "t.zarr", "channels": [])"),
                 "node two (write): channels: the list is empty");
  expect_problem(with(R"("path": "t.zarr", "zarr_chunk_s": 0)"), "zarr_chunk_s: 0 is too small");
  expect_problem(with(R"("format": "zarr", "path": "{name}.zarr")"),
                 "path: \"{name}\" cannot be filled in; known: {input}, {stem}, {node}");
}

TEST(Graph, ChecksTheFieldsOfReads) {
  const auto with = [](const std::string& fields) {
    return R"({"weir_pipeline": 1, "nodes": [{"id": "raw", "op": "read", )" + fields +
           R"(}, {"id": "out", "op": "write", "path": "o"}]})";
  };
  expect_problem(with(R"("path": [])"), "node raw (read): path: the list is empty");
  expect_problem(with(R"("path": "")"), "node raw (read): path: is empty");
  expect_problem(with(R"("path": "a", "start": 5, "stop_s": 1)"),
                 "stop_s: a range is either in seconds (start_s, stop_s) or in samples");
  expect_problem(with(R"("path": "a", "start": 5, "stop": 5)"), "stop: 5 is not after the start");
  expect_problem(with(R"("path": "a", "channels": "4:2")"),
                 "node raw (read): channels: \"4:2\" is empty; the end is exclusive");
  expect_problem(with(R"("path": "a", "channels": {"grp": "s0"})"),
                 "channels: unknown key \"grp\"; did you mean \"group\"?");
  expect_problem(with(R"("path": "a", "raw": 3)"), "raw: expected an object, found integer");
  expect_problem(with(R"("path": "a", "join": "tim")"),
                 "join: \"tim\" is not one of: each, time, channels");
}

TEST(Graph, ALongChainNeedsNoDeepStack) {
  std::string nodes = R"({"id": "raw", "op": "read", "path": "a"})";
  for (int i = 0; i < 3000; ++i) {
    nodes += R"(, {"id": "n)" + std::to_string(i) + R"(", "op": "level"})";
  }
  const std::string text = R"({"weir_pipeline": 1, "nodes": [)" + nodes +
                           R"(, {"id": "out", "op": "write", "path": "o"}]})";
  EXPECT_EQ(parse_spec(text, SpecLanguage::json, "/", {}, test_operators()).edges.size(), 3001);
}

}  // namespace
}  // namespace weir::pipeline
