#pragma once

#include "weir/analysis/analysis.h"
#include "weir/op/schema.h"

namespace weir::analysis {

std::span<const op::EnumName<Kind>> names_of(Kind);
std::span<const op::EnumName<NormalisationChoice>> names_of(NormalisationChoice);
std::span<const op::EnumName<ConstantsChoice>> names_of(ConstantsChoice);
std::span<const op::EnumName<Covariance>> names_of(Covariance);

/// A parameter as the document writes it.
struct ParameterEntry {
  std::optional<double> value;
  std::vector<double> range;
  std::optional<double> lower;
  std::optional<double> upper;
  bool fixed = false;
  bool periodic = false;
  std::optional<double> step;
  std::string unit;
  std::string latex;
  std::string description;
};

/// A constraint as the document writes it.
struct ConstraintEntry {
  std::string expression;
  double mean = 0;
  double sigma = 1;
};

op::Schema<DataSection> data_schema();
op::Schema<ParameterEntry> parameter_schema();
op::Schema<ModelSection> model_schema();
op::Schema<LikelihoodSection> likelihood_schema();
op::Schema<ConstraintEntry> constraint_schema();
op::Schema<MinimiserSection> minimiser_schema();
op::Schema<OutputSection> output_schema();

}  // namespace weir::analysis
