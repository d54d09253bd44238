#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/core/value.h"
#include "weir/model/expr/parameter.h"

namespace weir::analysis {

inline constexpr std::int64_t kAnalysisVersion = 1;

/// Where events come from.
struct DataSection {
  std::string file;    ///< A table: Parquet, Arrow IPC, CSV, npz, Zarr events, a flat ROOT tree.
  std::string tree;    ///< The tree or group inside the file, where there are several.
  std::string weight;  ///< An expression of columns; empty where every event counts once.
  std::string where;   ///< A condition on columns; empty for all rows.
  std::vector<std::string> momenta;  ///< Names of four-momenta, found by the columns' endings.
  Value columns;                     ///< Further columns: name to expression.
};

/// What is fitted to them.
struct ModelSection {
  std::string variable;  ///< The column the density is a density of.
  /// [[lower, upper], …]; the fit sees events inside only.
  std::vector<std::vector<double>> range;
  std::string density;  ///< An expression of columns, parameters and components.
  Value components;     ///< Parts by name: usable in the density, drawn in the plot.
};

enum class Kind { nll, extended_nll, binned_nll, chi2 };
enum class NormalisationChoice { automatic, analytic, numeric, none };
enum class ConstantsChoice { reduced, full };

struct LikelihoodSection {
  Kind kind = Kind::nll;
  NormalisationChoice normalisation = NormalisationChoice::automatic;
  std::int64_t bins = 100;  ///< binned_nll, chi2.
  ConstantsChoice constants = ConstantsChoice::reduced;
  Value constraints;  ///< A list of {expression, mean, sigma}.
};

enum class Covariance { automatic, naive, asymptotic };

struct MinimiserSection {
  std::string method = "minuit2";
  std::int64_t strategy = 1;
  double tolerance = 0.1;
  std::int64_t max_calls = 0;
  std::int64_t restarts = 0;
  std::int64_t seed = 1;
  std::vector<std::string> minos;  ///< Parameters to get asymmetric errors; ["all"].
  Covariance covariance = Covariance::automatic;
  std::int64_t threads = 0;
};

struct OutputSection {
  std::string result;  ///< A JSON file.
  std::string plot;    ///< An SVG file.
  std::string title;
  std::string label;        ///< Of the variable's axis; the variable's name where empty.
  std::int64_t bins = 100;  ///< Of the plot.
};

/// A fit described as data: the document of `weir fit`.
struct Analysis {
  DataSection data;
  std::vector<model::Parameter> parameters;
  ModelSection model;
  LikelihoodSection likelihood;
  MinimiserSection minimiser;
  OutputSection outputs;
};

/// Reads TOML or JSON. Relative paths are taken from `folder`.
/// Errors: `invalid_spec` with every problem, each by section and field.
Analysis read_analysis(std::string_view text, const std::filesystem::path& folder);
/// The same from a file. Errors: also `not_found`.
Analysis load_analysis(const std::filesystem::path& file);

/// JSON Schema of the document.
Value analysis_schema();

}  // namespace weir::analysis
