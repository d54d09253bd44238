#include "weir/formats/kinds/spikeglx/spikeglx_events.h"

#include <fmt/format.h>

#include <algorithm>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/digital_lines.h"
#include "weir/formats/kinds/spikeglx/spikeglx.h"
#include "weir/formats/kinds/spikeglx/spikeglx_channels.h"
#include "weir/formats/kinds/spikeglx/spikeglx_run.h"
#include "weir/formats/recording_document.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;
constexpr std::int64_t kMostMetaBytes = std::int64_t{16} << 20;
constexpr int kWordBits = 16;

struct Stream {
  std::string name;
  std::string recording;  ///< Which stream of a run; empty for a file.
  std::vector<DigitalLine> lines;
};

/// The streams of words in the files that have this header.
void add_streams(const fs::path& header, const std::string& recording,
                 std::vector<Stream>& streams) {
  const std::string text = read_text_file(header.string(), kMostMetaBytes);
  const auto words = reading_document(header.string(), [&] {
    std::vector<std::string> ignored;  // `open` gives them.
    return read_spikeglx_channels(SpikeglxMeta::parse(text), ignored).words;
  });
  for (const bool sync : {true, false}) {
    const std::string_view kind = sync ? "sync" : "digital";
    Stream stream{recording.empty() ? std::string(kind) : fmt::format("{} {}", recording, kind),
                  recording,
                  {}};
    const auto count = std::count_if(words.begin(), words.end(),
                                     [&](const auto& word) { return word.sync == sync; });
    if (count > kMostLabels / kWordBits) {
      throw Error(ErrorCode::unsupported,
                  fmt::format("{}: {} {} words have more than {} lines", header.string(),
                              grouped(count), kind, grouped(kMostLabels)));
    }
    for (const auto& word : words) {
      for (int bit = 0; bit < kWordBits && word.sync == sync; ++bit) {
        stream.lines.push_back(
            {fmt::format("{}{}", sync ? "SY" : "XD", word.number * kWordBits + bit), word.column,
             bit});
      }
    }
    if (!stream.lines.empty()) {
      streams.push_back(std::move(stream));
    }
  }
}

/// Those of a file, or of every stream of a run.
std::vector<Stream> streams_of(const fs::path& path) {
  std::vector<Stream> streams;
  std::error_code failure;
  const fs::path header = fs::path(path).replace_extension(".meta");
  if (!fs::is_directory(path, failure) && fs::is_regular_file(header, failure)) {
    add_streams(header, "", streams);
    return streams;
  }
  std::vector<std::string> seen;
  for (const auto& file : find_spikeglx_files(path)) {
    if (std::find(seen.begin(), seen.end(), file.stream) == seen.end()) {
      seen.push_back(file.stream);
      add_streams(fs::path(file.path).replace_extension(".meta"), file.stream, streams);
    }
  }
  return streams;
}

std::shared_ptr<const RecordingSource> recording_of(const fs::path& path, const Stream& stream) {
  OpenOptions options;
  options.stream = stream.recording;
  return spikeglx_format().open(path, options);
}
}  // namespace

std::vector<EventStreamInfo> list_spikeglx_events(const fs::path& path, const OpenOptions&) {
  std::vector<EventStreamInfo> listed;
  for (const auto& stream : streams_of(path)) {
    listed.push_back(describe_lines(stream.name, recording_of(path, stream)->info(), stream.lines));
  }
  return listed;
}

std::unique_ptr<EventSource> open_spikeglx_events(const fs::path& path,
                                                  const OpenOptions& options) {
  auto streams = streams_of(path);
  std::vector<EventStreamInfo> names(streams.size());
  std::transform(streams.begin(), streams.end(), names.begin(), [](const Stream& stream) {
    EventStreamInfo info;
    info.name = stream.name;
    return info;
  });
  const Stream& chosen = streams[choose_events(names, options.stream, path.string())];
  return make_digital_lines(chosen.name, recording_of(path, chosen), chosen.lines);
}

}  // namespace weir::formats
