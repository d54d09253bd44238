#include "weir/formats/kinds/intan/intan_events.h"

#include <fmt/format.h>

#include "weir/core/error.h"
#include "weir/formats/digital_lines.h"
#include "weir/formats/kinds/intan/intan.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;

struct Words {
  std::string name;
  std::shared_ptr<const RecordingSource> recording;
  std::vector<DigitalLine> lines;
};

/// The streams of words that a recording has.
std::vector<Words> words_of(const fs::path& path) {
  intan_format().open(path, {});  // What is wrong with the file itself is no missing stream.
  std::vector<Words> found;
  for (const auto& [name, prefix] :
       {std::pair{"digitalin", "IN"}, std::pair{"digitalout", "OUT"}}) {
    OpenOptions options;
    options.stream = name;
    try {
      Words words{name, intan_format().open(path, options), {}};
      for (int bit = 0; bit < 16; ++bit) {
        words.lines.push_back({fmt::format("DIGITAL-{}-{:02}", prefix, bit), 0, bit});
      }
      found.push_back(std::move(words));
    } catch (const Error& error) {
      if (error.code() != ErrorCode::not_found) {
        throw;
      }
    }
  }
  return found;
}

std::vector<EventStreamInfo> describe(const std::vector<Words>& found) {
  std::vector<EventStreamInfo> infos;
  infos.reserve(found.size());
  for (const auto& words : found) {
    infos.push_back(describe_lines(words.name, words.recording->info(), words.lines));
  }
  return infos;
}
}  // namespace

std::vector<EventStreamInfo> list_intan_events(const fs::path& path, const OpenOptions&) {
  return describe(words_of(path));
}

std::unique_ptr<EventSource> open_intan_events(const fs::path& path, const OpenOptions& options) {
  auto found = words_of(path);
  Words& words = found[choose_events(describe(found), options.stream, path.string())];
  return make_digital_lines(words.name, words.recording, words.lines);
}

}  // namespace weir::formats
