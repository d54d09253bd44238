#include "weir/formats/kinds/wfdb/wfdb_segments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "weir/core/error.h"
#include "weir/core/text.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;
constexpr std::string_view kGap = "~";
constexpr std::size_t kSegmentsShown = 5;

/// A channel's counts from those of a signal that was scaled otherwise.
WfdbLead lead_of(const WfdbSignal& channel, const WfdbSignal& signal, std::size_t index) {
  WfdbLead lead{.signal = index};
  if (signal.gain != channel.gain || signal.baseline != channel.baseline) {
    lead.scale = channel.gain / signal.gain;
    lead.shift =
        static_cast<double>(channel.baseline) - static_cast<double>(signal.baseline) * lead.scale;
  }
  return lead;
}

class SegmentReader {
 public:
  SegmentReader(const WfdbHeader& header, fs::path hea) : header_(header), hea_(std::move(hea)) {}

  WfdbContent read() {
    read_layout();
    std::int64_t frame = 0;
    for (const auto& segment : header_.segments) {
      if (segment.record != kGap && segment.frames > 0) {
        add(segment, frame);
      }
      if (__builtin_add_overflow(frame, segment.frames, &frame)) {
        throw Error(ErrorCode::corrupt_data, "segments: more samples than can be counted");
      }
    }
    if (content_.parts.empty()) {
      throw Error(ErrorCode::corrupt_data, "segments: none of them has samples");
    }
    tell_missing();
    return std::move(content_);
  }

 private:
  /// A first segment of no samples tells which signals there can be.
  void read_layout() {
    const WfdbSegment& first = header_.segments.front();
    if (first.frames == 0 && first.record != kGap) {
      content_.signals = segment_header(first, WfdbHeaderOf::layout).signals;
      layout_ = true;
    }
  }

  WfdbHeader segment_header(const WfdbSegment& segment, WfdbHeaderOf of) const {
    const fs::path path = hea_.parent_path() / (segment.record + ".hea");
    WfdbHeader part = read_wfdb_header(path, of);
    if (!part.segments.empty()) {
      throw Error(ErrorCode::corrupt_data,
                  fmt::format("{}: a segment has segments itself", path.string()));
    }
    if (part.rate != header_.rate) {
      throw Error(ErrorCode::corrupt_data,
                  fmt::format("{}: its rate {} is not the record's {}", path.string(),
                              part.rate.text(), header_.rate.text()));
    }
    if (part.frames == 0) {
      part.frames = segment.frames;
    } else if (part.frames != segment.frames) {
      throw Error(ErrorCode::corrupt_data,
                  fmt::format("{}: tells of {} samples, but the record of {}", path.string(),
                              grouped(part.frames), grouped(segment.frames)));
    }
    return part;
  }

  void add(const WfdbSegment& segment, std::int64_t frame) {
    WfdbHeader part = segment_header(segment, WfdbHeaderOf::record);
    if (content_.signals.empty()) {
      content_.signals = part.signals;
    }
    auto leads = layout_ ? leads_by_name(part, segment) : leads_by_place(part, segment);
    auto record = open_wfdb_record(std::move(part), hea_.parent_path(), content_.warnings);
    content_.parts.push_back({std::move(record), std::move(leads)});
    content_.starts.push_back(frame);
  }

  /// Segments of a fixed layout have the same signals in the same places.
  std::vector<WfdbLead> leads_by_place(const WfdbHeader& part, const WfdbSegment& segment) const {
    if (part.signals.size() != content_.signals.size()) {
      throw Error(ErrorCode::corrupt_data,
                  fmt::format("segment {}: {} signals where the first has {}", segment.record,
                              part.signals.size(), content_.signals.size()));
    }
    std::vector<WfdbLead> leads;
    leads.reserve(part.signals.size());
    for (std::size_t i = 0; i < part.signals.size(); ++i) {
      leads.push_back(checked_lead(content_.signals[i], part.signals[i], i, segment));
    }
    return leads;
  }

  /// Those of a variable one are found by what they are called.
  std::vector<WfdbLead> leads_by_name(const WfdbHeader& part, const WfdbSegment& segment) {
    std::map<std::string_view, std::size_t> places;
    for (std::size_t i = 0; i < part.signals.size(); ++i) {
      places.emplace(part.signals[i].description, i);
    }
    std::vector<WfdbLead> leads;
    std::size_t found = 0;
    for (auto& channel : content_.signals) {
      const auto place = places.find(channel.description);
      if (place == places.end()) {
        leads.push_back({.signal = std::nullopt, .shift = static_cast<double>(channel.baseline)});
        lacking_[channel.description].push_back(segment.record);
        continue;
      }
      const WfdbSignal& signal = part.signals[place->second];
      if (known_.insert({channel.description, segment.record}).second) {
        channel.samples = signal.samples;  // A layout does not tell.
      }
      leads.push_back(checked_lead(channel, signal, place->second, segment));
      ++found;
    }
    if (found != places.size()) {
      throw Error(ErrorCode::corrupt_data,
                  fmt::format("segment {}: has signals the layout lacks", segment.record));
    }
    return leads;
  }

  static WfdbLead checked_lead(const WfdbSignal& channel, const WfdbSignal& signal,
                               std::size_t index, const WfdbSegment& segment) {
    if (signal.unit != channel.unit || signal.samples != channel.samples ||
        signal.description != channel.description) {
      throw Error(
          ErrorCode::corrupt_data,
          fmt::format("segment {}: signal {} ({}, {}, {} a frame) is not that of the others "
                      "({}, {}, {} a frame)",
                      segment.record, index, signal.description, signal.unit, signal.samples,
                      channel.description, channel.unit, channel.samples));
    }
    return lead_of(channel, signal, index);
  }

  void tell_missing() {
    for (const auto& [name, segments] : lacking_) {
      const auto shown = static_cast<std::ptrdiff_t>(std::min(segments.size(), kSegmentsShown));
      content_.warnings.push_back(
          fmt::format("{}: signal {} is missing in {} segments ({}{}); it is 0 {} there",
                      hea_.string(), name, grouped(std::ssize(segments)),
                      fmt::join(segments.begin(), segments.begin() + shown, ", "),
                      segments.size() > kSegmentsShown ? ", …" : "", "in its unit"));
    }
  }

  const WfdbHeader& header_;
  fs::path hea_;
  bool layout_ = false;
  WfdbContent content_;
  std::map<std::string, std::string> known_;  ///< The segment that told a signal's samples first.
  std::map<std::string, std::vector<std::string>> lacking_;
};
}  // namespace

WfdbHeader read_wfdb_header(const fs::path& hea, WfdbHeaderOf of) {
  const std::string text = read_text_file(hea.string());
  return in_context(hea.string(), [&] { return parse_wfdb_header(text, of); });
}

WfdbContent open_wfdb_content(const WfdbHeader& header, const fs::path& hea) {
  if (!header.segments.empty()) {
    return in_context(hea.string(), [&] { return SegmentReader(header, hea).read(); });
  }
  WfdbContent content;
  content.signals = header.signals;
  WfdbPart part;
  part.record = in_context(
      hea.string(), [&] { return open_wfdb_record(header, hea.parent_path(), content.warnings); });
  for (std::size_t i = 0; i < header.signals.size(); ++i) {
    part.leads.push_back({.signal = i});
  }
  content.parts.push_back(std::move(part));
  content.starts.push_back(0);
  return content;
}

}  // namespace weir::formats
