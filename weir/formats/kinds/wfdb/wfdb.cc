#include "weir/formats/kinds/wfdb/wfdb.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/frame_time.h"
#include "weir/formats/kinds/wfdb/wfdb_events.h"
#include "weir/formats/kinds/wfdb/wfdb_header.h"
#include "weir/formats/kinds/wfdb/wfdb_packing.h"
#include "weir/formats/kinds/wfdb/wfdb_segments.h"
#include "weir/formats/kinds/wfdb/wfdb_source.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;

fs::path header_path(const fs::path& path) {
  fs::path header = path;
  return ends_with_ignoring_case(path.string(), ".hea") ? header : header.replace_extension(".hea");
}

Match probe(const fs::path& path, std::span<const std::byte>) {
  if (ends_with_ignoring_case(path.string(), ".hea")) {
    return Match::certain;
  }
  std::error_code failure;
  const bool beside = (ends_with_ignoring_case(path.string(), ".dat") || is_wfdb_annotator(path)) &&
                      fs::is_regular_file(header_path(path), failure);
  return beside ? Match::certain : Match::no;
}

Channel to_channel(const WfdbSignal& signal, std::int64_t index) {
  Channel channel;
  channel.name = signal.description.empty() ? fmt::format("ch{}", index) : signal.description;
  channel.source_index = index;
  channel.gain = 1 / signal.gain;
  channel.offset = -static_cast<double>(signal.baseline) / signal.gain;
  channel.unit = signal.unit;
  return channel;
}

/// Signals of one rate: as many samples a frame.
struct Stream {
  std::int64_t samples = 1;
  std::string name;  ///< "360 Hz"
  std::vector<std::size_t> signals;
  std::int64_t electrical = 0;
};

std::vector<Stream> list_streams(const WfdbHeader& header, const std::vector<WfdbSignal>& signals) {
  std::vector<Stream> streams;
  for (std::size_t i = 0; i < signals.size(); ++i) {
    auto found = std::find_if(streams.begin(), streams.end(), [&](const Stream& stream) {
      return stream.samples == signals[i].samples;
    });
    if (found == streams.end()) {
      Stream stream;
      stream.samples = signals[i].samples;
      stream.name =
          fmt::format("{} Hz", header.rate.hz() * static_cast<double>(signals[i].samples));
      found = streams.insert(streams.end(), std::move(stream));
    }
    found->signals.push_back(i);
    found->electrical += is_electrical(signals[i].unit) ? 1 : 0;
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
    throw Error(ErrorCode::not_found, fmt::format("stream: no \"{}\"; it holds {}",
                                                  printable(wanted), list_names(streams)));
  }
  return *found;
}

/// The largest of the types its files have.
StoredType stored_of(const std::vector<WfdbPart>& parts) {
  const auto rank = [](StoredType type) {
    return type == StoredType::int8    ? 0
           : type == StoredType::int12 ? 1
           : type == StoredType::int16 ? 2
           : type == StoredType::int24 ? 3
                                       : 4;
  };
  StoredType largest = StoredType::int8;
  for (const auto& part : parts) {
    for (const auto& lead : part.leads) {
      const StoredType type = lead.signal
                                  ? wfdb_stored(part.record.header.signals[*lead.signal].format)
                                  : StoredType::int8;
      largest = rank(type) > rank(largest) ? type : largest;
    }
  }
  return largest;
}

void describe(const WfdbHeader& header, const std::vector<WfdbSignal>& signals,
              const Stream& stream, RecordingInfo& info) {
  info.format = "wfdb";
  info.rate = SampleRate(header.rate.exact() * Rational(stream.samples));
  info.start_time = header.start_time;
  info.metadata["record"] = header.record;
  if (!header.comments.empty()) {
    info.metadata["comments"] = fmt::format("{}", fmt::join(header.comments, "\n"));
  }
  for (const std::size_t signal : stream.signals) {
    info.channels.push_back(to_channel(signals[signal], static_cast<std::int64_t>(signal)));
  }
}

std::unique_ptr<RecordingSource> open(const fs::path& path, const OpenOptions& options) {
  const fs::path hea = header_path(path);
  const WfdbHeader header = read_wfdb_header(hea);
  WfdbContent content = open_wfdb_content(header, hea);
  RecordingInfo info;
  info.name = path.filename().string();
  std::int64_t samples = 1;
  in_context(hea.string(), [&] {
    const auto streams = list_streams(header, content.signals);
    const Stream& stream = choose(streams, options.stream);
    samples = stream.samples;
    describe(header, content.signals, stream, info);
    if (streams.size() > 1) {
      info.metadata["stream"] = stream.name;
      info.metadata["streams"] = list_names(streams);
    }
    for (std::size_t i = 0; i < content.parts.size(); ++i) {
      WfdbPart& part = content.parts[i];
      std::vector<WfdbLead> leads;
      leads.reserve(stream.signals.size());
      for (const std::size_t signal : stream.signals) {
        leads.push_back(part.leads[signal]);
      }
      part.leads = std::move(leads);
      info.segments.push_back({.frames = part.record.frames * samples,
                               .start_s = frame_time(content.starts[i], header.rate),
                               .index = static_cast<std::int64_t>(i)});
    }
  });
  info.stored = stored_of(content.parts);
  info.warnings = std::move(content.warnings);
  return make_wfdb_source(std::move(content.parts), samples, std::move(info));
}
}  // namespace

const Format& wfdb_format() {
  static const Format kFormat{
      .name = "wfdb",
      .summary = "PhysioNet WFDB records (.hea), of one segment or several (read)",
      .extensions = {".hea"},
      .probe = &probe,
      .open = &open,
      .create = nullptr,
      .create_events = nullptr,
      .writer_bytes = nullptr,
      .list_events = &list_wfdb_events,
      .open_events = &open_wfdb_events,
  };
  return kFormat;
}

}  // namespace weir::formats
