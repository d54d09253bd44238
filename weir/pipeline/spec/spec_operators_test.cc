#include <vector>

#include "weir/op/operator.h"
#include "weir/pipeline/spec/spec_operators_internal.h"

namespace weir::pipeline {
namespace {
struct Filter {
  std::vector<double> cutoff_hz;
  std::int64_t order = 5;
};
struct Level {
  double level = -5;
};
struct Lookup {
  std::vector<std::string> files;
  Value map;
};

template <class Params>
std::unique_ptr<op::Step> no_step(const Params&, const op::StepContext&) {
  throw Error(ErrorCode::unsupported, "an operator of the spec tests plans nothing");
}

std::unique_ptr<op::Operator> make_filter() {
  using op::field;
  return op::make_operator<Filter>(
      {.name = "filter",
       .summary = "A filter.",
       .schema = op::Schema<Filter>(field("cutoff_hz", &Filter::cutoff_hz,
                                          {.unit = "Hz",
                                           .min = 0,
                                           .above_min = true,
                                           .required = true,
                                           .aliases = {"cutoff"}}),
                                    field("order", &Filter::order, {.min = 1, .max = 12})),
       .plan = no_step<Filter>});
}

std::unique_ptr<op::Operator> make_level() {
  return op::make_operator<Level>(
      {.name = "level",
       .summary = "A detector.",
       .schema = op::Schema<Level>(op::field("level", &Level::level, {})),
       .plan = no_step<Level>});
}

std::unique_ptr<op::Operator> make_lookup() {
  using op::field;
  return op::make_operator<Lookup>(
      {.name = "lookup",
       .summary = "Reads files.",
       .schema = op::Schema<Lookup>(
           field("files", &Lookup::files, {.aliases = {"file"}, .holds = op::Holds::path}),
           field("map", &Lookup::map, {.holds = op::Holds::document})),
       .plan = no_step<Lookup>});
}
}  // namespace

const op::OperatorList& test_operators() {
  static const auto kFilter = make_filter();
  static const auto kLevel = make_level();
  static const auto kLookup = make_lookup();
  static const op::OperatorList kList({kFilter.get(), kLevel.get(), kLookup.get()});
  return kList;
}

}  // namespace weir::pipeline
