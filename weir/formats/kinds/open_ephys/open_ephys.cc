#include "weir/formats/kinds/open_ephys/open_ephys.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/dense_source.h"
#include "weir/formats/json.h"
#include "weir/formats/kinds/open_ephys/open_ephys_clock.h"
#include "weir/formats/kinds/open_ephys/open_ephys_events.h"
#include "weir/formats/kinds/open_ephys/open_ephys_folder.h"
#include "weir/formats/kinds/open_ephys/open_ephys_settings.h"
#include "weir/formats/kinds/open_ephys/open_ephys_structure.h"
#include "weir/formats/recording_document.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;
constexpr std::int64_t kMostSettingsBytes = std::int64_t{16} << 20;

Match probe(const fs::path& path, std::span<const std::byte>) {
  try {
    return find_open_ephys(path).recording.empty() ? Match::no : Match::certain;
  } catch (const Error&) {
    return Match::certain;  // Several recordings: opening it says which.
  }
}

fs::path data_folder(const fs::path& recording, const OpenEphysStream& stream) {
  return recording / "continuous" / stream.folder;
}

std::string list_names(const std::vector<OpenEphysStream>& streams) {
  std::vector<std::string> names;
  names.reserve(streams.size());
  for (const auto& stream : streams) {
    names.push_back(fmt::format("{} ({} channels, {} Hz)", printable(stream.folder),
                                stream.channels.size(), stream.rate.hz()));
  }
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

/// Whether a user who writes `wanted` means the stream: its folder, its name, or its folder behind
/// the node's name and "#".
bool is_called(const OpenEphysStream& stream, std::string_view wanted) {
  wanted = wanted.substr(wanted.find('#') + 1);
  return wanted == stream.folder || (!stream.name.empty() && wanted == stream.name);
}

/// The stream asked for, else the largest electrical one whose samples are there.
OpenEphysStream choose(const fs::path& recording, const std::vector<OpenEphysStream>& streams,
                       const std::string& wanted) {
  const OpenEphysStream* best = nullptr;
  double most = -1;
  int named = 0;
  for (const auto& stream : streams) {
    if (!wanted.empty()) {
      const bool fits = is_called(stream, wanted);
      best = fits ? &stream : best;
      named += fits ? 1 : 0;
      continue;
    }
    const auto electrical = std::count_if(stream.channels.begin(), stream.channels.end(),
                                          [](const Channel& c) { return is_electrical(c.unit); });
    const double weight = static_cast<double>(electrical) * stream.rate.hz();
    if (weight > most && stands_at(data_folder(recording, stream) / "continuous.dat")) {
      most = weight;
      best = &stream;
    }
  }
  if (best == nullptr && wanted.empty()) {
    throw Error(ErrorCode::not_found,
                fmt::format("no samples: of the streams that structure.oebin names none has its "
                            "continuous/<stream>/continuous.dat; it holds {}",
                            list_names(streams)));
  }
  if (best == nullptr || named > 1) {
    throw Error(named > 1 ? ErrorCode::invalid_spec : ErrorCode::not_found,
                fmt::format("stream: {} \"{}\"; it holds {}", named > 1 ? "several" : "no", wanted,
                            list_names(streams)));
  }
  return *best;
}

/// settings.xml stands beside the experiments: settings.xml for the first, settings_2.xml for the
/// second.
fs::path settings_path(const fs::path& recording) {
  const fs::path node = recording.parent_path().parent_path();
  const std::string experiment = recording.parent_path().filename().string();
  const std::string number = experiment.substr(std::min(experiment.size(), std::size_t{10}));
  const bool first = number.empty() || number == "1";
  return node / (first ? std::string("settings.xml") : fmt::format("settings_{}.xml", number));
}

void place_electrodes(const fs::path& recording, const OpenEphysStream& stream,
                      RecordingInfo& info) {
  const fs::path path = settings_path(recording);
  std::error_code failure;
  const bool probes = stream.processor.find("Neuropix") != std::string::npos ||
                      stream.processor.find("OneBox") != std::string::npos;
  if (!probes || !fs::is_regular_file(path, failure)) {
    return;
  }
  const std::string text = read_text_file(path.string(), kMostSettingsBytes);
  std::string part;
  place_open_ephys_electrodes(text, stream.name, info.channels, part, info.warnings);
  if (!part.empty()) {
    info.metadata["probe"] = part;
  }
}

void describe(const fs::path& recording, const OpenEphysStructure& structure,
              const OpenEphysStream& stream, RecordingInfo& info) {
  info.format = "open_ephys";
  info.rate = stream.rate;
  info.channels = stream.channels;
  info.warnings = stream.warnings;
  info.metadata["stream"] = stream.folder;
  if (structure.streams.size() > 1) {
    info.metadata["streams"] = list_names(structure.streams);
  }
  if (!structure.version.empty()) {
    info.metadata["gui_version"] = structure.version;
  }
  info.metadata["recording"] = (recording.parent_path().filename() / recording.filename()).string();
  place_electrodes(recording, stream, info);
}

std::unique_ptr<RecordingSource> open(const fs::path& path, const OpenOptions& options) {
  const OpenEphysPlace place = find_open_ephys(path);
  if (place.recording.empty()) {
    throw Error(stands_at(path) ? ErrorCode::unsupported : ErrorCode::not_found,
                fmt::format("{}: no structure.oebin there, below it, or above it", path.string()));
  }
  const fs::path oebin = place.recording / "structure.oebin";
  const std::string text = read_text_file(oebin.string());
  const auto structure =
      reading_document(oebin.string(), [&] { return read_open_ephys_structure(parse_json(text)); });
  const OpenEphysStream stream = in_context(path.string(), [&] {
    return choose(place.recording, structure.streams,
                  options.stream.empty() ? place.stream : options.stream);
  });
  const fs::path folder = data_folder(place.recording, stream);
  InputFile file(folder / "continuous.dat");
  RecordingInfo info;
  info.name = (path.has_filename() ? path : path.parent_path()).filename().string();
  describe(place.recording, structure, stream, info);
  const std::int64_t frame_bytes = 2 * info.channel_count();
  const std::int64_t frames = file.size() / frame_bytes;
  if (file.size() % frame_bytes != 0) {
    info.warnings.push_back(
        fmt::format("{}: holds {} bytes, {} frames of {} B; the {} B trailing are ignored",
                    file.path().string(), grouped(file.size()), grouped(frames), frame_bytes,
                    file.size() % frame_bytes));
  }
  info.segments = reading_document(folder.string(), [&] {
    return open_ephys_segments(folder, frames, info.rate, info.warnings);
  });
  return make_dense_source(std::move(file), {.end_byte = frames * frame_bytes}, std::move(info));
}
}  // namespace

const Format& open_ephys_format() {
  static const Format kFormat{
      .name = "open_ephys",
      .summary = "Open Ephys binary recordings (structure.oebin), any folder level (read)",
      .extensions = {".oebin"},
      .probe = &probe,
      .open = &open,
      .create = nullptr,
      .create_events = nullptr,
      .writer_bytes = nullptr,
      .list_events = &list_open_ephys_events,
      .open_events = &open_open_ephys_events,
  };
  return kFormat;
}

}  // namespace weir::formats
