#include "weir/formats/format_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>

#include "weir/core/error.h"
#include "weir/core/text.h"

namespace weir::formats {
namespace {
std::vector<std::byte> first_bytes(const std::filesystem::path& path) {
  if (std::filesystem::is_directory(path)) {
    return {};
  }
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  if (!file) {
    throw_errno(path.string(), "cannot open");
  }
  std::vector<std::byte> head(4096);
  head.resize(std::fread(head.data(), 1, head.size(), file.get()));
  return head;
}

bool writes(const Format& format, bool events) {
  return events ? format.create_events != nullptr : format.create != nullptr;
}

bool has_extension(const Format& format, const std::filesystem::path& path) {
  return std::any_of(format.extensions.begin(), format.extensions.end(),
                     [&](std::string_view extension) {
                       return ends_with_ignoring_case(path.string(), extension);
                     });
}

/// An event group inside a store (`rec.zarr/events/name`) is picked by the store's extension.
bool lies_inside(const Format& format, const std::filesystem::path& path) {
  for (auto folder = path.parent_path(); folder != folder.parent_path();
       folder = folder.parent_path()) {
    if (has_extension(format, folder)) {
      return true;
    }
  }
  return false;
}
}  // namespace

FormatList::FormatList(std::vector<const Format*> formats) : formats_(std::move(formats)) {
  std::sort(formats_.begin(), formats_.end(),
            [](const Format* a, const Format* b) { return a->name < b->name; });
}

const Format* FormatList::find(std::string_view name) const noexcept {
  const auto found = std::find_if(formats_.begin(), formats_.end(),
                                  [&](const Format* f) { return f->name == name; });
  return found == formats_.end() ? nullptr : *found;
}

const Format& FormatList::detect(const std::filesystem::path& path) const {
  std::error_code failure;
  // What is no file may still name some: a run of SpikeGLX.
  const bool there = std::filesystem::exists(path, failure);
  const auto head = there ? first_bytes(path) : std::vector<std::byte>();
  const Format* best = nullptr;
  Match match = Match::no;
  std::vector<std::string_view> tried;
  for (const Format* format : formats_) {
    if (format->probe == nullptr) {
      continue;
    }
    tried.push_back(format->name);
    const Match found = format->probe(path, head);
    if (found > match && (there || found == Match::certain)) {
      match = found;
      best = format;
    }
  }
  if (best == nullptr && !there) {
    errno = failure ? failure.value() : ENOENT;
    throw_errno(path.string(), "cannot open");
  }
  if (best == nullptr) {
    const bool raw = find("raw") != nullptr && head.size() > 0;
    throw Error(
        ErrorCode::unsupported,
        fmt::format("{}: no known format; tried {}{}", path.string(), fmt::join(tried, ", "),
                    raw ? "; a file of samples and nothing else is read as format raw, with "
                          "channels, rate_hz and dtype given as raw"
                        : ""));
  }
  return *best;
}

const Format& FormatList::reading(const std::filesystem::path& path,
                                  std::string_view format_name) const {
  const Format* format = format_name.empty() ? &detect(path) : find(format_name);
  if (format == nullptr) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("format \"{}\" is not known; see weir formats", format_name));
  }
  return *format;
}

std::unique_ptr<RecordingSource> FormatList::open(const std::filesystem::path& path,
                                                  const OpenOptions& options,
                                                  std::string_view format_name) const {
  const Format& format = reading(path, format_name);
  if (format.open == nullptr) {
    throw Error(ErrorCode::unsupported,
                fmt::format("{}: {} cannot be read as a recording", path.string(), format.name));
  }
  return format.open(path, options);
}

std::vector<EventStreamInfo> FormatList::list_events(const std::filesystem::path& path,
                                                     const OpenOptions& options,
                                                     std::string_view format_name) const {
  const Format& format = reading(path, format_name);
  return format.list_events == nullptr ? std::vector<EventStreamInfo>()
                                       : format.list_events(path, options);
}

std::unique_ptr<EventSource> FormatList::open_events(const std::filesystem::path& path,
                                                     const OpenOptions& options,
                                                     std::string_view format_name) const {
  const Format& format = reading(path, format_name);
  if (format.open_events == nullptr) {
    throw Error(ErrorCode::unsupported,
                fmt::format("{}: {} brings no events", path.string(), format.name));
  }
  return format.open_events(path, options);
}

std::vector<TableInfo> FormatList::list_tables(const std::filesystem::path& path,
                                               const OpenOptions& options,
                                               std::string_view format_name) const {
  const Format& format = reading(path, format_name);
  return format.list_tables == nullptr ? std::vector<TableInfo>()
                                       : format.list_tables(path, options);
}

std::unique_ptr<TableSource> FormatList::open_table(const std::filesystem::path& path,
                                                    const OpenOptions& options,
                                                    std::string_view format_name) const {
  const Format& format = reading(path, format_name);
  if (format.open_table == nullptr) {
    throw Error(ErrorCode::unsupported,
                fmt::format("{}: {} brings no tables of numbers", path.string(), format.name));
  }
  return format.open_table(path, options);
}

namespace {
const Format& for_writing(const std::vector<const Format*>& formats,
                          const std::filesystem::path& path, std::string_view format_name,
                          bool events) {
  std::vector<std::string_view> known;
  for (const bool inside : {false, true}) {
    for (const Format* format : formats) {
      const bool chosen = format_name.empty()
                              ? (inside ? lies_inside(*format, path) : has_extension(*format, path))
                              : format->name == format_name;
      if (chosen && writes(*format, events)) {
        return *format;
      }
      if (writes(*format, events) && !inside) {
        known.insert(known.end(), format->extensions.begin(), format->extensions.end());
      }
    }
  }
  const std::string_view what = events ? "event tables" : "recordings";
  if (!format_name.empty()) {
    throw Error(ErrorCode::unsupported,
                fmt::format("format \"{}\" does not write {}", format_name, what));
  }
  throw Error(ErrorCode::invalid_spec,
              fmt::format("{}: no format writes {} with this extension; known: {}", path.string(),
                          what, fmt::join(known, ", ")));
}
}  // namespace

const Format& FormatList::for_recording(const std::filesystem::path& path,
                                        std::string_view format_name) const {
  return for_writing(formats_, path, format_name, false);
}

const Format& FormatList::for_events(const std::filesystem::path& path,
                                     std::string_view format_name) const {
  return for_writing(formats_, path, format_name, true);
}

}  // namespace weir::formats
