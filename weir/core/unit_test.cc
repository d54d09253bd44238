#include "weir/core/unit.h"

#include <gtest/gtest.h>

namespace weir {
namespace {

TEST(Unit, PowersCanBeReadAgain) {
  EXPECT_EQ(unit_to_the(2, ""), "");
  EXPECT_EQ(unit_to_the(2, "mV"), "mV^2");
  EXPECT_EQ(unit_to_the(2, "uV^2"), "uV^4");
  EXPECT_EQ(unit_to_the(2, "s^-1"), "s^-2");
  EXPECT_EQ(unit_to_the(-1, "s^-1"), "s");
  EXPECT_EQ(unit_to_the(0, "s"), "");
  EXPECT_EQ(unit_to_the(1, "s"), "s");
  EXPECT_EQ(unit_to_the(2, "m/s"), "(m/s)^2");
  EXPECT_EQ(unit_to_the(2, "(m/s)^2"), "(m/s)^4");
  EXPECT_EQ(unit_to_the(2, "(m)/(s)"), "((m)/(s))^2");
  EXPECT_EQ(unit_to_the(2, "m/s^2"), "(m/s^2)^2");
}

TEST(Unit, WhatIsNoPowerIsBracketed) {
  EXPECT_EQ(unit_to_the(2, "m^"), "(m^)^2");
  EXPECT_EQ(unit_to_the(2, "m^0.5"), "(m^0.5)^2");
  EXPECT_EQ(unit_to_the(2, "m^9999999999"), "(m^9999999999)^2");
  EXPECT_EQ(unit_to_the(2, "^2"), "(^2)^2");
}

TEST(Unit, ProductsAddThePowersOfOneUnit) {
  EXPECT_EQ(product_unit("uV", "uV"), unit_to_the(2, "uV"));
  EXPECT_EQ(product_unit("uV", "uV^2"), "uV^3");
  EXPECT_EQ(product_unit("s", "s^-1"), "");
  EXPECT_EQ(product_unit("m/s", "m/s"), "(m/s)^2");
  EXPECT_EQ(product_unit("(m/s)^2", "m/s"), "(m/s)^3");
}

TEST(Unit, ProductsOfTwoUnitsNameBoth) {
  EXPECT_EQ(product_unit("N", "m"), "N*m");
  EXPECT_EQ(product_unit("m/s", "s"), "(m/s)*s");
  EXPECT_EQ(product_unit("", "s"), "s");
  EXPECT_EQ(product_unit("s", ""), "s");
  EXPECT_EQ(product_unit("", ""), "");
}

}  // namespace
}  // namespace weir
