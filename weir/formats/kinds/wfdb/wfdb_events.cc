#include "weir/formats/kinds/wfdb/wfdb_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/input_file.h"
#include "weir/formats/kinds/wfdb/wfdb_annotations.h"
#include "weir/formats/kinds/wfdb/wfdb_header.h"
#include "weir/formats/label_events.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;
constexpr std::int64_t kMostBytes = std::int64_t{1} << 30;
/// What `weir info` waits for.
constexpr std::int64_t kListedBytes = std::int64_t{1} << 22;

/// Endings that PhysioNet's databases and the programs of WFDB give to annotations.
constexpr std::array<std::string_view, 34> kAnnotators{
    "atr",  "ecg",  "qrs", "ann",  "ari",  "man", "pu",  "pu0",   "pu1",  "q1c",    "q2c",  "qt1",
    "qt2",  "st",   "sta", "stb",  "stc",  "16a", "apn", "wqrs",  "gqrs", "sqrs",   "jqrs", "abp",
    "wabp", "hypn", "in",  "trig", "beat", "rr",  "cmp", "event", "not",  "arousal"};

fs::path header_beside(fs::path path) {
  return ends_with_ignoring_case(path.string(), ".hea") ? path : path.replace_extension(".hea");
}

std::string annotator_of(const fs::path& path) {
  const std::string ending = path.extension().string();
  const bool known =
      std::find(kAnnotators.begin(), kAnnotators.end(),
                std::string_view(ending).substr(std::min<std::size_t>(1, ending.size()))) !=
      kAnnotators.end();
  return known ? ending.substr(1) : "";
}

/// An annotator's rows on the record's clock, or on the one the file brings.
std::unique_ptr<EventSource> read_annotator(const fs::path& path, const WfdbHeader& header) {
  const InputFile file(path);
  if (file.size() > kMostBytes) {
    throw Error(ErrorCode::unsupported,
                fmt::format("{}: {} bytes of annotations, at most {} are read", path.string(),
                            grouped(file.size()), grouped(kMostBytes)));
  }
  std::vector<std::byte> bytes(static_cast<std::size_t>(file.size()));
  file.read(0, bytes);
  const auto found = in_context(path.string(), [&] { return read_wfdb_annotations(bytes); });
  EventStreamInfo info;
  info.name = annotator_of(path);
  info.format = "wfdb";
  info.kind = EventKind::annotations;
  auto& stream = info.table.stream;
  stream.rate = header.rate;
  std::int64_t frames = header.frames > 0 ? header.frames : -1;
  if (found.rate && *found.rate != header.rate) {
    stream.rate = *found.rate;
    const double length = static_cast<double>(frames) / header.rate.hz() * stream.rate.hz();
    frames = frames > 0 && length < 0x1p61 ? static_cast<std::int64_t>(length) : -1;
  }
  stream.segments = {Segment{.frames = frames, .start_s = {}}};
  LabelEvents labels(std::move(info));
  std::int64_t early = 0;
  in_context(path.string(), [&] {
    for (const auto& row : found.rows) {
      early += row.sample < 0 ? 1 : 0;
      if (row.sample >= 0) {
        labels.add_at(row.label, {0, row.sample});
      }
    }
  });
  const auto warn = [&](std::string text) {
    labels.info().warnings.push_back(fmt::format("{}: {}", path.string(), std::move(text)));
  };
  if (!found.damage.empty()) {
    warn(found.damage);
  }
  if (early > 0) {
    warn(fmt::format("{} annotations before the first sample are left out", grouped(early)));
  }
  if (found.plain > 0) {
    warn(fmt::format("subtype, channel and number of {} annotations are not kept",
                     grouped(found.plain)));
  }
  return labels.take(path.string());
}

/// The annotators of a record, in the order of the list above.
std::vector<fs::path> annotators_beside(const fs::path& path) {
  if (is_wfdb_annotator(path)) {
    return {path};
  }
  std::vector<fs::path> files;
  for (const std::string_view ending : kAnnotators) {
    const fs::path file = fs::path(path).replace_extension(ending);
    std::error_code failure;
    if (fs::is_regular_file(file, failure)) {
      files.push_back(file);
    }
  }
  return files;
}

WfdbHeader read_header(const fs::path& path) {
  const fs::path hea = header_beside(path);
  const std::string text = read_text_file(hea.string());
  return in_context(hea.string(), [&] { return parse_wfdb_header(text); });
}

/// What a listing says without reading: a long annotator's name.
EventStreamInfo name_only(const fs::path& path, const WfdbHeader& header) {
  EventStreamInfo info;
  info.name = annotator_of(path);
  info.format = "wfdb";
  info.kind = EventKind::annotations;
  info.table.stream.rate = header.rate;
  return info;
}
}  // namespace

bool is_wfdb_annotator(const fs::path& path) {
  return !annotator_of(path).empty();
}

std::vector<EventStreamInfo> list_wfdb_events(const fs::path& path, const OpenOptions&) {
  std::vector<EventStreamInfo> streams;
  const auto files = annotators_beside(path);
  if (files.empty()) {
    return streams;
  }
  const WfdbHeader header = read_header(path);
  std::int64_t left = kListedBytes;
  for (const auto& file : files) {
    left -= InputFile(file).size();
    streams.push_back(left >= 0 ? read_annotator(file, header)->info() : name_only(file, header));
  }
  return streams;
}

std::unique_ptr<EventSource> open_wfdb_events(const fs::path& path, const OpenOptions& options) {
  const auto files = annotators_beside(path);
  std::vector<EventStreamInfo> names(files.size());
  std::transform(files.begin(), files.end(), names.begin(), [](const fs::path& file) {
    EventStreamInfo info;
    info.name = annotator_of(file);
    return info;
  });
  const auto chosen = choose_events(names, options.stream, path.string());
  return read_annotator(files[chosen], read_header(path));
}

}  // namespace weir::formats
