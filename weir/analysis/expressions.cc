#include "weir/analysis/expressions.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "weir/analysis/section_schemas_internal.h"
#include "weir/core/error.h"
#include "weir/model/expr/operations.h"
#include "weir/model/expr/text_form.h"

namespace weir::analysis {
namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

class Parser {
 public:
  Parser(const Analysis& analysis, const std::vector<std::string>& file_columns)
      : analysis_(analysis) {
    of_file_.columns = file_columns;
    of_model_.parameters = analysis.parameters;
  }

  Expressions parse() {
    parse_data();
    parse_model();
    parse_constraints();
    check_use();
    return std::move(result_);
  }

 private:
  static model::Expr parse(const std::string& place, const std::string& text,
                           const model::Names& names, model::Kind kind) {
    return in_context(place, [&] {
      model::Expr expression = model::parse(text, names);
      if (expression.kind() != kind) {
        throw Error(ErrorCode::invalid_spec, fmt::format("must be {}, not {}", model::text(kind),
                                                         model::text(expression.kind())));
      }
      return expression;
    });
  }

  void parse_data() {
    const DataSection& data = analysis_.data;
    if (data.columns.is_object()) {
      for (const auto& [name, text] : data.columns.as_object()) {
        const model::Expr made =
            parse("data.columns." + name, text.as_string(), of_file_, model::Kind::real());
        result_.derived.emplace_back(name, made);
        of_file_.definitions.emplace_back(name, made);
      }
    }
    if (!data.where.empty()) {
      result_.where = parse("data.where", data.where, of_file_, model::Kind::boolean());
    }
    if (!data.weight.empty()) {
      result_.weight = parse("data.weight", data.weight, of_file_, model::Kind::real());
    }
  }

  /// What the density may read: the file's columns and the derived ones, which hide those of their
  /// name.
  void name_columns() {
    std::vector<std::string> columns = *of_file_.columns;
    for (const auto& [name, expression] : result_.derived) {
      std::erase(columns, name);
      columns.push_back(name);
    }
    for (const model::Parameter& parameter : analysis_.parameters) {
      if (contains(columns, parameter.name)) {
        throw Error(ErrorCode::invalid_spec,
                    fmt::format("parameters.{}: there is a column of this name", parameter.name));
      }
    }
    const std::string& variable = analysis_.model.variable;
    if (!contains(columns, variable)) {
      const auto near = nearest_word(variable, columns);
      throw Error(ErrorCode::invalid_spec,
                  fmt::format("model.variable: there is no column {}{}", variable,
                              near ? "; did you mean " + *near + "?" : ""));
    }
    of_model_.columns = std::move(columns);
  }

  void parse_model() {
    name_columns();
    if (analysis_.model.components.is_object()) {
      for (const auto& [name, text] : analysis_.model.components.as_object()) {
        const model::Expr made =
            parse("model.components." + name, text.as_string(), of_model_, model::Kind::real());
        result_.components.emplace_back(name, made);
        of_model_.definitions.emplace_back(name, made);
      }
    }
    result_.density =
        parse("model.density", analysis_.model.density, of_model_, model::Kind::real());
  }

  void parse_constraints() {
    const Value& list = analysis_.likelihood.constraints;
    if (list.is_null()) {
      return;
    }
    if (!list.is_array()) {
      throw Error(ErrorCode::invalid_spec,
                  "likelihood.constraints: must be a list of {expression, mean, sigma}");
    }
    model::Names names;
    names.parameters = analysis_.parameters;
    names.columns = std::vector<std::string>{};
    for (std::size_t i = 0; i < list.as_array().size(); ++i) {
      const std::string place = fmt::format("likelihood.constraints[{}]", i);
      std::vector<Problem> problems;
      const ConstraintEntry entry =
          constraint_schema().read(list.as_array()[i], place, {}, problems);
      throw_if_any(problems);
      result_.constraints.push_back(
          {.name = fmt::format("constraint on {}", entry.expression),
           .expression = parse(place, entry.expression, names, model::Kind::real()),
           .mean = entry.mean,
           .sigma = entry.sigma});
    }
  }

  void check_use() const {
    std::vector<model::Expr> roots = {result_.density};
    for (const Constraint& constraint : result_.constraints) {
      roots.push_back(constraint.expression);
    }
    std::set<std::string> used;
    for (const auto& parameter : model::parameters_of(roots)) {
      used.insert(parameter->name);
    }
    for (const model::Parameter& parameter : analysis_.parameters) {
      if (!used.contains(parameter.name)) {
        throw Error(ErrorCode::invalid_spec,
                    fmt::format("parameters.{}: neither the density nor a constraint uses it",
                                parameter.name));
      }
    }
  }

  const Analysis& analysis_;
  model::Names of_file_;
  model::Names of_model_;
  Expressions result_;
};

}  // namespace

Expressions parse_expressions(const Analysis& analysis,
                              const std::vector<std::string>& file_columns) {
  return Parser(analysis, file_columns).parse();
}

std::vector<std::string> columns_of_file(const Analysis& analysis, const Expressions& expressions) {
  std::vector<model::Expr> of_file;
  std::vector<std::string> derived;
  for (const auto& [name, expression] : expressions.derived) {
    of_file.push_back(expression);
    derived.push_back(name);
  }
  for (const auto* optional : {&expressions.where, &expressions.weight}) {
    if (*optional) {
      of_file.push_back(**optional);
    }
  }
  std::vector<std::string> columns = model::columns_of(of_file);
  std::vector<std::string> of_density = model::columns_of({&expressions.density, 1});
  of_density.push_back(analysis.model.variable);
  for (std::string& name : of_density) {
    if (!contains(derived, name) && !contains(columns, name)) {
      columns.push_back(std::move(name));
    }
  }
  return columns;
}

}  // namespace weir::analysis
