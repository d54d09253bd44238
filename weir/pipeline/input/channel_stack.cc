#include <fmt/format.h>

#include <algorithm>

#include "weir/core/error.h"
#include "weir/formats/stored_samples.h"
#include "weir/pipeline/input/channel_stack_internal.h"

namespace weir::pipeline {
namespace {
void require_alike(const RecordingInfo& first, const RecordingInfo& other) {
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
  if (other.segments.size() != first.segments.size()) {
    refuse(fmt::format("{} has {} segments, {} has {}", other.name, other.segments.size(),
                       first.name, first.segments.size()));
  }
  for (std::size_t i = 0; i < first.segments.size(); ++i) {
    if (other.segments[i].frames != first.segments[i].frames) {
      refuse(fmt::format("segment {} of {} has {} samples, that of {} has {}", i, other.name,
                         other.segments[i].frames, first.name, first.segments[i].frames));
    }
  }
}

/// Side by side means as stored, whatever the clocks say; the user hears of it.
void warn_of_clocks(const RecordingInfo& first, const RecordingInfo& other,
                    std::vector<std::string>& warnings) {
  for (std::size_t i = 0; i < first.segments.size(); ++i) {
    const double late =
        other.segments[i].start_s.to_double() - first.segments[i].start_s.to_double();
    if (std::abs(late) * first.rate.hz() > 0.5) {
      warnings.push_back(
          fmt::format("segment {} of {} starts {:.6g} ms after that of {}; their samples are put "
                      "side by side as stored",
                      i, other.name, late * 1000, first.name));
    }
  }
}
}  // namespace

ChannelStack::ChannelStack(std::vector<std::unique_ptr<RecordingSource>> sources)
    : sources_(std::move(sources)), info_(sources_.front()->info()) {
  info_.channels.clear();
  info_.warnings.clear();
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    const RecordingInfo& other = sources_[i]->info();
    require_alike(sources_.front()->info(), other);
    info_.stored = formats::stored_together(info_.stored, other.stored);
    info_.warnings.insert(info_.warnings.end(), other.warnings.begin(), other.warnings.end());
    warn_of_clocks(sources_.front()->info(), other, info_.warnings);
    for (std::int64_t c = 0; c < other.channel_count(); ++c) {
      columns_.push_back({i, c});
      info_.channels.push_back(other.channels[static_cast<std::size_t>(c)]);
    }
  }
}

template <class T, class ReadRun>
void ChannelStack::read_runs(std::span<const std::int64_t> channels, Block<T> out,
                             const ReadRun& read_run) const {
  std::vector<std::int64_t> run;
  for (std::size_t at = 0; at < channels.size();) {
    const std::size_t source = columns_[static_cast<std::size_t>(channels[at])].source;
    run.clear();
    const std::size_t first = at;
    for (; at < channels.size(); ++at) {
      const Column& column = columns_[static_cast<std::size_t>(channels[at])];
      if (column.source != source) {
        break;
      }
      run.push_back(column.channel);
    }
    read_run(*sources_[source], run,
             out.columns(static_cast<std::int64_t>(first), static_cast<std::int64_t>(run.size())));
  }
}

void ChannelStack::read(std::int64_t segment, std::int64_t first,
                        std::span<const std::int64_t> channels, Block<float> out) const {
  read_runs(channels, out,
            [&](const RecordingSource& source, std::span<const std::int64_t> run,
                Block<float> columns) { source.read(segment, first, run, columns); });
}

bool ChannelStack::stored_as_int16() const noexcept {
  return std::all_of(sources_.begin(), sources_.end(),
                     [](const auto& source) { return source->stored_as_int16(); });
}

void ChannelStack::read_stored(std::int64_t segment, std::int64_t first,
                               std::span<const std::int64_t> channels,
                               Block<std::int16_t> out) const {
  read_runs(channels, out,
            [&](const RecordingSource& source, std::span<const std::int64_t> run,
                Block<std::int16_t> columns) { source.read_stored(segment, first, run, columns); });
}

std::int64_t ChannelStack::preferred_frames() const noexcept {
  std::int64_t most = 0;
  for (const auto& source : sources_) {
    most = std::max(most, source->preferred_frames());
  }
  return most;
}

std::size_t ChannelStack::cache_bytes(std::int64_t frames) const noexcept {
  std::size_t bytes = 0;
  for (const auto& source : sources_) {
    bytes += source->cache_bytes(frames);
  }
  return bytes;
}

}  // namespace weir::pipeline
