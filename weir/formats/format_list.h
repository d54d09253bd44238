#pragma once

#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include "weir/formats/format.h"

namespace weir::formats {

/// The formats a program knows. The catalogue makes the full list.
class FormatList {
 public:
  explicit FormatList(std::vector<const Format*> formats);
  const std::vector<const Format*>& all() const noexcept { return formats_; }
  const Format* find(std::string_view name) const noexcept;

  /// The format of an existing path. Errors: `not_found`; `io` (permissions); `unsupported` listing
  /// what was tried.
  const Format& detect(const std::filesystem::path& path) const;
  /// Opens with `format_name`, or the detected format when empty.
  std::unique_ptr<RecordingSource> open(const std::filesystem::path& path,
                                        const OpenOptions& options,
                                        std::string_view format_name = {}) const;
  /// The event streams of an existing path, by `format_name` or what is detected; none for a format
  /// that brings none. Errors: as `open`.
  std::vector<EventStreamInfo> list_events(const std::filesystem::path& path,
                                           const OpenOptions& options,
                                           std::string_view format_name = {}) const;
  /// One of them, by `options.stream`. Errors: as `open`; `unsupported` for a format that brings
  /// none; `not_found` and `invalid_spec` for the stream's name.
  std::unique_ptr<EventSource> open_events(const std::filesystem::path& path,
                                           const OpenOptions& options,
                                           std::string_view format_name = {}) const;
  /// The tables of numbers in an existing file, by `format_name` or what is detected; none for a
  /// format that brings none. Errors: as `open`.
  std::vector<TableInfo> list_tables(const std::filesystem::path& path, const OpenOptions& options,
                                     std::string_view format_name = {}) const;
  /// One of them, by `options.stream`. Errors: as `open`; `unsupported` for a format that brings
  /// none; `not_found` and `invalid_spec` for the table's name.
  std::unique_ptr<TableSource> open_table(const std::filesystem::path& path,
                                          const OpenOptions& options,
                                          std::string_view format_name = {}) const;
  /// The format that writes recordings to `path`, by `format_name` or extension.
  /// Errors: `invalid_spec` listing the extensions; `unsupported` for known formats without a
  /// writer.
  const Format& for_recording(const std::filesystem::path& path,
                              std::string_view format_name = {}) const;
  const Format& for_events(const std::filesystem::path& path,
                           std::string_view format_name = {}) const;

 private:
  const Format& reading(const std::filesystem::path& path, std::string_view format_name) const;
  std::vector<const Format*> formats_;
};

}  // namespace weir::formats
