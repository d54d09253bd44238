#pragma once

/// The coefficients that tables/special_tables.py made.
namespace weir::model {
#include "weir/model/math/tables/bessel_i0e_rows.inc"
#include "weir/model/math/tables/bessel_i1e_rows.inc"
#include "weir/model/math/tables/cos_pi_terms.inc"
#include "weir/model/math/tables/cos_terms.inc"
#include "weir/model/math/tables/dawson_rows.inc"
#include "weir/model/math/tables/digamma_rows.inc"
#include "weir/model/math/tables/erfcx_rows.inc"
#include "weir/model/math/tables/exp_terms.inc"
#include "weir/model/math/tables/faddeeva_weights.inc"
#include "weir/model/math/tables/lgamma_rows.inc"
#include "weir/model/math/tables/log_terms.inc"
#include "weir/model/math/tables/sin_terms.inc"
#include "weir/model/math/tables/sinc_terms.inc"
#include "weir/model/math/tables/trigamma_rows.inc"
}  // namespace weir::model
