#include "weir/formats/four_momentum.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "weir/core/error.h"
#include "weir/core/text.h"

namespace weir::formats {
namespace {
/// Where the momentum's name stands is "{}".
struct Preset {
  MomentumForm form;
  std::array<std::string_view, 4> patterns;
};
constexpr std::array<Preset, 5> kPresets{
    {{MomentumForm::cartesian, {"{}_e", "{}_px", "{}_py", "{}_pz"}},
     {MomentumForm::cartesian, {"{}_E", "{}_px", "{}_py", "{}_pz"}},
     {MomentumForm::cartesian, {"{}_PE", "{}_PX", "{}_PY", "{}_PZ"}},
     {MomentumForm::cartesian, {"E{}", "px{}", "py{}", "pz{}"}},
     {MomentumForm::pt_eta_phi_mass, {"{}_pt", "{}_eta", "{}_phi", "{}_mass"}}}};

std::string filled(std::string_view pattern, const std::string& name) {
  const auto place = pattern.find("{}");
  return std::string(pattern.substr(0, place)) + name + std::string(pattern.substr(place + 2));
}

FourMomentum filled(const Preset& preset, const std::string& name) {
  FourMomentum momentum{.name = name, .form = preset.form, .columns = {}};
  for (std::size_t i = 0; i < momentum.columns.size(); ++i) {
    momentum.columns[i] = filled(preset.patterns[i], name);
  }
  return momentum;
}

std::vector<std::string> missing(const TableInfo& table, const FourMomentum& momentum) {
  std::vector<std::string> lacks;
  for (const auto& wanted : momentum.columns) {
    const auto& columns = table.schema.columns;
    if (std::none_of(columns.begin(), columns.end(),
                     [&](const auto& column) { return column.name == wanted; })) {
      lacks.push_back(printable(wanted));
    }
  }
  return lacks;
}

std::string listed(const FourMomentum& momentum) {
  const auto& names = momentum.columns;
  return printable(fmt::format("{} {} {} {}", names[0], names[1], names[2], names[3]));
}
}  // namespace

FourMomentum find_momentum(const TableInfo& table, const std::string& name) {
  std::vector<FourMomentum> whole;
  std::vector<std::string> fewest;
  std::string nearest;
  for (const auto& preset : kPresets) {
    auto momentum = filled(preset, name);
    const auto lacks = missing(table, momentum);
    if (lacks.empty()) {
      whole.push_back(std::move(momentum));
    } else if (nearest.empty() || lacks.size() < fewest.size()) {
      fewest = lacks;
      nearest = listed(momentum);
    }
  }
  if (whole.size() > 1) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("{}: momentum \"{}\": may be {} or {}: name its columns", table.path,
                            printable(name), listed(whole[0]), listed(whole[1])));
  }
  if (whole.empty()) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("{}: momentum \"{}\": of the columns {} it lacks {}", table.path,
                            printable(name), nearest, fmt::join(fewest, ", ")));
  }
  return whole.front();
}

std::array<double, 4> cartesian_of(double pt, double eta, double phi, double mass) noexcept {
  const double px = pt * std::cos(phi);
  const double py = pt * std::sin(phi);
  const double pz = pt * std::sinh(eta);
  return {std::hypot(mass, pt * std::cosh(eta)), px, py, pz};
}

}  // namespace weir::formats
