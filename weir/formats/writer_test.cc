#include "weir/formats/writer.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "weir/core/error.h"
#include "weir/formats/replaced_output.h"
#include "weir/formats/saved_writer.h"
#include "weir/testing/conformance.h"
#include "weir/testing/format_conformance.h"

namespace weir::formats {
namespace {
using testing::expect_error;
using testing::read_string;
using testing::ScratchFolder;
using testing::write_string;

TEST(Writer, RefusesAnExistingOutputUnlessToldOtherwise) {
  const ScratchFolder folder;
  check_output(folder / "new.bin", false);
  check_output(folder / "not" / "yet" / "made" / "new.bin", false);
  write_string(folder / "old.bin", "x");
  expect_error(ErrorCode::output_exists, "--overwrite",
               [&] { check_output(folder / "old.bin", false); });
  check_output(folder / "old.bin", true);
  std::filesystem::create_symlink(folder / "nowhere", folder / "link.bin");
  expect_error(ErrorCode::output_exists, "link.bin",
               [&] { check_output(folder / "link.bin", false); });
}

TEST(Writer, RefusesAFolderItCannotWriteIn) {
  const ScratchFolder folder;
  write_string(folder / "file", "x");
  expect_error(ErrorCode::io, "not a folder",
               [&] { check_output(folder / "file" / "out.bin", false); });
  if (::geteuid() == 0) {
    GTEST_SKIP() << "root may write everywhere";
  }
  std::filesystem::create_directory(folder / "closed");
  ::chmod((folder / "closed").c_str(), 0500);
  expect_error(ErrorCode::io, "closed",
               [&] { check_output(folder / "closed" / "out.bin", false); });
}

TEST(Writer, CommitsSidecarAndProvenanceWithTheData) {
  const ScratchFolder folder;
  const auto path = folder / "rec.bin";
  write_string(partial_path(path), "data");
  commit_partial(path, folder / "rec.bin.json", "sidecar", "provenance", false);
  EXPECT_EQ(read_string(path), "data");
  EXPECT_EQ(read_string(folder / "rec.bin.json"), "sidecar");
  EXPECT_EQ(read_string(folder / "rec.bin.weir.json"), "provenance");
  EXPECT_EQ(testing::folder_content(folder.path()).size(), 3U);
}

TEST(Writer, ReplacesAFolderWhole) {
  const ScratchFolder folder;
  const auto path = folder / "rec.zarr";
  std::filesystem::create_directory(path);
  write_string(path / "old", "old");
  std::filesystem::create_directory(partial_path(path));
  write_string(partial_path(path) / "new", "new");
  expect_error(ErrorCode::output_exists, "appeared",
               [&] { commit_partial(path, {}, {}, {}, false); });
  commit_partial(path, {}, {}, {}, true);
  EXPECT_EQ(testing::folder_content(folder.path()),
            (std::vector<std::pair<std::string, std::string>>{{"rec.zarr/new", "new"}}));
}

TEST(Writer, LosesNothingWhenAReplacementFails) {
  const ScratchFolder folder;
  const auto path = folder / "rec.bin";
  write_string(path, "old data");
  write_string(folder / "rec.bin.json", "old sidecar");
  // There is no partial file to put in place.
  expect_error(ErrorCode::not_found, "rec.bin", [&] {
    commit_partial(path, folder / "rec.bin.json", "new sidecar", "new provenance", true);
  });
  EXPECT_EQ(testing::folder_content(folder.path()),
            (std::vector<std::pair<std::string, std::string>>{{"rec.bin", "old data"},
                                                              {"rec.bin.json", "old sidecar"}}));
}

TEST(Writer, TellsOfAReplacementThatWasCutShortAndMendsIt) {
  const ScratchFolder folder;
  const auto path = folder / "rec.bin";
  EXPECT_EQ(mend_replacement(path), "");
  write_string(path, "old data");
  set_aside(replacement_of(path));
  write_string(folder / "rec.bin.json", "new sidecar");
  write_string(partial_path(path), "new data");
  expect_error(ErrorCode::output_exists, "rec.bin.weir-old/data",
               [&] { check_output(path, false); });
  check_output(path, true);
  EXPECT_NE(mend_replacement(path).find("put back, and what that run had written is"),
            std::string::npos);
  EXPECT_EQ(read_string(path), "old data");
  EXPECT_FALSE(std::filesystem::exists(folder / "rec.bin.json"));
  EXPECT_EQ(mend_replacement(path), "");
}

TEST(Writer, ReplacesATableInAStoreWithoutTouchingTheStore) {
  EXPECT_EQ(replacement_of("out/rec.zarr/events/a b").aside, "out/rec.zarr.weir-old-events.a b");
  EXPECT_EQ(replacement_of("out/rec.zarr").aside, "out/rec.zarr.weir-old");
}

TEST(Writer, KeepsThePartialOfATableInAStoreOutsideOfIt) {
  EXPECT_EQ(partial_path("out/rec.bin"), "out/rec.bin.weir-partial");
  EXPECT_EQ(partial_path("out/rec.zarr"), "out/rec.zarr.weir-partial");
  EXPECT_EQ(partial_path("out/rec.zarr/events/a b"), "out/rec.zarr.weir-partial-events.a b");
}

TEST(Writer, RefusesSavedBytesOfAnotherWriter) {
  Value fields = Value::object();
  fields.set("list", to_value(std::vector<std::int64_t>{1, 2}));
  const auto bytes = encode_saved("raw", {fields, {std::byte{0}, std::byte{7}}});
  const auto saved = decode_saved("raw", bytes);
  EXPECT_EQ(to_integers(saved.fields.at("list")), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(saved.pending, (std::vector<std::byte>{std::byte{0}, std::byte{7}}));
  expect_error(ErrorCode::corrupt_data, "zarr writer", [&] { decode_saved("zarr", bytes); });
  expect_error(ErrorCode::corrupt_data, "cut short",
               [&] { decode_saved("raw", std::span(bytes).first(5)); });
}

}  // namespace
}  // namespace weir::formats
