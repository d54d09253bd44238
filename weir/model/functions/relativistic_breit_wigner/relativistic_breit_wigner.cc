#include <numbers>

#include "weir/model/density/support.h"
#include "weir/model/expr/model_function.h"
#include "weir/model/expr/operations.h"

namespace weir::model {
namespace {

Expr norm(std::span<const Expr> a) {
  const Expr square = a[1] * a[1];
  const Expr g = a[1] * sqrt(square + a[2] * a[2]);
  return (2 * std::numbers::sqrt2 / std::numbers::pi) * (a[1] * a[2]) * g / sqrt(square + g);
}

Expr value(std::span<const Expr> a) {
  const Expr off = (a[0] - a[1]) * (a[0] + a[1]);
  const Expr width = a[1] * a[2];
  return select(less(0, a[0]), norm(a) / (off * off + width * width), 0);
}

/// The density is the imaginary part of 1/(x^2 - pole^2), so its integral that of a logarithm.
Expr integral(std::span<const Expr> a, const Expr& lower, const Expr& upper) {
  const Expr width = a[1] * a[2];
  const Expr pole = csqrt(complex(a[1] * a[1], width));
  const auto primitive = [&](const Expr& x) { return clog(x - pole) - clog(x + pole); };
  const Expr from = max(lower, 0);
  const Expr to = max(upper, from);
  const Expr end = select(less(to, infinity()), primitive(to), constant(0, 0));
  return imaginary_part((end - primitive(from)) / (2 * pole)) * (norm(a) / width);
}

}  // namespace

const ModelFunction& relativistic_breit_wigner_function();
const ModelFunction& relativistic_breit_wigner_function() {
  static const ModelFunction kRelativisticBreitWigner{
      .name = "relativistic_breit_wigner",
      .arguments = {"x", "m", "gamma"},
      .value = &value,
      .log_value = nullptr,
      .integral = &integral,
      .formula =
          R"(\frac{k}{(x^2-m^2)^2+m^2\Gamma^2},\quad k=\frac{2\sqrt2 m\Gamma g}{\pi\sqrt{m^2+g}},\ g=m\sqrt{m^2+\Gamma^2},\ x>0)",
      .source = "PDG Monte Carlo form with constant width; k by contour integration",
      .summary =
          "Relativistic Breit-Wigner with constant width, normalised on (0, inf) in x; m, gamma > "
          "0"};
  return kRelativisticBreitWigner;
}

}  // namespace weir::model
