#include "weir/formats/kinds/edf/edf.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/kinds/edf/edf_clock.h"
#include "weir/formats/kinds/edf/edf_events.h"
#include "weir/formats/kinds/edf/edf_header.h"
#include "weir/formats/kinds/edf/edf_writer.h"
#include "weir/formats/record_source.h"
#include "weir/formats/recording_document.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;

Match probe(const fs::path& path, std::span<const std::byte> head) {
  const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  if (text.starts_with("\xff"
                       "BIOSEMI")) {
    return Match::certain;
  }
  const bool numbered = text.size() >= 256 && text.substr(0, 8) == "0       " &&
                        text.substr(252, 4).find_first_not_of("0123456789 ") == text.npos;
  const bool named = ends_with_ignoring_case(path.string(), ".edf") ||
                     ends_with_ignoring_case(path.string(), ".bdf");
  return numbered ? Match::certain : named ? Match::by_name : Match::no;
}

/// Signals of one rate.
struct Stream {
  std::string name;  ///< "512 Hz"
  SampleRate rate;
  std::vector<std::int64_t> signals;
  std::int64_t electrical = 0;
  std::int64_t samples = 0;
};

std::vector<Stream> list_streams(const EdfHeader& header) {
  std::vector<Stream> streams;
  for (std::size_t i = 0; i < header.signals.size(); ++i) {
    const EdfSignal& signal = header.signals[i];
    if (signal.annotations || signal.samples == 0) {
      continue;
    }
    auto found = std::find_if(streams.begin(), streams.end(), [&](const Stream& stream) {
      return stream.samples == signal.samples;
    });
    if (found == streams.end()) {
      Stream stream;
      stream.samples = signal.samples;
      stream.rate = SampleRate(Rational(signal.samples) / header.record_s);
      stream.name = fmt::format("{} Hz", stream.rate.hz());
      found = streams.insert(streams.end(), std::move(stream));
    }
    found->signals.push_back(static_cast<std::int64_t>(i));
    found->electrical += is_electrical(signal.unit) ? 1 : 0;
  }
  if (streams.empty()) {
    throw Error(ErrorCode::unsupported, "holds annotations only, no samples");
  }
  return streams;
}

std::string list_names(const std::vector<Stream>& streams) {
  std::vector<std::string> names;
  names.reserve(streams.size());
  for (const auto& stream : streams) {
    names.push_back(fmt::format("{} ({} channel{})", stream.name, stream.signals.size(),
                                stream.signals.size() == 1 ? "" : "s"));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

/// The stream asked for ("100 Hz" or "100"), else the largest electrical one.
const Stream& choose(const std::vector<Stream>& streams, const std::string& wanted) {
  const auto weight = [](const Stream& stream) {
    return std::pair(stream.electrical * stream.samples,
                     std::ssize(stream.signals) * stream.samples);
  };
  const auto found =
      wanted.empty() ? std::max_element(
                           streams.begin(), streams.end(),
                           [&](const Stream& a, const Stream& b) { return weight(a) < weight(b); })
                     : std::find_if(streams.begin(), streams.end(), [&](const Stream& stream) {
                         return stream.name == wanted || stream.name == wanted + " Hz";
                       });
  if (found == streams.end()) {
    throw Error(ErrorCode::not_found,
                fmt::format("stream: no \"{}\"; it holds {}", wanted, list_names(streams)));
  }
  return *found;
}

/// Whole records in the file, whatever number the header tells.
std::int64_t count_records(const InputFile& file, const EdfHeader& header, RecordingInfo& info) {
  const std::int64_t bytes = file.size() - header.header_bytes;
  const std::int64_t there = bytes / header.record_bytes;
  const std::int64_t trailing = bytes % header.record_bytes;
  std::string text;
  if (header.records < 0) {
    text = fmt::format("the number of data records was never written; the file holds {}",
                       grouped(there));
  } else if (header.records != there) {
    text = fmt::format("holds {} whole data records where the header says {}", grouped(there),
                       grouped(header.records));
  }
  if (trailing > 0) {
    text += fmt::format("{}the last {} bytes make no whole record of {} and are ignored",
                        text.empty() ? "" : "; ", grouped(trailing), grouped(header.record_bytes));
  }
  if (!text.empty()) {
    info.warnings.push_back(text);
  }
  return there;
}

void warn_of_duplicates(const RecordingInfo& info, std::vector<std::string>& warnings) {
  std::map<std::string, std::vector<std::size_t>> places;
  for (std::size_t i = 0; i < info.channels.size(); ++i) {
    places[info.channels[i].name].push_back(i);
  }
  for (const auto& [name, which] : places) {
    if (which.size() > 1) {
      warnings.push_back(fmt::format("channels {} have the same name, {}; select them by index",
                                     fmt::join(which, ", "), name));
    }
  }
}

void describe(const EdfHeader& header, const std::vector<Stream>& streams, const Stream& stream,
              RecordingInfo& info) {
  info.rate = stream.rate;
  info.stored = header.sample_bytes == 2 ? StoredType::int16 : StoredType::int24;
  info.order = SampleOrder::channel_major;  // Within a record.
  info.start_time = header.start_time;
  for (const std::int64_t index : stream.signals) {
    info.channels.push_back(
        edf_channel(header.signals[static_cast<std::size_t>(index)], index, info.warnings));
  }
  warn_of_duplicates(info, info.warnings);
  info.metadata["type"] = header.type;
  if (!header.patient.empty()) {
    info.metadata["patient"] = header.patient;
  }
  if (!header.recording.empty()) {
    info.metadata["recording"] = header.recording;
  }
  const auto& prefilter = header.signals[static_cast<std::size_t>(stream.signals[0])].prefilter;
  if (!prefilter.empty()) {
    info.metadata["prefilter"] = prefilter;
  }
  if (streams.size() > 1) {
    info.metadata["stream"] = stream.name;
    info.metadata["streams"] = list_names(streams);
  }
}

std::unique_ptr<RecordingSource> open(const fs::path& path, const OpenOptions& options) {
  InputFile file(path);
  RecordingInfo info;
  info.name = path.filename().string();
  info.format = "edf";
  RecordLayout layout;
  reading_document(path.string(), [&] {
    const EdfHeader header = read_edf_header(file);
    info.warnings = header.warnings;
    const auto streams = list_streams(header);
    const Stream& stream = choose(streams, options.stream);
    const std::int64_t records = count_records(file, header, info);
    const auto damage = info.warnings;
    describe(header, streams, stream, info);
    auto segments = edf_segments(file, header, records, stream.samples, info.warnings);
    info.segments = std::move(segments.segments);
    layout = {.header_bytes = header.header_bytes,
              .record_bytes = header.record_bytes,
              .samples = stream.samples,
              .channel_bytes = {},
              .first_frames = std::move(segments.first_frames)};
    for (const std::int64_t index : stream.signals) {
      layout.channel_bytes.push_back(header.signals[static_cast<std::size_t>(index)].record_byte);
    }
    describe_by_sidecar(path, header, records, damage, info, layout);
  });
  for (auto& warning : info.warnings) {
    warning = fmt::format("{}: {}", path.string(), warning);
  }
  return make_record_source(std::move(file), std::move(layout), std::move(info));
}
}  // namespace

const Format& edf_format() {
  static const Format kFormat{
      .name = "edf",
      .summary =
          "European Data Format and BioSemi's: EDF, EDF+C, EDF+D, BDF, BDF+, with our sidecar",
      .extensions = {".edf", ".bdf"},
      .probe = &probe,
      .open = &open,
      .create = &make_edf_writer,
      .create_events = nullptr,
      .holds_annotations = true,
      .writer_bytes = &edf_writer_bytes,
      .list_events = &list_edf_events,
      .open_events = &open_edf_events,
  };
  return kFormat;
}

}  // namespace weir::formats
