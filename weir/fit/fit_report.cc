#include "weir/fit/fit_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace weir::fit {
namespace {
using Row = std::vector<std::string>;

int power_of(double number) {
  return static_cast<int>(std::floor(std::log10(std::abs(number))));
}

Value optional_number(const std::optional<double>& number) {
  return number ? Value(*number) : Value();
}

Value minos_value(const MinosError& error) {
  Value value = Value::object();
  value.set("lower", error.lower);
  value.set("upper", error.upper);
  value.set("is_valid", error.is_valid);
  value.set("lower_valid", error.lower_valid);
  value.set("upper_valid", error.upper_valid);
  value.set("at_lower_limit", error.at_lower_limit);
  value.set("at_upper_limit", error.at_upper_limit);
  value.set("at_lower_max_fcn", error.at_lower_max_fcn);
  value.set("at_upper_max_fcn", error.at_upper_max_fcn);
  value.set("lower_new_min", error.lower_new_min);
  value.set("upper_new_min", error.upper_new_min);
  value.set("nfcn", error.nfcn);
  return value;
}

Value parameter_value(const FittedParameter& fitted, std::int64_t number) {
  const Parameter& parameter = fitted.parameter;
  Value value = Value::object();
  value.set("number", number);
  value.set("name", parameter.name);
  value.set("value", fitted.value);
  value.set("error", fitted.error);
  value.set("merror", fitted.merror ? minos_value(*fitted.merror) : Value());
  value.set("is_fixed", parameter.fixed);
  value.set("lower_limit", optional_number(parameter.lower));
  value.set("upper_limit", optional_number(parameter.upper));
  value.set("is_periodic", parameter.periodic);
  value.set("is_at_limit", fitted.at_limit);
  value.set("start", parameter.value);
  return value;
}

Value minimum_value(const FitResult& result) {
  Value value = Value::object();
  value.set("algorithm", result.algorithm);
  value.set("fval", result.fval);
  value.set("edm", result.edm);
  value.set("edm_goal", result.edm_goal);
  value.set("errordef", result.errordef);
  value.set("nfcn", result.nfcn);
  value.set("ngrad", result.ngrad);
  value.set("nhessian", result.nhessian);
  value.set("ndata", result.ndata ? Value(*result.ndata) : Value());
  value.set("is_valid", result.valid);
  value.set("reason", result.reason);
  value.set("has_accurate_covar", result.covariance_status == CovarianceStatus::accurate);
  value.set("has_made_posdef_covar", result.covariance_status == CovarianceStatus::forced);
  value.set("has_covariance", !result.covariance.empty());
  value.set("hesse_failed", result.hesse_failed);
  value.set("is_above_max_edm", result.is_above_max_edm);
  value.set("has_reached_call_limit", result.has_reached_call_limit);
  value.set("has_parameters_at_limit",
            std::ranges::any_of(result.parameters, &FittedParameter::at_limit));
  return value;
}

Value covariance_value(const FitResult& result) {
  if (result.covariance.empty()) {
    return {};
  }
  Value names = Value::array();
  Value rows = Value::array();
  for (std::size_t row = 0; row < result.covariance.size(); ++row) {
    names.push_back(result.parameters[row].parameter.name);
    Value numbers = Value::array();
    for (std::size_t column = 0; column < result.covariance.size(); ++column) {
      numbers.push_back(result.covariance(row, column));
    }
    rows.push_back(std::move(numbers));
  }
  Value value = Value::object();
  value.set("status", name(result.covariance_status));
  value.set("kind", result.covariance_kind);
  value.set("names", std::move(names));
  value.set("matrix", std::move(rows));
  return value;
}

/// Characters as seen, not bytes: all of them are one column wide here.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

/// Columns two spaces apart; the first to the left, the others where `left` says so.
std::string table(const std::vector<Row>& rows, const std::vector<bool>& left) {
  std::vector<std::size_t> widths(left.size(), 0);
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], width_of(row[i]));
    }
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line = " ";
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string space(widths[i] - width_of(row[i]), ' ');
      line += " " + (left[i] ? row[i] + space : space + row[i]) + (widths[i] > 0 ? " " : "");
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string bound_text(const Parameter& parameter) {
  if (!parameter.lower && !parameter.upper) {
    return {};
  }
  return fmt::format("{}{}, {}{}{}", parameter.lower ? "[" : "(",
                     parameter.lower ? fmt::format("{:.6g}", *parameter.lower) : "-inf",
                     parameter.upper ? fmt::format("{:.6g}", *parameter.upper) : "inf",
                     parameter.upper ? "]" : ")", parameter.periodic ? " periodic" : "");
}

std::string note_text(const FittedParameter& fitted) {
  if (fitted.parameter.fixed) {
    return "fixed";
  }
  std::string note = fitted.at_limit ? "at limit" : "";
  if (fitted.merror) {
    const auto add = [&](bool holds, const char* what) {
      note += holds ? (note.empty() ? "" : ", ") + std::string(what) : "";
    };
    add(fitted.merror->at_lower_limit, "MINOS ends at lower bound");
    add(fitted.merror->at_upper_limit, "MINOS ends at upper bound");
    add(!fitted.merror->is_valid, "MINOS failed");
  }
  return note;
}

Row parameter_row(const FittedParameter& fitted) {
  const auto [value, error] = rounded(fitted.value, fitted.error);
  std::string lower;
  std::string upper;
  if (fitted.merror) {
    lower = fitted.merror->lower_valid ? rounded(fitted.merror->lower, fitted.merror->lower).second
                                       : "?";
    upper = fitted.merror->upper_valid ? rounded(fitted.merror->upper, fitted.merror->upper).second
                                       : "?";
    lower = "-" + lower;
    upper = "+" + upper;
  }
  return {fitted.parameter.name,
          value,
          fitted.parameter.fixed ? "" : "± " + error,
          lower,
          upper,
          bound_text(fitted.parameter),
          note_text(fitted)};
}

std::string head_text(const FitResult& result) {
  std::string text = fmt::format("{}: {}\n", result.algorithm,
                                 result.valid ? "a valid minimum" : "NOT VALID: " + result.reason);
  text += fmt::format("  fval {:.10g}, edm {:.2g} (goal {:.2g}), error definition {:g}\n",
                      result.fval, result.edm, result.edm_goal, result.errordef);
  text += fmt::format("  {} calls for values, {} with gradients, {} for second derivatives\n",
                      result.nfcn, result.ngrad, result.nhessian);
  std::string status(name(result.covariance_status));
  std::ranges::replace(status, '_', ' ');
  text += fmt::format(
      "  covariance {}{}\n", status,
      result.weighted || result.covariance_kind != "naive" ? ", " + result.covariance_kind : "");
  return text;
}

std::string correlation_text(const FitResult& result) {
  std::vector<std::size_t> free;
  for (std::size_t i = 0; i < result.parameters.size(); ++i) {
    if (!result.parameters[i].parameter.fixed) {
      free.push_back(i);
    }
  }
  if (result.covariance.empty() || free.size() < 2 || free.size() > kMostCorrelations) {
    return {};
  }
  const SquareMatrix matrix = correlation(result.covariance);
  std::vector<Row> rows{{""}};
  for (std::size_t row = 0; row < free.size(); ++row) {
    const std::string& name = result.parameters[free[row]].parameter.name;
    rows.front().push_back(name);
    rows.push_back({name});
    for (std::size_t column = 0; column <= row; ++column) {
      rows.back().push_back(fmt::format("{:.3f}", matrix(free[row], free[column])));
    }
  }
  std::vector<bool> left(free.size() + 1, false);
  left.front() = true;
  return "correlations\n" + table(rows, left);
}
}  // namespace

std::pair<std::string, std::string> rounded(double value, double error) {
  const double size = std::abs(error);
  if (!(size > 0) || !std::isfinite(size) || !std::isfinite(value)) {
    return {fmt::format("{:.6g}", value),
            size > 0 || std::isnan(size) ? fmt::format("{:.2g}", size) : "0"};
  }
  // An error of 0.0996 has its two digits one place higher: 0.10.
  const int last = power_of(std::stod(fmt::format("{:.1e}", size))) - 1;
  const int first = std::max(value == 0 ? last : power_of(value), last + 1);
  if (last >= -8 && first <= 6) {
    const int decimals = std::max(0, -last);
    return {fmt::format("{:.{}f}", value, decimals), fmt::format("{:.{}f}", size, decimals)};
  }
  const double scale = std::pow(10.0, first);
  const int decimals = first - last;
  return {fmt::format("{:.{}f}e{:+03d}", value / scale, decimals, first),
          fmt::format("{:.{}f}e{:+03d}", size / scale, decimals, first)};
}

Value to_value(const FitResult& result) {
  Value parameters = Value::array();
  for (const FittedParameter& fitted : result.parameters) {
    parameters.push_back(
        parameter_value(fitted, static_cast<std::int64_t>(parameters.as_array().size())));
  }
  Value warnings = Value::array();
  for (const std::string& warning : result.warnings) {
    warnings.push_back(warning);
  }
  Value value = Value::object();
  value.set("weir_fit_result", 1);
  value.set("fmin", minimum_value(result));
  value.set("params", std::move(parameters));
  value.set("covariance", covariance_value(result));
  value.set("is_weighted", result.weighted);
  value.set("errors_are_statistical", result.errors_are_statistical);
  value.set("warnings", std::move(warnings));
  return value;
}

std::string to_text(const FitResult& result) {
  const bool asymmetric = std::ranges::any_of(
      result.parameters, [](const FittedParameter& fitted) { return fitted.merror.has_value(); });
  std::vector<Row> rows{
      {"parameter", "value", "error", asymmetric ? "MINOS" : "", "", "bounds", ""}};
  for (const FittedParameter& fitted : result.parameters) {
    rows.push_back(parameter_row(fitted));
  }
  if (std::ranges::all_of(rows.begin() + 1, rows.end(),
                          [](const Row& row) { return row[5].empty(); })) {
    rows.front()[5].clear();
  }
  std::string text = head_text(result) +
                     table(rows, {true, false, true, false, false, true, true}) +
                     correlation_text(result);
  for (const std::string& warning : result.warnings) {
    text += "warning: " + warning + "\n";
  }
  return text;
}

}  // namespace weir::fit
