#pragma once

#include <string>
#include <vector>

#include "weir/op/schema.h"

namespace weir::pipeline {

/// A kind of node that is no operator: where a graph begins or ends.
struct EndNode {
  std::string name;
  std::string summary;
  std::vector<op::FieldInfo> fields;
};

/// `read`, `read_events` and `write`.
const std::vector<EndNode>& end_nodes();

}  // namespace weir::pipeline
