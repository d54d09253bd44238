#include <gtest/gtest.h>

#include <filesystem>

#include "weir/core/text.h"
#include "weir/pipeline/spec/spec.h"
#include "weir/pipeline/spec/spec_operators_internal.h"
#include "weir/testing/conformance.h"

namespace weir::pipeline {
namespace {
/// A folder of this test's own.
std::filesystem::path folder() {
  const std::filesystem::path made =
      std::filesystem::path(::testing::TempDir()) /
      ::testing::UnitTest::GetInstance()->current_test_info()->name();
  std::filesystem::create_directories(made);
  return made;
}

/// The lookup node of a chain in `base`.
Value lookup(const std::string& fields, const std::filesystem::path& base,
             const std::vector<std::string>& overrides = {}) {
  const std::string text =
      R"({"weir_pipeline": 1, "nodes": [{"id": "raw", "op": "read", "path": "a.bin"},
    {"id": "look", "op": "lookup", )" +
      fields + R"(}, {"id": "out", "op": "write", "path": "o.bin"}]})";
  const Spec spec = parse_spec(text, SpecLanguage::json, base, overrides, test_operators());
  const Value document = canonical(spec, test_operators());
  return document.at("nodes").at("look");
}

TEST(FieldFiles, AreMeantFromTheSpecsFolder) {
  const Value node = lookup(R"("file": ["w.npy", "/b/../v.npy"])", "/data/session");
  EXPECT_EQ(to_json(node.at("files")), R"(["/data/session/w.npy","/v.npy"])");
}

TEST(FieldFiles, AreMeantFromTheCurrentFolderWhenTyped) {
  const auto here = std::filesystem::current_path();
  const Value node = lookup(R"("files": "w.npy")", "/data", {"look.file=sub/v.npy"});
  EXPECT_EQ(node.at("files"), Value(Value::Array{(here / "sub/v.npy").string()}));
  const Spec spec = parse_spec(
      R"({"weir_pipeline": 1, "nodes": [{"id": "raw", "op": "read", "path": "a.bin"},
          {"id": "out", "op": "write", "path": "o.bin"}]})",
      SpecLanguage::json, "/data",
      {"raw.path=[\"x.bin\",\"*.bin\"]", "out.path=o.bin", "execution.temporary_dir=tmp"},
      test_operators());
  EXPECT_EQ(spec.find("raw")->params.at("path").as_array()[0], Value((here / "x.bin").string()));
  EXPECT_EQ(spec.find("raw")->params.at("path").as_array()[1], Value((here / "*.bin").string()));
  EXPECT_EQ(spec.find("out")->params.at("path"), Value((here / "o.bin").string()));
  EXPECT_EQ(spec.execution.temporary_dir, (here / "tmp").string());
}

TEST(FieldFiles, PutsADocumentInPlaceOfItsName) {
  const auto base = folder();
  write_text_file((base / "map.toml").string(), "[remap]\nbase = 1\n");
  write_text_file((base / "map.json").string(), R"({"remap": {"base": 1}})");
  for (const char* fields :
       {R"("map": "map.toml")", R"("map": "map.json")", R"("map": {"remap": {"base": 1}})"}) {
    EXPECT_EQ(to_json(lookup(fields, base).at("map")), R"({"remap":{"base":1}})") << fields;
  }
}

TEST(FieldFiles, NamesTheDocumentThatIsWrong) {
  const auto base = folder();
  write_text_file((base / "list.json").string(), "[1]");
  write_text_file((base / "bad.toml").string(), "[remap\n");
  const auto refused = [&](ErrorCode code, const std::string& fields, const std::string& part) {
    testing::expect_error(code, part, [&] { lookup(fields, base); });
  };
  refused(ErrorCode::not_found, R"("map": "none.json")", "node look (lookup): map: ");
  refused(ErrorCode::invalid_spec, R"("map": "list.json")", "expected an object, found array");
  refused(ErrorCode::invalid_spec, R"("map": "bad.toml")", "bad.toml: ");
  refused(ErrorCode::invalid_spec, R"("map": ".")", "is no ordinary file");
  refused(ErrorCode::invalid_spec, R"("map": "a\u0000b")", "map: holds a zero character");
}
}  // namespace
}  // namespace weir::pipeline
