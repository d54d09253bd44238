#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "weir/signal/generate/counter_random.h"

namespace weir::signal {

/// exp(-x) for x >= 0 from multiplications alone: a Taylor polynomial of x/1024, squared ten times.
/// Off by less than 1e-12; 0 beyond x = 40.
constexpr double decayed(double x) noexcept {
  if (x > 40) {
    return 0;
  }
  const double y = x / 1024;
  double power = 1 - y * (1 - y / 2 * (1 - y / 3 * (1 - y / 4 * (1 - y / 5))));
  for (int i = 0; i < 10; ++i) {
    power *= power;
  }
  return power;
}

/// Random numbers of one thing, one after the other.
class Draws {
 public:
  explicit Draws(std::uint64_t key) noexcept : key_(key) {}

  double uniform() noexcept { return signal::uniform(key_, counter_++); }
  double normal() noexcept { return signal::normal(key_, counter_++); }

  /// Exponential of mean 1, exactly, from comparisons of uniforms: no logarithm.
  /// Source: von Neumann, "Various techniques used in connection with random digits", 1951.
  double exponential() noexcept {
    for (double whole = 0;; ++whole) {
      const double first = uniform();
      bool odd = true;
      double last = first;
      for (double next = uniform(); next < last; next = uniform()) {
        last = next;
        odd = !odd;
      }
      if (odd) {
        return whole + first;
      }
    }
  }

 private:
  std::uint64_t key_;
  std::uint64_t counter_ = 0;
};

/// Something that happens in a Poisson process.
struct Arrival {
  double frame = 0;       ///< When, between frames as well.
  std::uint64_t key = 0;  ///< For what else is drawn for it.
};

/// A Poisson process: time is cut into cells of four expected arrivals, and each cell is drawn by
/// its own number. What no event has memory of, a cell may begin anew.
class PulseTrain {
 public:
  PulseTrain(std::uint64_t key, double frames_between) noexcept
      : key_(key), cell_frames_(kPerCell * frames_between) {}

  /// Calls visit(Arrival) for all in [first, last), in order. Negative frames are before the start.
  template <class Visit>
  void for_each(double first, double last, Visit&& visit) const {
    const auto cells = static_cast<std::int64_t>(std::floor(first / cell_frames_));
    for (std::int64_t cell = cells; static_cast<double>(cell) * cell_frames_ < last; ++cell) {
      const std::uint64_t own = random_bits(key_, static_cast<std::uint64_t>(cell));
      Draws draws(own);
      std::uint64_t number = 0;
      for (double at = draws.exponential(); at < kPerCell; at += draws.exponential()) {
        const double frame = (static_cast<double>(cell) + at / kPerCell) * cell_frames_;
        const std::uint64_t key = key_of(own, ++number);
        if (frame >= first && frame < last) {
          visit(Arrival{frame, key});
        }
      }
    }
  }

 private:
  static constexpr double kPerCell = 4;
  std::uint64_t key_;
  double cell_frames_;
};

}  // namespace weir::signal
