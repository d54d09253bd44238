#include "weir/core/temporary_file.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "weir/testing/conformance.h"

namespace weir {
namespace {

std::filesystem::path fresh_folder() {
  std::string name = ::testing::TempDir() + "/weir-temporary-XXXXXX";
  EXPECT_NE(::mkdtemp(name.data()), nullptr);
  return name;
}

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

TEST(TemporaryFile, ReadsWhatWasWrittenAnywhere) {
  TemporaryFile file(fresh_folder());
  const std::string text = "samples";
  file.write(100'000, bytes_of(text));
  file.write(3, bytes_of(text));
  std::string back(text.size(), ' ');
  file.read(100'000, std::as_writable_bytes(std::span(back)));
  EXPECT_EQ(back, text);
  file.read(4, std::as_writable_bytes(std::span(back)).first(6));
  EXPECT_EQ(back.substr(0, 6), "amples");
}

TEST(TemporaryFile, LeavesNoNameInTheFolder) {
  const auto folder = fresh_folder();
  TemporaryFile file(folder);
  file.write(0, bytes_of("x"));
  EXPECT_TRUE(std::filesystem::is_empty(folder));
}

TEST(TemporaryFile, Moves) {
  TemporaryFile first(fresh_folder());
  first.write(0, bytes_of("abc"));
  TemporaryFile second = std::move(first);
  std::string back(3, ' ');
  second.read(0, std::as_writable_bytes(std::span(back)));
  EXPECT_EQ(back, "abc");
}

TEST(TemporaryFile, NamesTheFolderThatIsMissingOrTheDataThatEnds) {
  testing::expect_error(ErrorCode::not_found, "/nowhere/at/all",
                        [] { TemporaryFile("/nowhere/at/all"); });
  const auto folder = fresh_folder();
  const TemporaryFile file(folder);
  testing::expect_error(ErrorCode::io, folder.string() + ": temporary data ends early", [&] {
    std::byte byte{};
    file.read(0, {&byte, 1});
  });
}

TEST(TemporaryFile, FolderIsTheConfiguredOne) {
  EXPECT_EQ(temporary_folder("/scratch"), "/scratch");
  EXPECT_FALSE(temporary_folder({}).empty());
}

}  // namespace
}  // namespace weir
