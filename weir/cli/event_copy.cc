#include "weir/cli/event_copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <exception>
#include <set>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/core/version.h"
#include "weir/formats/annotations_of.h"

namespace weir::cli {
namespace {
namespace fs = std::filesystem;
using formats::EventStreamInfo;
constexpr std::int64_t kPieceRows = std::int64_t{1} << 16;

/// A name that is one part of a path on any system: "Neuropix-PXI-100.ProbeA.TTL".
std::string file_name_of(std::string_view stream) {
  std::string text;
  for (const char c : stream) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.';
    text += c == '/' ? '.' : plain ? c : '_';
  }
  const auto first = text.find_first_not_of('.');
  return first == std::string::npos ? "events" : text.substr(first);
}

std::string provenance_of(const fs::path& from, const EventCopy& copy) {
  Value document = Value::object();
  document.set("weir_events_from", 1);
  document.set("version", version());
  document.set("input", fs::absolute(from).string());
  document.set("stream", copy.stream);
  document.set("rows", copy.rows);
  return to_json(document, 2) + "\n";
}
}  // namespace

OpenedPath open_path(const formats::FormatList& formats, const fs::path& path,
                     const formats::OpenOptions& options, const std::string& format_name) {
  OpenedPath opened;
  std::exception_ptr failure;
  try {
    opened.recording = formats.open(path, options, format_name);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::unsupported) {
      throw;
    }
    failure = std::current_exception();
  }
  formats::OpenOptions of_events = options;
  of_events.stream.clear();
  try {
    opened.events = formats.list_events(path, of_events, format_name);
  } catch (const Error& error) {
    const auto& format = format_name.empty() ? formats.detect(path) : *formats.find(format_name);
    if (failure && format.open == nullptr) {
      if (error.code() != ErrorCode::unsupported || format.list_tables == nullptr) {
        throw;
      }
      failure = std::current_exception();
    }
    opened.events_failure = error.text();
  }
  if (failure && opened.events.empty()) {
    opened.tables = formats.list_tables(path, of_events, format_name);
    if (opened.tables.empty()) {
      std::rethrow_exception(failure);
    }
    opened.events_failure.clear();
  }
  return opened;
}

bool are_lines_of_channels(const formats::EventStreamInfo& info) noexcept {
  return info.kind == formats::EventKind::ttl && !info.count;  // Only these take a scan to count.
}

std::vector<EventCopy> plan_event_copies(const std::vector<formats::EventStreamInfo>& streams,
                                         const fs::path& out) {
  const bool inside = ends_with_ignoring_case(out.string(), ".zarr");
  std::vector<EventCopy> copies;
  std::set<std::string> taken;
  for (const auto& info : streams) {
    if (are_lines_of_channels(info) || info.count == 0) {
      continue;
    }
    std::string name = file_name_of(info.name);
    for (int number = 2; !taken.insert(name).second; ++number) {
      name = fmt::format("{}_{}", file_name_of(info.name), number);
    }
    copies.push_back({.stream = info.name,
                      .path = inside ? out / "events" / name
                                     : fs::path(fmt::format("{}.{}.csv", out.string(), name))});
  }
  return copies;
}

std::vector<EventStreamInfo> take_annotations(const formats::FormatList& formats,
                                              const fs::path& from,
                                              const formats::OpenOptions& options,
                                              const formats::Format& format,
                                              std::vector<EventStreamInfo>& streams) {
  std::vector<EventStreamInfo> taken;
  const auto goes_in = [&](EventStreamInfo& info) {
    if (!format.holds_annotations || info.kind == formats::EventKind::table ||
        are_lines_of_channels(info)) {
      return false;
    }
    if (!info.count) {  // Too long to be counted in passing.
      formats::OpenOptions one = options;
      one.stream = info.name;
      info.count = formats.open_events(from, one)->info().count;
    }
    if (info.count.value_or(INT64_MAX) > formats::kMostAnnotations) {
      return false;
    }
    taken.push_back(info);
    return true;
  };
  std::erase_if(streams, goes_in);
  return taken;
}

void copy_events(const formats::FormatList& formats, const fs::path& from,
                 const formats::OpenOptions& options, bool overwrite, EventCopy& copy) {
  formats::OpenOptions one = options;
  one.stream = copy.stream;
  const auto source = formats.open_events(from, one);
  copy.rows = 0;
  copy.stream = source->info().name;
  formats::EventOutput output;
  output.path = copy.path;
  output.table = source->info().table;
  output.overwrite = overwrite;
  const auto writer = formats.for_events(copy.path).create_events(output);
  EventList piece;
  do {
    piece.clear();
    source->read(copy.rows, kPieceRows, piece);
    writer->append(piece);
    copy.rows += std::ssize(piece);
  } while (!piece.empty());
  writer->finish();
  writer->commit(provenance_of(from, copy));
}

}  // namespace weir::cli
