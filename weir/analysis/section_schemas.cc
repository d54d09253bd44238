#include <array>

#include "weir/analysis/section_schemas_internal.h"

namespace weir::analysis {

std::span<const op::EnumName<Kind>> names_of(Kind) {
  static constexpr std::array<op::EnumName<Kind>, 4> kNames = {
      {{"nll", Kind::nll},
       {"extended_nll", Kind::extended_nll},
       {"binned_nll", Kind::binned_nll},
       {"chi2", Kind::chi2}}};
  return kNames;
}

std::span<const op::EnumName<NormalisationChoice>> names_of(NormalisationChoice) {
  using enum NormalisationChoice;
  static constexpr std::array<op::EnumName<NormalisationChoice>, 4> kNames = {
      {{"auto", automatic}, {"analytic", analytic}, {"numeric", numeric}, {"none", none}}};
  return kNames;
}

std::span<const op::EnumName<ConstantsChoice>> names_of(ConstantsChoice) {
  static constexpr std::array<op::EnumName<ConstantsChoice>, 2> kNames = {
      {{"reduced", ConstantsChoice::reduced}, {"full", ConstantsChoice::full}}};
  return kNames;
}

std::span<const op::EnumName<Covariance>> names_of(Covariance) {
  static constexpr std::array<op::EnumName<Covariance>, 3> kNames = {
      {{"auto", Covariance::automatic},
       {"naive", Covariance::naive},
       {"asymptotic", Covariance::asymptotic}}};
  return kNames;
}

op::Schema<DataSection> data_schema() {
  using S = DataSection;
  return op::Schema<S>{
      op::field(
          "file", &S::file,
          {.required = true,
           .holds = op::Holds::path,
           .doc =
               "A table of events: Parquet, Arrow IPC, CSV, npz, Zarr events, a flat ROOT tree."}),
      op::field("tree", &S::tree,
                {.doc = "The tree or group inside the file; needed where there are several."}),
      op::field(
          "weight", &S::weight,
          {.doc = "An event's weight: a column or an expression of columns. 1 if not given."}),
      op::field(
          "where", &S::where,
          {.doc =
               "Which rows count: a condition on columns, such as \"q1*q2 < 0 and mass > 70\". A "
               "null compares as NaN."}),
      op::field("momenta", &S::momenta,
                {.doc = "Four-momenta by name, each four columns known by their endings; "
                        "expressions say p.e, p.px, p.py, p.pz."}),
      op::field("columns", &S::columns,
                {.doc = "Further columns: a table of names and expressions, which may use those "
                        "before them."})};
}

op::Schema<ParameterEntry> parameter_schema() {
  using S = ParameterEntry;
  return op::Schema<S>{
      op::field(
          "value", &S::value,
          {.aliases = {"start", "initial"}, .doc = "Where the fit starts, or what it is held at."}),
      op::field("range", &S::range, {.doc = "[lower, upper]: both bounds at once."}),
      op::field("lower", &S::lower, {.doc = "Lower bound."}),
      op::field("upper", &S::upper, {.doc = "Upper bound."}),
      op::field("fixed", &S::fixed, {.doc = "Held at its value."}),
      op::field("periodic", &S::periodic, {.doc = "The bounds are one period."}),
      op::field(
          "step", &S::step,
          {.min = 0, .above_min = true, .aliases = {"scale"}, .doc = "Size of the first step."}),
      op::field("unit", &S::unit, {.doc = "Its unit, for the table."}),
      op::field("latex", &S::latex, {.doc = "Its name in LaTeX."}),
      op::field("description", &S::description, {.doc = "What it is."})};
}

op::Schema<ModelSection> model_schema() {
  using S = ModelSection;
  return op::Schema<S>{
      op::field("variable", &S::variable,
                {.required = true, .doc = "The column that the density is a density of."}),
      op::field("range", &S::range,
                {.required = true,
                 .doc = "[lower, upper], or a list of such pairs: events outside are left out, and "
                        "the density is normalised on their union."}),
      op::field(
          "density", &S::density,
          {.required = true,
           .doc = "An expression of columns, parameters and components. For extended_nll, "
                  "binned_nll and chi2 a rate: its integral is the expected number of events."}),
      op::field("components", &S::components,
                {.doc = "Parts of the density: a table of names and expressions."})};
}

op::Schema<LikelihoodSection> likelihood_schema() {
  using S = LikelihoodSection;
  return op::Schema<S>{
      op::field(
          "kind", &S::kind,
          {.doc = "nll and extended_nll see every event, binned_nll and chi2 counts in bins."}),
      op::field("normalisation", &S::normalisation,
                {.doc = "How the density's integral is computed; none: the density is normalised "
                        "in itself."}),
      op::field("bins", &S::bins,
                {.min = 1, .max = 1e6, .doc = "Of binned_nll and chi2, over all of the range."}),
      op::field("constants", &S::constants, {.doc = "Whether binned_nll holds ln n!."}),
      op::field("constraints", &S::constraints,
                {.doc = "Outside measurements: a list of {expression, mean, sigma}."})};
}

op::Schema<ConstraintEntry> constraint_schema() {
  using S = ConstraintEntry;
  return op::Schema<S>{
      op::field("expression", &S::expression,
                {.required = true,
                 .aliases = {"parameter"},
                 .doc = "A parameter or an expression of parameters."}),
      op::field("mean", &S::mean, {.required = true, .doc = "What was measured."}),
      op::field("sigma", &S::sigma,
                {.min = 0, .above_min = true, .required = true, .doc = "Its standard error."})};
}

op::Schema<MinimiserSection> minimiser_schema() {
  using S = MinimiserSection;
  return op::Schema<S>{
      op::field("method", &S::method, {.doc = "minuit2 or nlopt."}),
      op::field("strategy", &S::strategy,
                {.min = 0, .max = 2, .doc = "Minuit's: 0 fast, 2 careful."}),
      op::field("tolerance", &S::tolerance,
                {.min = 0,
                 .above_min = true,
                 .doc = "The distance to the minimum must come below 0.002 x tolerance x 0.5."}),
      op::field("max_calls", &S::max_calls,
                {.min = 0, .doc = "0: as many as the number of parameters suggests."}),
      op::field("restarts", &S::restarts,
                {.min = 0, .max = 1e6, .doc = "Further starts, drawn between the bounds."}),
      op::field("seed", &S::seed, {.min = 0, .doc = "Of those draws."}),
      op::field("minos", &S::minos,
                {.doc = "Parameters to get asymmetric errors; [\"all\"] for every free one."}),
      op::field("covariance", &S::covariance,
                {.doc = "Of weighted events: naive, or asymptotic (auto)."}),
      op::field("threads", &S::threads,
                {.min = 0, .max = 4096, .doc = "0: as many as the machine has."})};
}

op::Schema<OutputSection> output_schema() {
  using S = OutputSection;
  return op::Schema<S>{
      op::field("result", &S::result,
                {.holds = op::Holds::path, .doc = "A JSON file for the result."}),
      op::field(
          "plot", &S::plot,
          {.holds = op::Holds::path, .doc = "An SVG file: data, model, components and pulls."}),
      op::field("title", &S::title, {.doc = "Of the plot."}),
      op::field("label", &S::label, {.doc = "Of the variable's axis, with its unit."}),
      op::field("bins", &S::bins, {.min = 1, .max = 10000, .doc = "Of the plot."})};
}

}  // namespace weir::analysis
