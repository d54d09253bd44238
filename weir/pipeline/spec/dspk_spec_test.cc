#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weir/formats/json.h"
#include "weir/pipeline/spec/dspk_spec_internal.h"
#include "weir/pipeline/spec/spec.h"
#include "weir/pipeline/spec/spec_operators_internal.h"
#include "weir/testing/conformance.h"

namespace weir::pipeline {
namespace {
Value convert(const std::string& text) {
  return from_dspk(formats::parse_json(text));
}

TEST(DspkSpec, KeepsThatSystemsDefaults) {
  const Value document = convert(R"({"dspk_pipeline": 1, "nodes": {
      "raw": {"op": "read", "path": "a.bin"},
      "hp": {"op": "iir", "band": "highpass", "cutoff": [300.0]},
      "lp": {"op": "iir", "band": "lowpass", "cutoff": [6000.0], "mode": "forward", "order": 3},
      "ev": {"op": "crossings", "level": -5.0, "direction": "below"},
      "out": {"op": "write", "path": "e.csv", "format": "events", "parallel": true}},
    "edges": [["raw", "hp"], ["hp", "lp"], ["lp", "ev"], ["ev", "out"]],
    "execution": {"chunk_samples": 30000, "runtime": "cpu"}})");
  EXPECT_EQ(
      to_json(document),
      R"({"weir_pipeline":1,"nodes":{"raw":{"op":"read","path":"a.bin"},)"
      R"("hp":{"op":"iir","band":"highpass","cutoff_hz":[300.0],"mode":"zero_phase"},)"
      R"("lp":{"op":"iir","band":"lowpass","cutoff_hz":[6000.0],"mode":"forward","order":3},)"
      R"("ev":{"op":"crossings","level":-5.0,"direction":"below"},"out":{"op":"write","path":"e.csv"}},)"
      R"("edges":[["raw","hp"],["hp","lp"],["lp","ev"],["ev","out"]],"execution":{"target":"cpu"}})");
}

TEST(DspkSpec, ReadsChannelMaps) {
  const Value document = convert(R"({"dspk_pipeline": 1, "nodes": {
      "map": {"op": "remap", "base": 1, "pairs": [{"from": 2, "to": 1, "name": "a"}]},
      "more": {"op": "remap", "file": "map.toml"}}})");
  EXPECT_EQ(to_json(document.at("nodes")),
            R"({"map":{"op":"channel_map","base":1,"pairs":[{"from":2,"to":1,"name":"a"}]},)"
            R"("more":{"op":"channel_map","file":"map.toml"}})");
}

TEST(DspkSpec, RefusesByNameWhatHasNoCounterpart) {
  const auto refused = [](const std::string& text, const std::string& part) {
    testing::expect_error(ErrorCode::invalid_spec, part, [&] { convert(text); });
  };
  refused(R"({"dspk_pipeline": 2})", "dspk_pipeline: 2 is not read; known: 1");
  refused(R"({"dspk_pipeline": 1, "nodes": {"t": {"op": "teager"}}})",
          "node t: op: \"teager\" is not read from a dspk_pipeline; known: read, iir, whiten");
  refused(R"({"dspk_pipeline": 1, "nodes": {"f": {"op": "iir", "design": "bessel"}}})",
          "node f (iir): design: this key is not read from a dspk_pipeline");
  refused(R"({"dspk_pipeline": 1, "nodes": {"f": {"op": "iir", "mode": "both"}}})",
          "node f: mode: \"both\" is not one of: forward, zero_phase");
  refused(R"({"dspk_pipeline": 1, "nodes": {"w": {"op": "whiten", "epsilon": 1}}})",
          "node w (whiten): epsilon: is in squares of the unit there");
  refused(R"({"dspk_pipeline": 1, "nodes": {"w": {"op": "whiten", "fit_s": 10}}})",
          "node w (whiten): fit_s: the covariance is measured in 20 stretches");
  refused(R"({"dspk_pipeline": 1, "nodes": {"f": 3}})", "node f: op: a missing op is not read");
  refused(R"({"dspk_pipeline": 1, "nodes": {}, "execution": {"runtime": "wgpu"}})",
          "execution.runtime: \"wgpu\" has no counterpart here; known: cpu, cuda");
  refused(R"({"dspk_pipeline": 1, "views": {}})", "views: this key is not read");
}

TEST(DspkSpec, IsReadWhereASpecIs) {
  const Spec spec = parse_spec(
      "dspk_pipeline = 1\nedges = [[\"raw\", \"out\"]]\n[nodes.raw]\nop = \"read\"\npath = "
      "\"a.bin\"\n[nodes.out]\nop = \"write\"\npath = \"o.zarr\"\nformat = \"zarr\"\n",
      SpecLanguage::toml, "/data", {"raw.start=5"}, test_operators());
  EXPECT_EQ(spec.nodes.size(), 2);
  EXPECT_EQ(spec.find("raw")->params.at("start").as_integer(), 5);
  EXPECT_EQ(spec.find("out")->params.at("format").as_string(), "zarr");
}

}  // namespace
}  // namespace weir::pipeline
