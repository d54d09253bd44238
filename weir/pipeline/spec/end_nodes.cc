#include "weir/pipeline/spec/end_nodes.h"

#include "weir/pipeline/input/input.h"
#include "weir/pipeline/input/read_events_node.h"
#include "weir/pipeline/spec/write_node.h"

namespace weir::pipeline {

const std::vector<EndNode>& end_nodes() {
  static const std::vector<EndNode> kNodes{
      {"read", "A recording, or many.", read_schema().describe()},
      {"read_events", "Events known beforehand, from a file.", read_events_schema().describe()},
      {"write", "A recording or an event table.", write_schema().describe()}};
  return kNodes;
}

}  // namespace weir::pipeline
