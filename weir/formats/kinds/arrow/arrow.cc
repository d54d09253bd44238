#include "weir/formats/kinds/arrow/arrow.h"

#include <algorithm>
#include <cstring>

#include "weir/core/text.h"
#include "weir/formats/table_event_source.h"
#include "weir/formats/table_event_writer.h"
#include "weir/formats/tables/grouped_table.h"

namespace weir::formats {
namespace {
Match probe(const std::filesystem::path& path, std::span<const std::byte> head) {
  if (head.size() >= 8 && std::memcmp(head.data(), "ARROW1\0\0", 8) == 0) {
    return Match::certain;
  }
  const auto& extensions = arrow_format().extensions;
  const bool named = std::any_of(extensions.begin(), extensions.end(), [&](auto extension) {
    return ends_with_ignoring_case(path.string(), extension);
  });
  return named ? Match::by_name : Match::no;
}

std::unique_ptr<EventWriter> create_events(const EventOutput& output) {
  return make_table_event_writer(output, TableFile::arrow_ipc);
}

std::vector<EventStreamInfo> list_events(const std::filesystem::path& path,
                                         const OpenOptions& options) {
  return list_table_events(path, TableFile::arrow_ipc, options);
}

std::unique_ptr<EventSource> open_events(const std::filesystem::path& path,
                                         const OpenOptions& options) {
  return open_table_events(path, TableFile::arrow_ipc, options);
}

std::vector<TableInfo> list_tables(const std::filesystem::path& path,
                                   const OpenOptions& /*options*/) {
  return {open_grouped_table(path, TableFile::arrow_ipc)->info()};
}

std::unique_ptr<TableSource> open_table(const std::filesystem::path& path,
                                        const OpenOptions& options) {
  choose_table({""}, options.stream, path.string());
  return open_grouped_table(path, TableFile::arrow_ipc);
}
}  // namespace

const Format& arrow_format() {
  static const Format kFormat{
      .name = "arrow",
      .summary = "Tables as Arrow IPC files (Feather version 2)",
      .extensions = {".arrow", ".feather", ".ipc"},
      .probe = &probe,
      .open = nullptr,
      .create = nullptr,
      .create_events = &create_events,
      .writer_bytes = nullptr,
      .list_events = &list_events,
      .open_events = &open_events,
      .list_tables = &list_tables,
      .open_table = &open_table,
      .event_writer_bytes = &table_event_writer_bytes,
  };
  return kFormat;
}

}  // namespace weir::formats
