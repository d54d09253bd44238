#include <algorithm>

#include "weir/signal/ops/iir/iir_scan_internal.h"

namespace weir::signal {
namespace {

/// M - 1 of one frame of zeros. A section's input is the output of the one before it: y = b0 x +
/// s1.
std::vector<double> over_one_frame(std::span<const Section> sections) {
  const std::size_t values = 2 * sections.size();
  std::vector<double> moved(values * values, 0.0);
  std::vector<double> input(values, 0.0);  // of the section, as a sum of states
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const Section& k = sections[i];
    double* s1 = &moved[2 * i * values];
    double* s2 = s1 + values;
    std::vector<double> output = input;
    for (double& value : output) {
      value *= k.b0;
    }
    output[2 * i] += 1;
    for (std::size_t j = 0; j < values; ++j) {
      s1[j] = k.beta1 * input[j] - k.alpha1 * output[j];
      s2[j] = k.beta2 * input[j] - k.alpha2 * output[j];
    }
    s1[2 * i + 1] += 1;
    input = std::move(output);
  }
  return moved;
}

/// (1 + a) (1 + b) - 1 = a + b + a b.
std::vector<double> both(const std::vector<double>& a, const std::vector<double>& b,
                         std::size_t values) {
  std::vector<double> result(a.size());
  for (std::size_t i = 0; i < values; ++i) {
    for (std::size_t j = 0; j < values; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < values; ++k) {
        sum += a[i * values + k] * b[k * values + j];
      }
      result[i * values + j] = (a[i * values + j] + b[i * values + j]) + sum;
    }
  }
  return result;
}

}  // namespace

std::vector<double> moved_over(std::span<const Section> sections, std::int64_t frames) {
  const std::size_t values = 2 * sections.size();
  std::vector<double> moved(values * values, 0.0);
  for (auto d = over_one_frame(sections); frames > 0; frames /= 2) {
    if (frames % 2 == 1) {
      moved = both(moved, d, values);
    }
    d = both(d, d, values);
  }
  return moved;
}

std::vector<double> upside_down(const std::vector<double>& left, std::size_t sections) {
  const auto columns = static_cast<std::ptrdiff_t>(padded_values(sections));
  std::vector<double> turned;
  for (auto row = left.end(); row != left.begin(); row -= columns) {
    turned.insert(turned.end(), row - columns, row);
  }
  return turned;
}

ScanTables scan_tables(std::span<const Section> sections, const ScanGrid& grid) {
  ScanTables tables;
  const std::size_t padded = padded_values(sections.size());
  tables.left.resize(static_cast<std::size_t>(grid.block) * padded);
  std::vector<DeltaState> state(sections.size());
  double x = 1;
  for (std::int64_t frame = grid.block - 1; frame >= 0; --frame) {
    double* row = &tables.left[static_cast<std::size_t>(frame) * padded];
    for (std::size_t i = 0; i < sections.size(); ++i) {
      const Section& k = sections[i];
      DeltaState& s = state[i];
      const double y = k.b0 * x + s.s1;
      s = {s.s1 + (k.beta1 * x - k.alpha1 * y + s.s2), s.s2 + (k.beta2 * x - k.alpha2 * y)};
      row[2 * i] = s.s1;
      row[2 * i + 1] = s.s2;
      x = y;
    }
    x = 0;
  }
  tables.over_block = moved_over(sections, grid.block);
  tables.over_span = moved_over(sections, grid.span());
  return tables;
}

}  // namespace weir::signal
