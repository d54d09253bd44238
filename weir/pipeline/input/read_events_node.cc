#include "weir/pipeline/input/read_events_node.h"

namespace weir::pipeline {

const op::Schema<ReadEvents>& read_events_schema() {
  using op::field;
  static const op::Schema<ReadEvents> kSchema{
      field("path", &ReadEvents::path,
            {.doc = "A file or folder with events; may hold {input} and {stem}. By default what "
                    "read reads."}),
      field("stream", &ReadEvents::stream,
            {.doc = "An event stream inside the file; by default the only one."}),
      field("format", &ReadEvents::format, {.doc = "Format name; detected by default."}),
      field("raw", &ReadEvents::raw,
            {.doc = "Tables whose times do not tell their rate: rate_hz."})};
  return kSchema;
}

void check_read_events(const ReadEvents& read, bool alone, const std::string& node,
                       std::vector<Problem>& problems) {
  if (read.path.find('\0') != std::string::npos) {
    problems.push_back({node, "path", "holds a zero character"});
  }
  if (alone && read.path.empty()) {
    problems.push_back({node, "path", "is required where no node reads a recording"});
  }
}

}  // namespace weir::pipeline
