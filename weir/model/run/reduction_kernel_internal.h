#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weir/model/compile/instruction_list.h"
#include "weir/model/run/prepared_model.h"
#include "weir/model/run/tile_kernels.h"

namespace weir::model {

enum class Derivatives : std::uint8_t { none, gradient, hessian, scores };

/// The names by which a model counts its free parameters and columns, whatever order a compilation
/// meets them in.
struct ModelNames {
  std::vector<std::shared_ptr<const Parameter>> parameters;
  std::vector<std::string> columns;
};

/// One compiled form of a reduction: the first output is the term to be summed, then what its
/// derivatives are made of.
struct ReductionKernel {
  CompiledModel model;
  std::vector<std::int32_t> parameters;  ///< The model's place of each of the form's parameters.
  std::vector<std::int32_t> columns;     ///< Likewise.
  Demand demand = Demand::nothing;
  Operand demanded;
  std::int32_t summed = 1;  ///< Outputs that are summed.
  /// From the parameters and the sums of adjoints to the gradient; absent where the sums are the
  /// gradient.
  std::optional<CompiledModel> backward;
};

/// Compiles a reduction of `model` with these derivatives.
ReductionKernel make_reduction_kernel(const Expr& model, const ModelNames& names, Plan plan,
                                      Domain domain, Derivatives derivatives);

/// Compiles the plain evaluation of every element of `model`.
ReductionKernel make_evaluation_kernel(const Expr& model, const ModelNames& names);

}  // namespace weir::model
