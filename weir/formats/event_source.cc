#include "weir/formats/event_source.h"

#include <fmt/format.h>

#include "weir/core/error.h"

namespace weir::formats {

std::string_view name(EventKind kind) noexcept {
  switch (kind) {
    case EventKind::ttl:
      return "ttl";
    case EventKind::annotations:
      return "annotations";
    case EventKind::table:
      return "table";
  }
  return "";
}

std::size_t choose_events(const std::vector<EventStreamInfo>& streams, std::string_view wanted,
                          std::string_view path) {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < streams.size(); ++i) {
    if (!wanted.empty() && streams[i].name == wanted) {
      return i;
    }
    names.push_back(streams[i].name);
  }
  if (streams.empty()) {
    throw Error(ErrorCode::not_found, fmt::format("{}: brings no events", path));
  }
  if (!wanted.empty()) {
    throw Error(ErrorCode::not_found, fmt::format("{}: has no events called \"{}\"; there are {}",
                                                  path, wanted, fmt::join(names, ", ")));
  }
  if (streams.size() > 1) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("stream: {} brings several event streams; say which of {}", path,
                            fmt::join(names, ", ")));
  }
  return 0;
}

}  // namespace weir::formats
