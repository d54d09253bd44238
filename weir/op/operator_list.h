#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weir/op/operator.h"

namespace weir::op {

/// The operators a pipeline may name. The catalogue makes the full one; tests make small ones.
class OperatorList {
 public:
  explicit OperatorList(std::vector<const Operator*> operators);
  const std::vector<const Operator*>& all() const noexcept { return operators_; }
  /// Null when there is none of that name.
  const Operator* find(std::string_view name) const noexcept;
  std::vector<std::string> names() const;

 private:
  std::vector<const Operator*> operators_;
};

}  // namespace weir::op
