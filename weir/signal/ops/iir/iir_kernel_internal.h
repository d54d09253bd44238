#pragma once

#include <cstdint>
#include <span>

#include "weir/core/block.h"

namespace weir::signal {

/// A cascade bound to one group of channels.
/// Shape: `coefficients` [sections, 5] as `delta_coefficients` gives them; `state`
///        [2 * sections, lanes]: s1 then s2 of each section, lanes a multiple of `kLanePadding`.
template <class T>
struct CascadeRun {
  std::span<const T> coefficients;
  T* state = nullptr;
  std::int64_t lanes = 0;
};

/// Filters `in` into `out` (which may be the same rows) and moves the state on. A negative row
/// stride runs time backwards. Every channel and frame gives the same bits however the rows are
/// cut.
void filter_rows(const CascadeRun<float>& run, Block<const float> in, Block<float> out) noexcept;
void filter_rows(const CascadeRun<double>& run, Block<const float> in, Block<float> out) noexcept;

/// Moves the state on and drops the output.
void advance_rows(const CascadeRun<float>& run, Block<const float> in) noexcept;
void advance_rows(const CascadeRun<double>& run, Block<const float> in) noexcept;

}  // namespace weir::signal
