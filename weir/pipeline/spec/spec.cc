#include "weir/pipeline/spec/spec.h"

namespace weir::pipeline {

const Node* Spec::find(std::string_view id) const noexcept {
  for (const auto& node : nodes) {
    if (node.id == id) {
      return &node;
    }
  }
  return nullptr;
}

}  // namespace weir::pipeline
