#include <numbers>

#include "weir/model/expr/model_function.h"
#include "weir/model/expr/operations.h"

namespace weir::model {
namespace {

const double kOneOverRootTwo = 1 / std::numbers::sqrt2;
const double kOneOverRootPi = std::numbers::inv_sqrtpi;

Expr value(std::span<const Expr> a) {
  const Expr scale = kOneOverRootTwo / a[2];
  const Expr z = complex((a[0] - a[1]) * scale, a[3] * scale);
  return real_part(faddeeva(z)) * (scale * kOneOverRootPi);
}

}  // namespace

const ModelFunction& voigt_function();
const ModelFunction& voigt_function() {
  static const ModelFunction kVoigt{
      .name = "voigt",
      .arguments = {"x", "mu", "sigma", "gamma"},
      .value = &value,
      .log_value = nullptr,
      .integral = nullptr,
      .formula =
          R"(\frac{\mathrm{Re}\,w(z)}{\sigma\sqrt{2\pi}},\quad z=\frac{x-\mu+i\gamma}{\sigma\sqrt2})",
      .source = "DLMF 7.19",
      .summary =
          "Voigt profile; gamma is the half width at half maximum of the Lorentzian; sigma > 0, "
          "gamma >= 0"};
  return kVoigt;
}

}  // namespace weir::model
