#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "weir/core/error.h"
#include "weir/core/temporary_file.h"
#include "weir/testing/format_conformance.h"

namespace weir::testing {

ScratchFolder::ScratchFolder() {
  std::string name = (temporary_folder({}) / "weir-test-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    throw_errno(name, "cannot make a folder");
  }
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;  // A test may have taken a folder's permissions away.
  std::filesystem::remove_all(path_, ignored);
}

void write_bytes(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  ASSERT_TRUE(file.good()) << path;
}

void write_string(const std::filesystem::path& path, const std::string& text) {
  write_bytes(path, std::as_bytes(std::span(text)));
}

std::string read_string(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.good()) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::pair<std::string, std::string>> folder_content(
    const std::filesystem::path& folder) {
  std::vector<std::pair<std::string, std::string>> content;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) {
      content.emplace_back(entry.path().lexically_relative(folder).string(),
                           read_string(entry.path()));
    }
  }
  std::sort(content.begin(), content.end());
  return content;
}

}  // namespace weir::testing
