#include "weir/testing/fuzz.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace weir::testing {
namespace {
std::vector<std::filesystem::path> corpus_of(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code missing;
  for (const auto& entry : std::filesystem::directory_iterator(folder, missing)) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// `__FILE__` may be relative to the build folder (ccache makes it so): "../../weir/…".
std::filesystem::path in_source_tree(const std::filesystem::path& file) {
  std::filesystem::path inside;
  for (const auto& part : file) {
    if (part != "..") {
      inside /= part;
    }
  }
  return std::filesystem::path(WEIR_SOURCE_DIR) / inside;  // An absolute path stays as it is.
}
}  // namespace

void replay_corpus(const std::filesystem::path& source_file, FuzzBody body) {
  const auto folder = in_source_tree(source_file).parent_path() / "corpus";
  const auto files = corpus_of(folder);
  ASSERT_FALSE(files.empty()) << folder << " holds no file";
  body({});
  for (const auto& file : files) {
    SCOPED_TRACE(file.string());
    std::ifstream stream(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    const auto bytes = std::as_bytes(std::span(text));
    for (const std::size_t length : {bytes.size(), bytes.size() / 2, bytes.size() * 9 / 10}) {
      body(bytes.first(length));
    }
  }
}

}  // namespace weir::testing
