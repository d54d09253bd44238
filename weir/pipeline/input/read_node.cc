#include "weir/pipeline/input/read_node.h"

#include <fmt/format.h>

#include "weir/pipeline/input/channel_selection.h"

namespace weir::pipeline {
namespace {
template <class Number>
void check_order(const std::optional<Number>& start, const std::optional<Number>& stop,
                 std::string_view field, const std::string& node, std::vector<Problem>& problems) {
  if (stop && start.value_or(0) >= *stop) {
    problems.push_back({node, std::string(field),
                        fmt::format("{} is not after the start ({})", *stop, start.value_or(0))});
  }
}
}  // namespace

void check_read(const Read& read, const std::string& node, std::vector<Problem>& problems) {
  if (read.path.empty()) {
    problems.push_back({node, "path", "the list is empty"});
  }
  for (const auto& path : read.path) {
    if (path.empty()) {
      problems.push_back({node, "path", "is empty"});
    } else if (path.find('\0') != std::string::npos) {
      problems.push_back({node, "path", "holds a zero character"});
    }
  }
  try {
    check_selection(read.channels);
  } catch (const Error& error) {
    problems.push_back({node, "channels", error.text(), error.code()});
  }
  if ((read.start_s || read.stop_s) && (read.start || read.stop)) {
    problems.push_back({node, read.start_s ? "start_s" : "stop_s",
                        "a range is either in seconds (start_s, stop_s) or in samples (start, "
                        "stop), not both"});
  }
  check_order(read.start_s, read.stop_s, "stop_s", node, problems);
  check_order(read.start, read.stop, "stop", node, problems);
  if (!read.raw.is_null() && !read.raw.is_object()) {
    problems.push_back(
        {node, "raw", fmt::format("expected an object, found {}", read.raw.type_name())});
  }
}

}  // namespace weir::pipeline
