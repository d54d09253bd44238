#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "weir/formats/table_source.h"

namespace weir::formats {

/// What the four columns of a momentum hold.
enum class MomentumForm {
  cartesian,       ///< E, px, py, pz.
  pt_eta_phi_mass  ///< Transverse momentum, pseudorapidity, azimuth, mass.
};

/// Four columns that are one four-momentum.
struct FourMomentum {
  std::string name;
  MomentumForm form = MomentumForm::cartesian;
  std::array<std::string, 4> columns;  ///< In the order of `form`.
};

/// The columns that are the momentum `name`, by their names alone: NAME_e NAME_px NAME_py NAME_pz;
/// NAME_E …; NAME_PE NAME_PX NAME_PY NAME_PZ; ENAME pxNAME pyNAME pzNAME (an empty name: E px py
/// pz); NAME_pt NAME_eta NAME_phi NAME_mass.
/// Errors: `invalid_spec` when no set is whole (naming what the nearest lacks) or several are.
FourMomentum find_momentum(const TableInfo& table, const std::string& name);

/// E, px, py, pz.
/// Source: the definition of pseudorapidity, pz = pt sinh(eta); Review of Particle Physics,
/// "Kinematics".
std::array<double, 4> cartesian_of(double pt, double eta, double phi, double mass) noexcept;

}  // namespace weir::formats
