#include "weir/formats/four_momentum.h"

#include <gtest/gtest.h>

#include "weir/testing/conformance.h"

namespace weir::formats {
namespace {
using testing::expect_error;

TableInfo table_of(const std::vector<std::string>& names) {
  TableInfo table;
  table.path = "a.parquet";
  for (const auto& name : names) {
    table.schema.columns.push_back({name, ColumnType::float64, false});
  }
  return table;
}

using Names = std::array<std::string, 4>;

TEST(FourMomentum, IsFoundByTheNamesOfItsColumnsInAnyOrder) {
  EXPECT_EQ(find_momentum(table_of({"p_pz", "p_px", "x", "p_e", "p_py"}), "p").columns,
            (Names{"p_e", "p_px", "p_py", "p_pz"}));
  EXPECT_EQ(find_momentum(table_of({"p_pz", "p_px", "p_E", "p_py"}), "p").columns,
            (Names{"p_E", "p_px", "p_py", "p_pz"}));
  EXPECT_EQ(find_momentum(table_of({"K_PX", "K_PY", "K_PZ", "K_PE"}), "K").columns,
            (Names{"K_PE", "K_PX", "K_PY", "K_PZ"}));
  EXPECT_EQ(find_momentum(table_of({"E1", "px1", "py1", "pz1", "E2"}), "1").columns,
            (Names{"E1", "px1", "py1", "pz1"}));
  EXPECT_EQ(find_momentum(table_of({"E", "px", "py", "pz"}), "").columns,
            (Names{"E", "px", "py", "pz"}));
  const auto muon = find_momentum(table_of({"mu_mass", "mu_pt", "mu_eta", "mu_phi"}), "mu");
  EXPECT_EQ(muon.columns, (Names{"mu_pt", "mu_eta", "mu_phi", "mu_mass"}));
  EXPECT_EQ(muon.form, MomentumForm::pt_eta_phi_mass);
}

TEST(FourMomentum, IsRefusedWithWhatTheNearestPresetLacks) {
  expect_error(ErrorCode::invalid_spec,
               "a.parquet: momentum \"p\": of the columns p_e p_px p_py p_pz it lacks p_py",
               [] { find_momentum(table_of({"p_pz", "p_px", "p_e", "p_pt"}), "p"); });
  expect_error(ErrorCode::invalid_spec, "may be p_e p_px p_py p_pz or p_pt p_eta p_phi p_mass", [] {
    find_momentum(table_of({"p_e", "p_px", "p_py", "p_pz", "p_pt", "p_eta", "p_phi", "p_mass"}),
                  "p");
  });
}

// mpmath, 20 digits: pt = 25.3, eta = -1.7, phi = 2.1, mass = 0.10565837.
TEST(FourMomentum, BecomesCartesian) {
  const auto four = cartesian_of(25.3, -1.7, 2.1, 0.10565837);
  EXPECT_NEAR(four[0], 71.556459090832365651, 1e-13);
  EXPECT_NEAR(four[1], -12.772606446376393526, 1e-13);
  EXPECT_NEAR(four[2], 21.839196976216506398, 1e-13);
  EXPECT_NEAR(four[3], -66.934487926081983649, 1e-13);
}
}  // namespace
}  // namespace weir::formats
