#include "weir/formats/kinds/brainvision/brainvision_markers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/kinds/brainvision/brainvision_header.h"

namespace weir::formats {
namespace {
constexpr std::int64_t kMostFrames = std::int64_t{1} << 61;

std::string with_commas(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape = text.substr(i, 2) == "\\1";
    out += escape ? ',' : text[i];
    i += escape ? 1 : 0;
  }
  return out;
}

std::int64_t count_in(std::string_view what, std::string_view text, std::int64_t least) {
  const std::int64_t number = in_context(what, [&] { return parse_integer(text); });
  if (number < least || number > kMostFrames) {
    throw Error(ErrorCode::corrupt_data, fmt::format("{}: {} is out of range", what, number));
  }
  return number;
}

/// Nothing for a marker that starts a segment.
std::optional<BrainvisionMarker> marker_of(const std::string& value) {
  auto fields = split(value, ',');
  const auto is_letter = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == b;
  };
  constexpr std::string_view kSegment = "new segment";
  if (std::equal(fields[0].begin(), fields[0].end(), kSegment.begin(), kSegment.end(), is_letter)) {
    return std::nullopt;
  }
  if (fields.size() < 3) {
    throw Error(ErrorCode::corrupt_data, fmt::format("{} fields", fields.size()));
  }
  fields.resize(std::max<std::size_t>(fields.size(), 5));  // Later ones may be omitted.
  BrainvisionMarker marker;
  marker.label = fmt::format("{}/{}", with_commas(fields[0]), with_commas(fields[1]));
  marker.sample = count_in("position", fields[2], 1) - 1;
  marker.frames = trimmed(fields[3]).empty() ? 0 : count_in("size", fields[3], 0);
  marker.channel = trimmed(fields[4]).empty() ? 0 : count_in("channel", fields[4], -1);
  return marker;
}
}  // namespace

BrainvisionMarkers read_brainvision_markers(std::string_view text) {
  BrainvisionMarkers found;
  const auto sections = parse_brainvision(text);
  const auto lines = sections.find("marker infos");
  if (lines == sections.end()) {
    return found;
  }
  std::vector<std::pair<std::string_view, const std::string*>> keys;
  for (const auto& [key, value] : lines->second) {
    if (key.starts_with("mk")) {
      keys.emplace_back(key, &value);
    }
  }
  // "mk10" after "mk9".
  std::stable_sort(keys.begin(), keys.end(),
                   [](const auto& a, const auto& b) { return a.first.size() < b.first.size(); });
  for (const auto& [key, value] : keys) {
    try {
      if (auto marker = marker_of(*value)) {
        found.markers.push_back(std::move(*marker));
      }
    } catch (const Error& error) {
      if (found.unreadable++ == 0) {
        found.first_unreadable = fmt::format("{}: {}", key, error.text());
      }
    }
  }
  return found;
}

}  // namespace weir::formats
