#include "weir/model/expr/graphviz_form.h"

#include <gtest/gtest.h>

#include "weir/model/expr/operations.h"

namespace weir::model {
namespace {

TEST(GraphvizForm, WritesEachNodeOnce) {
  const Expr x = column("pulse \"height\"");
  const Expr root = (power(x, 2) - parameter({.name = "mu"})).tagged({"A", "B"}) * constant(1, -2);
  constexpr const char* kExpected = R"dot(digraph expression {
  ordering=out;
  n0 [label="pulse \"height\"", shape=cds];
  n1 [label="power 2", shape=box];
  n1 -> n0;
  n2 [label="mu", shape=ellipse];
  n3 [label="subtract\n(A, B)", shape=box];
  n3 -> n1;
  n3 -> n2;
  n4 [label="1 -2i", shape=plaintext];
  n5 [label="multiply", shape=box];
  n5 -> n3;
  n5 -> n4;
  root0 [label="root 0", shape=none];
  root0 -> n5;
}
)dot";
  EXPECT_EQ(print_graphviz({&root, 1}), kExpected);
}

}  // namespace
}  // namespace weir::model
