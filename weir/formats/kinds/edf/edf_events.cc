#include "weir/formats/kinds/edf/edf_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/digital_lines.h"
#include "weir/formats/kinds/edf/edf.h"
#include "weir/formats/kinds/edf/edf_annotations.h"
#include "weir/formats/kinds/edf/edf_header.h"
#include "weir/formats/label_events.h"
#include "weir/formats/recording_document.h"
#include "weir/formats/text_encoding.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;
constexpr std::string_view kAnnotations = "annotations";
constexpr std::string_view kStatus = "status";
/// Records whose annotations `weir info` waits for, and bytes of them.
constexpr std::int64_t kListedRecords = 4096;
constexpr std::int64_t kListedBytes = std::int64_t{1} << 22;
/// Annotations of one record are held while they are read.
constexpr std::int64_t kMostRecordBytes = std::int64_t{1} << 26;
/// Times of a file that has no samples to count.
constexpr std::int64_t kMicroseconds = 1'000'000;

/// What a file says without its data.
struct EdfFile {
  explicit EdfFile(const fs::path& path) : file(path) {
    reading_document(path.string(), [&] { header = read_edf_header(file); });
    records = std::max(std::int64_t{0}, (file.size() - header.header_bytes) / header.record_bytes);
    for (const auto& signal : header.signals) {
      annotations = annotations || signal.annotations;
      samples = samples || (!signal.annotations && signal.samples > 0);
      bytes += signal.annotations ? signal.samples * header.sample_bytes : 0;
    }
  }

  InputFile file;
  EdfHeader header;
  std::int64_t records = 0;
  bool annotations = false;
  bool samples = false;
  std::int64_t bytes = 0;  ///< Of annotations in one record.
};

long double seconds_of(const Rational& ratio) {
  return static_cast<long double>(ratio.numerator()) / ratio.denominator();
}

EventStreamInfo describe_annotations(const EdfFile& edf, const RecordingSource* recording) {
  EventStreamInfo info;
  info.name = kAnnotations;
  info.format = "edf";
  info.kind = EventKind::annotations;
  auto& stream = info.table.stream;
  if (recording != nullptr) {
    stream.rate = recording->info().rate;
    stream.segments = recording->info().segments;
    return info;
  }
  stream.rate = SampleRate(Rational(kMicroseconds));
  const Rational length = edf.header.record_s * Rational(kMicroseconds);
  stream.segments = {
      Segment{.frames = length <= Rational(std::int64_t{1} << 62) / Rational(edf.records + 1)
                            ? length.floor_times(edf.records)
                            : -1,
              .start_s = {}}};
  return info;
}

/// How many seconds later the records' clock shows a time than the recording's: 0 but where our
/// sidecar says what a recording's own clock was.
long double shift_of(const EdfFile& edf, const StreamInfo& stream) {
  const EdfSignal* signal = edf.header.timekeeper();
  const auto first = std::find_if(stream.segments.begin(), stream.segments.end(),
                                  [](const Segment& segment) { return segment.frames > 0; });
  const bool timed = edf.header.discontinuous() || edf.header.type.ends_with("+C");
  if (signal == nullptr || !timed || edf.records == 0 || !edf.samples ||
      first == stream.segments.end()) {
    return 0;
  }
  std::string text(static_cast<std::size_t>(
                       std::min(signal->samples * edf.header.sample_bytes, std::int64_t{64})),
                   '\0');
  edf.file.read(edf.header.header_bytes + signal->record_byte,
                std::as_writable_bytes(std::span(text)));
  const auto onset = edf_onset(text);
  return onset ? seconds_of(*onset) - seconds_of(first->start_s) : 0;
}

std::unique_ptr<EventSource> read_annotations(const EdfFile& edf, EventStreamInfo info) {
  const std::string path = edf.file.path().string();
  if (edf.bytes > kMostRecordBytes) {
    throw Error(ErrorCode::unsupported,
                fmt::format("{}: {} bytes of annotations in a data record, at most {} are read",
                            path, grouped(edf.bytes), grouped(kMostRecordBytes)));
  }
  const long double shift = shift_of(edf, info.table.stream);
  LabelEvents labels(std::move(info));
  std::int64_t unreadable = 0;
  std::int64_t first = 0;
  std::string bytes;
  for (std::int64_t record = 0; record < edf.records; ++record) {
    for (const auto& signal : edf.header.signals) {
      if (!signal.annotations) {
        continue;
      }
      bytes.resize(static_cast<std::size_t>(signal.samples * edf.header.sample_bytes));
      edf.file.read(edf.header.header_bytes + record * edf.header.record_bytes + signal.record_byte,
                    std::as_writable_bytes(std::span(bytes)));
      const std::int64_t odd = scan_edf_annotations(bytes, [&](const EdfAnnotation& found) {
        in_context(fmt::format("{}: data record {}", path, record), [&] {
          labels.add(to_utf8(found.text), found.onset_s - shift, found.duration_s);
        });
      });
      first = unreadable == 0 ? record : first;
      unreadable += odd;
    }
  }
  if (unreadable > 0) {
    labels.info().warnings.push_back(
        fmt::format("{}: {} annotation lists cannot be read, the first in data record {}", path,
                    grouped(unreadable), grouped(first)));
  }
  return labels.take(path);
}

/// BioSemi's names of the bits of a Status word of 24 bits; plain numbers for one of 16.
/// Source: BioSemi, "Which BDF status bits".
std::vector<DigitalLine> status_lines(std::int64_t channel, StoredType stored) {
  constexpr std::array<std::string_view, 8> kTop{"new epoch",   "speed bit 0",  "speed bit 1",
                                                 "speed bit 2", "CMS in range", "speed bit 3",
                                                 "battery low", "ActiveTwo MK2"};
  const int bits = stored == StoredType::int16 ? 16 : 24;
  std::vector<DigitalLine> lines;
  lines.reserve(static_cast<std::size_t>(bits));
  for (int bit = 0; bit < bits; ++bit) {
    lines.push_back({bit < 16 ? fmt::format("trigger {}", bit + 1)
                              : std::string(kTop.at(static_cast<std::size_t>(bit - 16))),
                     channel, bit});
  }
  return lines;
}

/// The Status channel of a recording, if it has one; programs that made EDF of it gave it units.
std::optional<std::int64_t> status_channel(const RecordingInfo& info) {
  for (std::int64_t i = 0; i < info.channel_count(); ++i) {
    if (info.channels[static_cast<std::size_t>(i)].name == "Status") {
      return i;
    }
  }
  return std::nullopt;
}

/// The streams of a file, and the recording they lie in.
struct Listing {
  std::shared_ptr<const RecordingSource> recording;
  std::vector<EventStreamInfo> streams;
};

Listing list_streams(const fs::path& path, const EdfFile& edf) {
  Listing listing;
  if (edf.samples) {
    listing.recording = edf_format().open(path, {});
  }
  if (edf.annotations) {
    listing.streams.push_back(describe_annotations(edf, listing.recording.get()));
  }
  if (listing.recording) {
    const auto& info = listing.recording->info();
    if (const auto channel = status_channel(info)) {
      listing.streams.push_back(
          describe_lines(std::string(kStatus), info, status_lines(*channel, info.stored)));
    }
  }
  return listing;
}

std::unique_ptr<EventSource> open_stream(const EdfFile& edf, const Listing& listing,
                                         std::size_t index) {
  const EventStreamInfo& stream = listing.streams[index];
  if (stream.name == kAnnotations) {
    return read_annotations(edf, stream);
  }
  const auto& info = listing.recording->info();
  return make_digital_lines(stream.name, listing.recording,
                            status_lines(status_channel(info).value(), info.stored));
}
}  // namespace

std::vector<EventStreamInfo> list_edf_events(const fs::path& path, const OpenOptions&) {
  const EdfFile edf(path);
  Listing listing = list_streams(path, edf);
  for (std::size_t i = 0; i < listing.streams.size(); ++i) {
    if (listing.streams[i].name == kAnnotations && edf.records <= kListedRecords &&
        edf.bytes * edf.records <= kListedBytes) {
      listing.streams[i] = open_stream(edf, listing, i)->info();
    }
  }
  return listing.streams;
}

std::unique_ptr<EventSource> open_edf_events(const fs::path& path, const OpenOptions& options) {
  const EdfFile edf(path);
  const Listing listing = list_streams(path, edf);
  return open_stream(edf, listing, choose_events(listing.streams, options.stream, path.string()));
}

}  // namespace weir::formats
