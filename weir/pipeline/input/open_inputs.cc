#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "weir/core/error.h"
#include "weir/formats/probe_file.h"
#include "weir/formats/stored_samples.h"
#include "weir/pipeline/input/channel_selection.h"
#include "weir/pipeline/input/channel_stack_internal.h"
#include "weir/pipeline/input/input.h"
#include "weir/pipeline/input/path_pattern.h"
#include "weir/pipeline/input/read_node.h"
#include "weir/pipeline/input/signed_counts_internal.h"
#include "weir/pipeline/input/timeline_view_internal.h"

namespace weir::pipeline {
namespace {
using Contacts = std::map<std::int64_t, ProbeContact>;
using Sources = std::vector<std::unique_ptr<RecordingSource>>;

std::vector<std::filesystem::path> all_paths(const Read& read, const std::filesystem::path& base) {
  std::vector<std::filesystem::path> paths;
  std::set<std::filesystem::path> seen;
  for (const auto& text : read.path) {
    for (auto& path : expand_path(text, base)) {
      if (!seen.insert(path).second) {
        throw Error(ErrorCode::invalid_spec, fmt::format("path: {} is named twice", path.string()));
      }
      paths.push_back(std::move(path));
    }
  }
  return paths;
}

std::unique_ptr<RecordingSource> open_one(const std::filesystem::path& path, const Read& read,
                                          const formats::FormatList& formats,
                                          const Opener& opener) {
  auto source = opener ? opener(path, read)
                       : formats.open(path, {.stream = read.stream, .raw = read.raw}, read.format);
  if (source == nullptr) {
    throw Error(ErrorCode::not_found, fmt::format("{}: nothing to open", path.string()));
  }
  if (source->info().channels.empty()) {
    throw Error(ErrorCode::corrupt_data, fmt::format("{}: has no channels", path.string()));
  }
  return source;
}

void require_same_channels(const RecordingInfo& first, const RecordingInfo& other) {
  const auto refuse = [](const std::string& text) {
    throw Error(ErrorCode::invalid_spec, "join: " + text);
  };
  if (other.axis != first.axis) {
    refuse(fmt::format("the rows of {} run along {}, those of {} along {}", other.name,
                       name(other.axis), first.name, name(first.axis)));
  }
  if (other.rate != first.rate) {
    refuse(fmt::format("{} has {}, {} has {}", other.name, other.rate.text(), first.name,
                       first.rate.text()));
  }
  if (other.channels.size() != first.channels.size()) {
    refuse(fmt::format("{} has {} channels, {} has {}", other.name, other.channels.size(),
                       first.name, first.channels.size()));
  }
  for (std::size_t i = 0; i < first.channels.size(); ++i) {
    const Channel& a = first.channels[i];
    const Channel& b = other.channels[i];
    if (a.name != b.name) {
      refuse(fmt::format("channel {} is called \"{}\" in {} and \"{}\" in {}", i, b.name,
                         other.name, a.name, first.name));
    }
    if (a.gain != b.gain || a.offset != b.offset || a.unit != b.unit) {
      refuse(fmt::format(
          "channel {} ({}) has gain {}, offset {}, unit \"{}\" in {} and gain {}, "
          "offset {}, unit \"{}\" in {}",
          i, a.name, b.gain, b.offset, b.unit, other.name, a.gain, a.offset, a.unit, first.name));
    }
  }
}

/// Spectra do not follow each other: every segment as it is, and nothing that asks for time.
Timeline spectra_of(const RecordingInfo& info, const Read& read) {
  const auto refuse = [&](std::string_view field) {
    throw Error(ErrorCode::invalid_spec, fmt::format("{}: the rows of {} run along {}, not time",
                                                     field, info.name, name(info.axis)));
  };
  if (read.join == Join::time) {
    refuse("join");
  }
  if (read.gaps == Gaps::fill) {
    refuse("gaps");
  }
  if (read.start_s || read.stop_s || read.start || read.stop) {
    refuse(read.start_s ? "start_s" : read.stop_s ? "stop_s" : read.start ? "start" : "stop");
  }
  Timeline timeline;
  timeline.rate = info.rate;
  for (const auto& segment : info.segments) {
    timeline.stretches.push_back(
        {segment, {{segment.frames, 0, std::ssize(timeline.stretches), 0}}});
  }
  return timeline;
}

Timeline time_of(const Sources& sources, const Read& read, RecordingInfo& info,
                 const std::string& name) {
  Timeline timeline = make_timeline(sources, read, info.warnings);
  cut_timeline(timeline, read, name);
  return timeline;
}

/// Selection, gaps and range of sources that follow each other in time.
Input make_input(Sources sources, std::vector<std::filesystem::path> paths, const Read& read,
                 const Contacts& contacts) {
  Input input;
  input.name = paths.size() == 1
                   ? paths.front().string()
                   : fmt::format("{} + {} more", paths.front().string(), paths.size() - 1);
  input.paths = std::move(paths);
  input.non_finite = read.non_finite;
  RecordingInfo info = sources.front()->info();
  info.warnings.clear();
  for (const auto& source : sources) {
    const RecordingInfo& other = source->info();
    require_same_channels(sources.front()->info(), other);
    info.stored = formats::stored_together(info.stored, other.stored);
    info.warnings.insert(info.warnings.end(), other.warnings.begin(), other.warnings.end());
  }
  Timeline timeline =
      info.axis == Axis::time_s ? time_of(sources, read, info, input.name) : spectra_of(info, read);
  if (!contacts.empty()) {
    in_context(input.name, [&] { formats::attach_probe(contacts, info.channels); });
  }
  const auto channels = select_channels(read.channels, info.channels, input.name);
  std::vector<Channel> chosen;
  chosen.reserve(channels.size());
  for (const auto channel : channels) {
    chosen.push_back(info.channels[static_cast<std::size_t>(channel)]);
  }
  info.channels = std::move(chosen);
  info.segments.clear();
  for (const auto& stretch : timeline.stretches) {
    info.segments.push_back(stretch.segment);
  }
  input.warnings = info.warnings;
  input.source = std::make_unique<TimelineView>(std::move(sources), std::move(timeline), channels,
                                                std::move(info));
  return input;
}

Sources one_source(std::unique_ptr<RecordingSource> source) {
  Sources sources;
  sources.push_back(std::move(source));
  return sources;
}
}  // namespace

std::vector<Input> open_inputs(const Read& read, const std::filesystem::path& base,
                               const formats::FormatList& formats, const Opener& opener) {
  std::vector<Problem> problems;
  check_read(read, "", problems);
  throw_if_any(problems);
  auto paths = all_paths(read, base);
  Sources sources;
  for (const auto& path : paths) {
    sources.push_back(with_signed_counts(open_one(path, read, formats, opener)));
  }
  const Contacts contacts =
      read.probe.empty() ? Contacts() : formats::read_probe_file(resolved_path(read.probe, base));
  std::vector<Input> inputs;
  if (read.join == Join::each) {
    for (std::size_t i = 0; i < sources.size(); ++i) {
      inputs.push_back(make_input(one_source(std::move(sources[i])), {paths[i]}, read, contacts));
    }
  } else if (read.join == Join::time) {
    inputs.push_back(make_input(std::move(sources), std::move(paths), read, contacts));
  } else {
    auto stack = std::make_unique<ChannelStack>(std::move(sources));
    inputs.push_back(make_input(one_source(std::move(stack)), std::move(paths), read, contacts));
  }
  return inputs;
}

}  // namespace weir::pipeline
