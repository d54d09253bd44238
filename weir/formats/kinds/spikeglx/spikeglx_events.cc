#include "weir/formats/kinds/spikeglx/spikeglx_events.h"

#include <fmt/format.h>

#include "weir/core/text.h"
#include "weir/formats/digital_lines.h"
#include "weir/formats/kinds/spikeglx/spikeglx.h"
#include "weir/formats/kinds/spikeglx/spikeglx_channels.h"
#include "weir/formats/recording_document.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;
constexpr std::int64_t kMostMetaBytes = std::int64_t{16} << 20;
constexpr int kWordBits = 16;

struct Stream {
  std::string name;
  std::vector<DigitalLine> lines;
};

/// The streams of words that a file has.
std::vector<Stream> streams_of(const fs::path& path) {
  const fs::path header = fs::path(path).replace_extension(".meta");
  const std::string text = read_text_file(header.string(), kMostMetaBytes);
  const auto words = reading_document(header.string(), [&] {
    std::vector<std::string> ignored;  // `open` gives them.
    return read_spikeglx_channels(SpikeglxMeta::parse(text), ignored).words;
  });
  std::vector<Stream> streams;
  for (const bool sync : {true, false}) {
    Stream stream{sync ? "sync" : "digital", {}};
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
  return streams;
}
}  // namespace

std::vector<EventStreamInfo> list_spikeglx_events(const fs::path& path, const OpenOptions&) {
  const auto recording = spikeglx_format().open(path, {});
  std::vector<EventStreamInfo> listed;
  for (const auto& stream : streams_of(path)) {
    listed.push_back(describe_lines(stream.name, recording->info(), stream.lines));
  }
  return listed;
}

std::unique_ptr<EventSource> open_spikeglx_events(const fs::path& path,
                                                  const OpenOptions& options) {
  std::shared_ptr<const RecordingSource> recording = spikeglx_format().open(path, {});
  auto streams = streams_of(path);
  std::vector<EventStreamInfo> infos;
  for (const auto& stream : streams) {
    infos.push_back(describe_lines(stream.name, recording->info(), stream.lines));
  }
  Stream& chosen = streams[choose_events(infos, options.stream, path.string())];
  return make_digital_lines(chosen.name, std::move(recording), std::move(chosen.lines));
}

}  // namespace weir::formats
