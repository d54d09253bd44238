#include "weir/formats/kinds/brainvision/brainvision_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/dense_source.h"
#include "weir/formats/text_encoding.h"

namespace weir::formats {
namespace {
[[noreturn]] void refuse(const std::string& text) {
  throw Error(ErrorCode::corrupt_data, text);
}

std::string in_small_letters(std::string_view text) {
  std::string small(text);
  std::transform(small.begin(), small.end(), small.begin(), [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter;
  });
  return small;
}

const std::string* find(const BrainvisionSections& sections, const char* section,
                        const std::string& key) {
  const auto found = sections.find(section);
  if (found == sections.end()) {
    return nullptr;
  }
  const auto value = found->second.find(key);
  return value == found->second.end() || value->second.empty() ? nullptr : &value->second;
}

const std::string& at(const BrainvisionSections& sections, const char* section,
                      const std::string& key) {
  const std::string* value = find(sections, section, key);
  if (value == nullptr) {
    refuse(fmt::format("[{}] {}: missing", section, key));
  }
  return *value;
}

template <class Parse>
auto number(std::string_view key, const std::string& text, Parse parse) {
  try {
    return parse(text);
  } catch (const Error& error) {
    refuse(fmt::format("{}: {}", key, error.text()));
  }
}

/// The name alone: files stand beside their header, whatever folder it was written in.
std::string plain_name(const std::string& text, const std::string& stem) {
  std::string name = text.substr(text.find_last_of("/\\") + 1);
  if (const auto place = name.find("$b"); place != std::string::npos) {
    name.replace(place, 2, stem);
  }
  return name == "." || name == ".." || name.find('\0') != std::string::npos ? "" : name;
}

StoredType type_of(const std::string& text) {
  const std::string name = in_small_letters(text);
  if (name == "int_16" || name == "uint_16") {
    return name == "int_16" ? StoredType::int16 : StoredType::uint16;
  }
  if (name == "int_32" || name == "ieee_float_32") {
    return name == "int_32" ? StoredType::int32 : StoredType::float32;
  }
  throw Error(ErrorCode::unsupported, fmt::format("binaryformat: {} is not read", text));
}

/// "Fp1,,0.1,µV": name, reference, resolution, unit; commas inside are "\1".
Channel channel_of(const std::string& text, std::int64_t index) {
  const auto fields = split(text, ',');
  const auto field = [&](std::size_t i) {
    std::string value = i < fields.size() ? std::string(trimmed(fields[i])) : std::string();
    for (auto place = value.find("\\1"); place != std::string::npos; place = value.find("\\1")) {
      value.replace(place, 2, ",");
    }
    return value;
  };
  Channel channel;
  channel.name = field(0).empty() ? fmt::format("ch{}", index) : field(0);
  channel.source_index = index;
  channel.unit =
      field(3).empty() || field(3) == "\u00b5V" || field(3) == "\u03bcV" ? "uV" : field(3);
  const std::string resolution = field(2);
  if (!resolution.empty()) {
    channel.gain = number(fmt::format("ch{}", index + 1), resolution, &parse_number);
  }
  if (!std::isfinite(channel.gain) || channel.gain == 0) {
    refuse(fmt::format("ch{}: {} is no resolution", index + 1, resolution));
  }
  return channel;
}

SampleRate rate_of(const std::string& text) {
  const double interval = number("samplinginterval", text, &parse_number);
  if (!std::isfinite(interval) || interval <= 0) {
    refuse(fmt::format("samplinginterval: {} us is not above zero", text));
  }
  return number("samplinginterval", text, [&](const std::string&) {
    return SampleRate(Rational(1'000'000) / Rational::from_decimal(interval));
  });
}

/// "20131113161403794232" as ISO 8601 and as microseconds.
void read_date(const std::string& text, BrainvisionSegment& segment) {
  const bool digits = text.size() == 20 && text.find_first_not_of("0123456789") == text.npos;
  if (!digits) {
    return;
  }
  const auto part = [&](std::size_t first, std::size_t count) {
    return static_cast<int>(parse_integer(text.substr(first, count)));
  };
  const auto day = std::chrono::year(part(0, 4)) / part(4, 2) / part(6, 2);
  if (!day.ok() || part(8, 2) > 23 || part(10, 2) > 59 || part(12, 2) > 60) {
    return;
  }
  segment.start_time =
      fmt::format("{}-{}-{}T{}:{}:{}.{}", text.substr(0, 4), text.substr(4, 2), text.substr(6, 2),
                  text.substr(8, 2), text.substr(10, 2), text.substr(12, 2), text.substr(14, 6));
  const std::int64_t days = std::chrono::sys_days(day).time_since_epoch().count();
  const std::int64_t seconds =
      86400 * days + std::int64_t{3600} * part(8, 2) + std::int64_t{60} * part(10, 2) + part(12, 2);
  segment.microseconds = seconds * 1'000'000 + part(14, 6);
}
}  // namespace

BrainvisionSections parse_brainvision(std::string_view text) {
  BrainvisionSections sections;
  std::string section;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t equals = line.find('=');
    if (line.starts_with('[') && line.ends_with(']')) {
      section = in_small_letters(line.substr(1, line.size() - 2));
    } else if (!line.starts_with(';') && equals != std::string_view::npos && section != "comment") {
      sections[section].emplace(in_small_letters(trimmed(line.substr(0, equals))),
                                to_utf8(trimmed(line.substr(equals + 1))));
    }
  }
  return sections;
}

BrainvisionHeader read_brainvision_header(std::string_view text, const std::string& stem) {
  constexpr const char* kCommon = "common infos";
  const auto sections = parse_brainvision(text);
  BrainvisionHeader header;
  header.data_file = plain_name(at(sections, kCommon, "datafile"), stem);
  const std::string* markers = find(sections, kCommon, "markerfile");
  header.marker_file = markers != nullptr ? plain_name(*markers, stem) : "";
  const std::string* form = find(sections, kCommon, "dataformat");
  const std::string* domain = find(sections, kCommon, "datatype");
  if ((form != nullptr && in_small_letters(*form) != "binary") ||
      (domain != nullptr && in_small_letters(*domain) != "timedomain")) {
    throw Error(ErrorCode::unsupported,
                fmt::format("dataformat {}, datatype {}: only binary samples "
                            "in time are read",
                            form != nullptr ? *form : "BINARY",
                            domain != nullptr ? *domain : "TIMEDOMAIN"));
  }
  const std::string orientation = in_small_letters(at(sections, kCommon, "dataorientation"));
  if (orientation != "multiplexed" && orientation != "vectorized") {
    refuse(fmt::format("dataorientation: {} is neither MULTIPLEXED nor VECTORIZED", orientation));
  }
  header.order = orientation == "vectorized" ? SampleOrder::channel_major : SampleOrder::time_major;
  header.rate = rate_of(at(sections, kCommon, "samplinginterval"));
  header.stored = type_of(at(sections, "binary infos", "binaryformat"));
  const std::int64_t channels =
      number("numberofchannels", at(sections, kCommon, "numberofchannels"),
             [](const std::string& value) { return checked_channels(parse_integer(value)); });
  if (const std::string* frames = find(sections, kCommon, "datapoints")) {
    header.frames = number("datapoints", *frames, &parse_integer);
  }
  for (std::int64_t i = 0; i < channels; ++i) {
    header.channels.push_back(
        channel_of(at(sections, "channel infos", fmt::format("ch{}", i + 1)), i));
  }
  return header;
}

std::vector<BrainvisionSegment> read_brainvision_segments(std::string_view text) {
  std::vector<BrainvisionSegment> segments;
  const auto sections = parse_brainvision(text);
  const auto markers = sections.find("marker infos");
  if (markers == sections.end()) {
    return segments;
  }
  for (const auto& [key, value] : markers->second) {
    const auto fields = split(value, ',');
    if (!key.starts_with("mk") || in_small_letters(fields[0]) != "new segment" ||
        fields.size() < 3) {
      continue;
    }
    BrainvisionSegment segment;
    const std::int64_t position = number(key, fields[2], &parse_integer);
    if (position < 1) {
      refuse(fmt::format("{}: position {} is not above zero", key, fields[2]));
    }
    segment.first = position - 1;
    read_date(fields.size() > 5 ? std::string(trimmed(fields[5])) : "", segment);
    segments.push_back(std::move(segment));
  }
  std::stable_sort(segments.begin(), segments.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  return segments;
}

}  // namespace weir::formats
