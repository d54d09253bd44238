#include "weir/signal/ops/iir/iir_error.h"

#include <algorithm>
#include <cmath>

#include "weir/signal/ops/iir/iir.h"

namespace weir::signal {
namespace {
/// A value and its first-order change when the coefficients move.
struct Dual {
  double value = 0;
  double change = 0;
};
Dual operator+(Dual a, Dual b) {
  return {a.value + b.value, a.change + b.change};
}
Dual operator-(Dual a, Dual b) {
  return {a.value - b.value, a.change - b.change};
}
Dual operator*(Dual a, Dual b) {
  return {a.value * b.value, a.value * b.change + a.change * b.value};
}

constexpr std::size_t kRoundings = 6;  ///< Rounded values per section and frame.

/// One frame of the cascade as the kernels compute it. `pass(index, value)` sees each rounded value
/// and returns what to go on with.
template <class Real, class Pass>
Real cascade_frame(std::span<const Real> coefficients, Real x, std::span<Real> state, Pass pass) {
  for (std::size_t i = 0; 5 * i < coefficients.size(); ++i) {
    const auto k = coefficients.subspan(5 * i, 5);
    Real& s1 = state[2 * i];
    Real& s2 = state[2 * i + 1];
    const std::size_t first = kRoundings * i;
    const Real y = pass(first, k[0] * x + s1);
    const Real drive = pass(first + 1, k[1] * x + s2);
    const Real change = pass(first + 2, drive - k[3] * y);
    const Real held = pass(first + 3, k[2] * x + s2);
    s1 = pass(first + 4, s1 + change);
    s2 = pass(first + 5, held - k[4] * y);
    x = y;
  }
  return x;
}

/// A linear machine: z' = A z + b u, and each row of `rows` gives one observed value c z + d u.
struct Machine {
  SquareMatrix a;
  std::vector<double> b;
  std::vector<std::vector<double>> c;  ///< [observed][states]
  std::vector<double> d;
};

/// States: the cascade's own, then their changes per float32 rounding of the coefficients.
/// Observed: every rounded value, the output, the output's change.
Machine sensitive_machine(std::span<const Dual> coefficients) {
  const std::size_t n = 2 * coefficients.size() / 5;
  const std::size_t observed = kRoundings * coefficients.size() / 5 + 2;
  Machine machine{
      SquareMatrix(2 * n), std::vector<double>(2 * n), {}, std::vector<double>(observed)};
  machine.c.assign(observed, std::vector<double>(2 * n));
  for (std::size_t input = 0; input <= 2 * n; ++input) {  // the last one is u
    std::vector<Dual> state(n);
    if (input < n) {
      state[input].value = 1;
    } else if (input < 2 * n) {
      state[input - n].change = 1;
    }
    const auto see = [&](std::size_t index, double value) {
      (input < 2 * n ? machine.c[index][input] : machine.d[index]) = value;
    };
    const Dual y = cascade_frame<Dual>(coefficients, Dual{input == 2 * n ? 1.0 : 0.0, 0}, state,
                                       [&](std::size_t index, Dual value) {
                                         see(index, value.value);
                                         return value;
                                       });
    see(observed - 2, y.value);
    see(observed - 1, y.change);
    for (std::size_t i = 0; i < n; ++i) {
      (input < 2 * n ? machine.a(i, input) : machine.b[i]) = state[i].value;
      (input < 2 * n ? machine.a(n + i, input) : machine.b[n + i]) = state[i].change;
    }
  }
  return machine;
}

/// The cascade alone: states 2 per section, observed: the output.
Machine plain_machine(std::span<const double> coefficients) {
  const std::size_t n = 2 * coefficients.size() / 5;
  Machine machine{SquareMatrix(n), std::vector<double>(n), {std::vector<double>(n)}, {0.0}};
  for (std::size_t input = 0; input <= n; ++input) {
    std::vector<double> state(n);
    if (input < n) {
      state[input] = 1;
    }
    const double y = cascade_frame<double>(coefficients, input == n ? 1.0 : 0.0, state,
                                           [](std::size_t, double value) { return value; });
    (input < n ? machine.c[0][input] : machine.d[0]) = y;
    for (std::size_t i = 0; i < n; ++i) {
      (input < n ? machine.a(i, input) : machine.b[i]) = state[i];
    }
  }
  return machine;
}

/// Energy that reaches the output from a unit error in rounded value `index`.
double energy_from(std::span<const double> coefficients, std::size_t index,
                   const SquareMatrix& observability) {
  std::vector<double> state(observability.size());
  const double y = cascade_frame<double>(
      coefficients, 0.0, state,
      [&](std::size_t at, double value) { return at == index ? value + 1 : value; });
  return y * y + quadratic(observability, state);
}

/// Visits z = A^t start for t = 0, 1, 2, … densely, then with a stride that doubles every
/// `per_octave` visits, until `end`.
template <class Visit>
void walk(SquareMatrix a, std::vector<double> z, std::int64_t end, std::int64_t per_octave,
          Visit visit) {
  std::int64_t stride = 1;
  std::int64_t left = 2 * per_octave;
  for (std::int64_t t = 0; t < end; t += stride) {
    if (left == 0) {
      a = a * a;
      stride *= 2;
      left = per_octave;
    }
    visit(t, stride, z);
    z = a * z;
    --left;
  }
}

/// Largest |step response| of every observed value.
std::vector<double> largest_steps(const Machine& machine, std::int64_t end) {
  // One more state that stays 1 turns the constant input into a part of the matrix.
  const std::size_t n = machine.b.size();
  SquareMatrix a(n + 1);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      a(i, j) = machine.a(i, j);
    }
    a(i, n) = machine.b[i];
  }
  a(n, n) = 1;
  std::vector<double> start(n + 1);
  start[n] = 1;
  std::vector<double> largest(machine.d.size());
  constexpr std::int64_t kPerOctave = 256;
  walk(a, start, end, kPerOctave, [&](std::int64_t, std::int64_t, const std::vector<double>& z) {
    const auto states = std::span(z).first(n);
    for (std::size_t j = 0; j < largest.size(); ++j) {
      largest[j] = std::max(largest[j], std::abs(dot(machine.c[j], states) + machine.d[j]));
    }
  });
  return largest;
}

/// Frames in which the slowest pole falls by exp(-`nepers`).
std::int64_t decay_frames(std::span<const Section> sections, double nepers) {
  constexpr double kMost = 1e12;
  return static_cast<std::int64_t>(
             std::min(kMost, std::ceil(nepers / stability_margin(sections)))) +
         2;
}
}  // namespace

namespace {
/// `rounded` gives a coefficient 24 bits.
template <class Rounded>
double error_of_24_bits(std::span<const Section> sections, double dc, Rounded rounded) {
  constexpr double kUnit = 0x1p-24;
  constexpr double kPeak = 4.8;  // of white noise, in standard deviations
  std::vector<Dual> duals;
  const auto exact = delta_coefficients<double>(sections);
  duals.reserve(exact.size());
  for (const double value : exact) {
    duals.push_back({value, (rounded(value) - value) / kUnit});
  }
  const Machine machine = sensitive_machine(duals);
  const Machine plain = plain_machine(exact);
  const auto controllability = gramian(machine.a, machine.b);
  const auto observability = gramian(plain.a.transposed(), plain.c[0]);
  const auto steps = largest_steps(machine, decay_frames(sections, 12));
  const auto energy = [&](std::size_t j) {
    return machine.d[j] * machine.d[j] + quadratic(controllability, machine.c[j]);
  };
  const std::size_t roundings = steps.size() - 2;
  double variance = 0;
  for (std::size_t j = 0; j < roundings; ++j) {
    variance += energy_from(exact, j, observability) * (energy(j) + dc * dc * steps[j] * steps[j]);
  }
  variance *= kUnit * kUnit / 3;
  const double response = kPeak * kUnit * std::sqrt(energy(roundings + 1));
  return (kPeak * std::sqrt(variance) + response + dc * kUnit * steps[roundings + 1]) /
         (kPeak + dc);
}
}  // namespace

double float32_error(std::span<const Section> sections, double dc) {
  return error_of_24_bits(sections, dc,
                          [](double value) -> double { return static_cast<float>(value); });
}

double float64_error(std::span<const Section> sections, double dc) {
  constexpr double kFinerBy = 0x1p-29;
  return kFinerBy * error_of_24_bits(sections, dc, [](double value) {
           int exponent = 0;  // of any size, as a float has not
           const double fraction = std::frexp(value, &exponent);
           return std::ldexp(static_cast<double>(static_cast<float>(fraction)), exponent);
         });
}

std::int64_t run_in_frames(std::span<const Section> sections, double tolerance) {
  const auto coefficients = delta_coefficients<double>(sections);
  const Machine machine = plain_machine(coefficients);
  const auto observability = gramian(machine.a.transposed(), machine.c[0]);
  struct Window {
    std::int64_t first;
    double sum;  ///< At least the sum of |h| over it.
  };
  std::vector<Window> windows{{0, std::abs(machine.d[0])}};
  constexpr std::int64_t kPerOctave = 2048;
  double before = 0;
  std::int64_t before_stride = 0;
  // h at frame t + 1 is c A^t b. A window's energy is the difference of what is left before and
  // after it; its sum of |h| is at most sqrt(length * energy).
  walk(machine.a, machine.b, decay_frames(sections, 50 - std::log(tolerance)), kPerOctave,
       [&](std::int64_t t, std::int64_t stride, const std::vector<double>& z) {
         const double after = quadratic(observability, z);
         if (before_stride > 1) {
           const double energy = std::max(0.0, before - after);
           windows.push_back(
               {t + 1 - before_stride, std::sqrt(static_cast<double>(before_stride) * energy)});
         }
         if (stride == 1) {
           windows.push_back({t + 1, std::abs(dot(machine.c[0], z))});
         }
         before = after;
         before_stride = stride;
       });
  double total = 0;
  for (const Window& window : windows) {
    total += window.sum;
  }
  double left = 0;
  std::int64_t frames = windows.back().first + 1;
  for (auto window = windows.rbegin(); window != windows.rend(); ++window) {
    left += window->sum;
    if (left > tolerance / total) {
      break;
    }
    frames = window->first;
  }
  return std::max<std::int64_t>(frames, 1);
}

SquareMatrix state_transition(std::span<const double> coefficients, std::int64_t frames) {
  return power(plain_machine(coefficients).a, frames);
}

}  // namespace weir::signal
