#include "weir/cli/synthetic_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "weir/catalog/catalog.h"
#include "weir/core/buffer.h"
#include "weir/core/memory_budget.h"

namespace weir::cli {
namespace {
namespace fs = std::filesystem;

double bytes_of(const StreamInfo& stream) {
  return static_cast<double>(stream.total_frames()) * static_cast<double>(stream.channel_count()) *
         static_cast<double>(size_of(stream.type));
}

/// The folder in which the output will lie, or the nearest above it that is there.
fs::path standing_folder(const fs::path& path) {
  std::error_code failure;
  fs::path folder = fs::absolute(path).parent_path();
  while (!fs::exists(folder, failure) && folder != folder.parent_path()) {
    folder = folder.parent_path();
  }
  return folder;
}

/// A store is compressed: what it will take is known only afterwards.
void require_space(const fs::path& path, const StreamInfo& stream, const formats::Format& format) {
  std::error_code failure;
  const auto space = fs::space(standing_folder(path), failure);
  const double needed = bytes_of(stream);
  if (failure || format.name == "zarr" || needed <= static_cast<double>(space.available)) {
    return;
  }
  throw Error(ErrorCode::io,
              fmt::format("{}: needs {}, but only {} are free there", path.string(),
                          bytes_text(static_cast<std::size_t>(std::min(needed, 9e18))),
                          bytes_text(space.available)));
}

void append_all(const signal::SyntheticRecording& recording, formats::RecordingWriter& writer,
                const Observer& observe) {
  const StreamInfo& stream = recording.stream();
  const std::int64_t frames = stream.total_frames();
  const std::int64_t block = std::clamp<std::int64_t>(
      (std::int64_t{4} << 20) / std::max<std::int64_t>(stream.channel_count(), 1), 1, 65536);
  const Buffer buffer(SampleType::int16, block, stream.channel_count());
  Progress progress{.seconds_total = stream.rate.seconds(frames), .stage = "run"};
  for (std::int64_t at = 0; at < frames; at += block) {
    progress.seconds_done = stream.rate.seconds(at);
    progress.bytes_read = at * stream.channel_count() * 2;
    if (!observe(progress)) {
      throw Error(ErrorCode::cancelled, "cancelled");
    }
    const auto rows = buffer.first(std::min(block, frames - at));
    recording.fill(at, rows.as<std::int16_t>());
    writer.append(rows);
  }
  writer.end_segment();
}
}  // namespace

fs::path truth_path(const SyntheticOutput& output) {
  return output.truth.empty() ? fs::path(output.data.string() + ".truth.csv") : output.truth;
}

std::vector<signal::TruthEvent> write_synthetic(const signal::SyntheticRecording& recording,
                                                const SyntheticOutput& output,
                                                const Observer& observe) {
  const auto& format = catalog::formats().for_recording(output.data);
  const fs::path truth = truth_path(output);
  formats::check_output(output.data, output.overwrite);
  formats::check_output(truth, output.overwrite);
  require_space(output.data, recording.stream(), format);
  formats::RecordingOutput request;
  request.path = output.data;
  request.stream = recording.stream();
  request.overwrite = output.overwrite;
  const auto writer = format.create(request);
  append_all(recording, *writer, observe);
  auto events = recording.truth();
  if (events.empty()) {
    writer->commit(output.provenance);
    return events;
  }
  // The data comes last: that it stands means that all of it does.
  std::error_code failure;
  const bool stood = fs::exists(truth, failure);
  signal::write_truth(truth, events);
  try {
    writer->commit(output.provenance);
  } catch (...) {
    if (!stood) {
      fs::remove(truth, failure);
    }
    throw;
  }
  return events;
}

}  // namespace weir::cli
