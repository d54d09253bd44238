#include "weir/formats/kinds/wfdb/wfdb_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/kinds/wfdb/wfdb_packing.h"

namespace weir::formats {
namespace {
constexpr std::int64_t kLargestChecked = std::int64_t{64} << 20;
constexpr std::size_t kMostSkews = 64;

/// Signals that share a file follow each other in the header.
void open_files(WfdbRecord& record, const std::filesystem::path& folder) {
  const auto& signals = record.header.signals;
  for (std::size_t i = 0; i < signals.size();) {
    std::vector<std::int64_t> samples;
    std::set<std::int64_t> skews;
    std::int64_t before = 0;
    std::size_t end = i;
    for (; end < signals.size() && signals[end].file == signals[i].file; ++end) {
      if (signals[end].format != signals[i].format ||
          signals[end].byte_offset != signals[i].byte_offset) {
        throw Error(
            ErrorCode::corrupt_data,
            fmt::format("signals {} and {} share {}, but not its format", i, end, signals[i].file));
      }
      record.file_of.push_back(record.files.size());
      record.sample_of.push_back(before);
      samples.push_back(signals[end].samples);
      before += signals[end].samples;
      skews.insert(signals[end].skew);
    }
    if (skews.size() > kMostSkews) {
      throw Error(ErrorCode::unsupported, fmt::format("{}: {} different skews; at most {}",
                                                      signals[i].file, skews.size(), kMostSkews));
    }
    record.files.emplace_back(folder / signals[i].file, signals[i].format, signals[i].byte_offset,
                              std::move(samples));
    if (signals[i].format == 8) {
      std::vector<std::int32_t> values;
      for (std::size_t s = i; s < end; ++s) {
        // Without a value the first is the zero of its converter.
        values.push_back(
            static_cast<std::int32_t>(signals[s].initial_value.value_or(signals[s].zero)));
      }
      record.files.back().start_from(values);
    }
    i = end;
  }
}

void compare_sizes(const WfdbHeader& header, const WfdbSignalFile& file, std::int64_t needed,
                   std::vector<std::string>& warnings) {
  if (header.frames > file.frames()) {
    warnings.push_back(fmt::format(
        "{}: truncated: holds {} bytes, {} frames, where the header promises {} frames; opened "
        "to the last whole frame",
        file.path().string(), grouped(file.bytes()), grouped(file.frames()),
        grouped(header.frames)));
  } else if (header.frames > 0 &&
             file.bytes() - file.bytes_for(needed) > wfdb_block(file.format()).bytes - 1) {
    warnings.push_back(fmt::format(
        "{}: holds {} bytes where {} frames need {}; the rest is ignored", file.path().string(),
        grouped(file.bytes()), grouped(header.frames), grouped(file.bytes_for(header.frames))));
  }
}

/// The frames every signal has; warns about files that hold fewer or more than promised.
void fit_frames(WfdbRecord& record, std::vector<std::string>& warnings) {
  const WfdbHeader& header = record.header;
  std::int64_t held = header.frames > 0 ? header.frames : INT64_MAX;
  std::vector<std::int64_t> latest(record.files.size());
  for (const auto& file : record.files) {
    held = std::min(held, file.frames());
  }
  record.frames = held;
  for (std::size_t i = 0; i < header.signals.size(); ++i) {
    const std::int64_t skew = header.signals[i].skew;
    const std::int64_t there = record.files[record.file_of[i]].frames();
    latest[record.file_of[i]] = std::max(latest[record.file_of[i]], std::min(skew, there));
    record.frames = std::min(record.frames, there - std::min(skew, there));
  }
  for (std::size_t i = 0; i < record.files.size(); ++i) {
    const WfdbSignalFile& file = record.files[i];
    const std::int64_t needed = std::min(record.frames + latest[i], file.frames());
    compare_sizes(header, file, std::max(needed, std::min(header.frames, file.frames())), warnings);
  }
  if (record.frames < held) {
    warnings.push_back(fmt::format(
        "record {}: signals are stored late by skews; the last {} of {} frames lack some and are "
        "left out",
        header.record, grouped(held - record.frames), grouped(held)));
  }
}

/// What one pass over a file finds for each of its signals.
struct Tally {
  std::uint16_t sum = 0;
  std::int32_t first = 0;
  std::int64_t invalid = 0;
};

void add(const WfdbSignalFile& file, std::span<const std::int32_t> rows, bool at_start,
         std::vector<Tally>& tallies) {
  const auto invalid = wfdb_invalid(file.format());
  for (std::size_t at = 0; at < rows.size();) {
    for (std::size_t signal = 0; signal < tallies.size(); ++signal) {
      Tally& one = tallies[signal];
      if (at_start && at < static_cast<std::size_t>(file.frame_samples())) {
        one.first = rows[at];
      }
      for (std::int64_t i = 0; i < file.samples()[signal]; ++i, ++at) {
        one.sum = static_cast<std::uint16_t>(one.sum + static_cast<std::uint16_t>(rows[at]));
        one.invalid += rows[at] == invalid ? 1 : 0;
      }
    }
  }
}

std::vector<Tally> tally(const WfdbSignalFile& file, std::int64_t frames) {
  std::vector<Tally> tallies(file.samples().size());
  const std::int64_t piece = std::min(file.piece_frames(), std::max(frames, std::int64_t{1}));
  std::vector<std::int32_t> rows(static_cast<std::size_t>(piece * file.frame_samples()));
  for (std::int64_t done = 0; done < frames; done += piece) {
    const std::int64_t count = std::min(piece, frames - done);
    const auto part = std::span(rows).first(static_cast<std::size_t>(count * file.frame_samples()));
    file.read(done, count, part);
    add(file, part, done == 0, tallies);
  }
  return tallies;
}

void compare(const WfdbSignal& signal, const WfdbSignalFile& file, const Tally& found, bool whole,
             std::vector<std::string>& warnings) {
  const std::string shown = fmt::format("{}: signal {}", file.path().string(), signal.description);
  // Sums and first values are of the signal as it was, before it was stored late.
  if (whole && signal.skew == 0 && signal.checksum &&
      static_cast<std::uint16_t>(*signal.checksum) != found.sum) {
    warnings.push_back(fmt::format("{}: checksum {}, but the header says {}", shown,
                                   static_cast<std::int16_t>(found.sum), *signal.checksum));
  }
  if (signal.skew == 0 && signal.format != 8 && signal.initial_value &&
      *signal.initial_value != found.first) {
    warnings.push_back(fmt::format("{}: starts with {}, but the header says {}", shown, found.first,
                                   *signal.initial_value));
  }
  if (found.invalid > 0) {
    warnings.push_back(fmt::format("{}: {} samples are marked as missing ({}); read as stored",
                                   shown, grouped(found.invalid),
                                   wfdb_invalid(signal.format).value_or(0)));
  }
}

void check_samples(const WfdbRecord& record, std::vector<std::string>& warnings) {
  const WfdbHeader& header = record.header;
  std::vector<std::vector<Tally>> tallies;
  for (const auto& file : record.files) {
    const bool checked = file.bytes() <= kLargestChecked && record.frames > 0;
    tallies.push_back(checked ? tally(file, record.frames) : std::vector<Tally>());
  }
  const bool whole = header.frames == 0 || record.frames == header.frames;
  std::size_t first = 0;
  for (std::size_t i = 0; i < header.signals.size(); ++i) {
    const std::size_t at = record.file_of[i];
    first = i > 0 && record.file_of[i - 1] == at ? first : i;
    const auto& signal = header.signals[i];
    if (!tallies[at].empty()) {
      compare(signal, record.files[at], tallies[at][i - first], whole, warnings);
    }
    if (!signal.calibrated) {
      warnings.push_back(fmt::format("{}: signal {}: not calibrated; read with 200 counts per {}",
                                     record.files[at].path().string(), signal.description,
                                     signal.unit));
    }
  }
}
}  // namespace

WfdbRecord open_wfdb_record(WfdbHeader header, const std::filesystem::path& folder,
                            std::vector<std::string>& warnings) {
  WfdbRecord record;
  record.header = std::move(header);
  open_files(record, folder);
  fit_frames(record, warnings);
  check_samples(record, warnings);
  return record;
}

}  // namespace weir::formats
