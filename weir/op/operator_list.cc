#include "weir/op/operator_list.h"

#include <algorithm>

namespace weir::op {

OperatorList::OperatorList(std::vector<const Operator*> operators)
    : operators_(std::move(operators)) {
  std::sort(operators_.begin(), operators_.end(),
            [](const Operator* a, const Operator* b) { return a->name() < b->name(); });
}

const Operator* OperatorList::find(std::string_view name) const noexcept {
  for (const Operator* candidate : operators_) {
    if (candidate->name() == name) {
      return candidate;
    }
  }
  return nullptr;
}

std::vector<std::string> OperatorList::names() const {
  std::vector<std::string> names;
  names.reserve(operators_.size());
  for (const Operator* candidate : operators_) {
    names.push_back(candidate->name());
  }
  return names;
}

}  // namespace weir::op
