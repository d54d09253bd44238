#include "weir/analysis/fit_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "weir/analysis/expected_counts.h"
#include "weir/analysis/histogram.h"
#include "weir/analysis/svg.h"

namespace weir::analysis {
namespace {

constexpr double kWidth = 900;
constexpr double kHeight = 680;
constexpr double kLeft = 90;
constexpr double kRight = 880;
constexpr double kTop = 50;
constexpr double kMiddle = 470;  // the lower edge of the upper panel
constexpr double kPullTop = 495;
constexpr double kBottom = 620;
constexpr double kMostPull = 5;
constexpr double kLegendWidth = 200;
constexpr double kLegendLine = 22;
constexpr std::array kColours = {"#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a6d3b"};
constexpr std::string_view kModelColour = "#0b4f9e";
constexpr std::int64_t kCurveBins = 500;

/// Ticks at 1, 2 or 5 times a power of ten, some five of them.
std::vector<double> ticks(double lower, double upper) {
  const double rough = (upper - lower) / 5;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  double step = power;
  for (const double factor : {2.0, 5.0, 10.0}) {
    step = step < rough * 0.999 ? factor * power : step;
  }
  std::vector<double> at;
  for (double k = std::ceil(lower / step - 1e-9); k * step <= upper + 1e-9 * step; ++k) {
    at.push_back(k * step == 0 ? 0.0 : k * step);
  }
  return at;
}

class Plot {
 public:
  Plot(const PreparedFit& fit, const Outcome& outcome)
      : fit_(fit),
        binning_(binning_of(fit.analysis.model.range, fit.analysis.outputs.bins)),
        data_(histogram(fit.events.variable, fit.events.weights, binning_.edges)),
        expected_(expected_counts(fit, outcome, binning_.edges)),
        fine_edges_(curve_edges()),
        curves_(expected_counts(fit, outcome, fine_edges_)),
        svg_(kWidth, kHeight) {
    width_ = std::numeric_limits<double>::infinity();
    for (std::size_t bin = 0; bin < data_.counts.size(); ++bin) {
      width_ = std::min(width_, binning_.in_range[bin] ? bin_width(bin) : width_);
    }
    place_legend();
  }

  std::string draw() {
    draw_frames();
    draw_curves();
    draw_points();
    draw_legend();
    return svg_.take();
  }

 private:
  double lower() const { return binning_.edges.front(); }
  double upper() const { return binning_.edges.back(); }
  double bin_width(std::size_t bin) const { return binning_.edges[bin + 1] - binning_.edges[bin]; }
  /// Counts as if every bin had the width of the narrowest.
  double scaled(std::size_t bin, double count) const { return count * width_ / bin_width(bin); }
  double x_of(double value) const {
    return kLeft + (value - lower()) / (upper() - lower()) * (kRight - kLeft);
  }
  double y_of(double count) const { return kMiddle - count / highest_ * (kMiddle - kTop); }
  static double y_of_pull(double pull) {
    const double middle = (kPullTop + kBottom) / 2;
    return middle - std::clamp(pull, -kMostPull, kMostPull) / kMostPull * (kBottom - kPullTop) / 2;
  }

  std::vector<double> curve_edges() const {
    std::vector<double> edges;
    for (std::int64_t i = 0; i <= kCurveBins; ++i) {
      edges.push_back(lower() + (upper() - lower()) * static_cast<double>(i) / kCurveBins);
    }
    return edges;
  }

  /// The highest thing drawn between two shares of the width.
  double highest_between(double from, double to) const {
    double highest = 0;
    for (std::size_t bin = 0; bin < data_.counts.size(); ++bin) {
      const double share =
          ((binning_.edges[bin] + binning_.edges[bin + 1]) / 2 - lower()) / (upper() - lower());
      if (binning_.in_range[bin] && share >= from && share <= to) {
        highest = std::max({highest, scaled(bin, data_.counts[bin] + std::sqrt(data_.squares[bin])),
                            scaled(bin, expected_.total[bin])});
      }
    }
    return highest;
  }

  double legend_height() const {
    return kLegendLine * static_cast<double>(2 + curves_.components.size()) + 16;
  }

  /// Into the emptier of the upper corners, with room made where neither is empty.
  void place_legend() {
    constexpr double kShare = kLegendWidth / (kRight - kLeft);
    const double left = highest_between(0, kShare);
    const double right = highest_between(1 - kShare, 1);
    legend_left_ = left < right;
    const double below = 1 - legend_height() / (kMiddle - kTop);
    highest_ = std::max(1.08 * highest_between(0, 1), 1.03 * std::min(left, right) / below);
    highest_ = highest_ > 0 ? highest_ : 1.0;
  }

  void draw_frames() {
    const Svg::Line frame{.colour = "#444", .width = 1};
    for (const auto& [top, bottom] : {std::pair(kTop, kMiddle), std::pair(kPullTop, kBottom)}) {
      svg_.path({{kLeft, top}, {kRight, top}, {kRight, bottom}, {kLeft, bottom}, {kLeft, top}},
                frame);
    }
    for (const double tick : ticks(lower(), upper())) {
      svg_.line(x_of(tick), kBottom, x_of(tick), kBottom - 6, frame);
      svg_.line(x_of(tick), kMiddle, x_of(tick), kMiddle - 6, frame);
      svg_.text(x_of(tick), kBottom + 20, fmt::format("{:.6g}", tick), 14, Svg::Anchor::middle);
    }
    for (const double tick : ticks(0, highest_)) {
      svg_.line(kLeft, y_of(tick), kLeft + 6, y_of(tick), frame);
      svg_.text(kLeft - 8, y_of(tick) + 5, fmt::format("{:.6g}", tick), 14, Svg::Anchor::end);
    }
    for (const double pull : {-3.0, 0.0, 3.0}) {
      svg_.line(kLeft, y_of_pull(pull), kRight, y_of_pull(pull),
                {.colour = "#bbb", .width = 1, .dashes = pull == 0 ? "" : "4 4"});
      svg_.text(kLeft - 8, y_of_pull(pull) + 5, fmt::format("{:g}", pull), 14, Svg::Anchor::end);
    }
    const OutputSection& outputs = fit_.analysis.outputs;
    svg_.text((kLeft + kRight) / 2, kBottom + 46,
              outputs.label.empty() ? fit_.analysis.model.variable : outputs.label, 16,
              Svg::Anchor::middle);
    svg_.text(24, (kTop + kMiddle) / 2, fmt::format("events per {:.4g}", width_), 16,
              Svg::Anchor::middle, true);
    svg_.text(24, (kPullTop + kBottom) / 2, "pull", 16, Svg::Anchor::middle, true);
    svg_.text(kLeft, kTop - 16, outputs.title, 18, Svg::Anchor::start);
  }

  void draw_curve(const std::vector<double>& counts, const Svg::Line& line) {
    std::vector<std::pair<double, double>> points;
    points.reserve(counts.size());
    const double per_bin = width_ / (fine_edges_[1] - fine_edges_[0]);
    for (std::size_t i = 0; i < counts.size(); ++i) {
      points.emplace_back(x_of((fine_edges_[i] + fine_edges_[i + 1]) / 2),
                          y_of(std::clamp(counts[i] * per_bin, 0.0, highest_)));
    }
    svg_.path(points, line);
  }

  void draw_curves() {
    for (std::size_t i = 0; i < curves_.components.size(); ++i) {
      draw_curve(curves_.components[i].second,
                 {.colour = kColours[i % kColours.size()], .width = 1.8, .dashes = "7 4"});
    }
    draw_curve(curves_.total, {.colour = kModelColour, .width = 2.2});
  }

  void draw_points() {
    for (std::size_t bin = 0; bin < data_.counts.size(); ++bin) {
      if (!binning_.in_range[bin]) {
        continue;
      }
      const double x = x_of((binning_.edges[bin] + binning_.edges[bin + 1]) / 2);
      const double error = std::sqrt(data_.squares[bin]);
      const double count = data_.counts[bin];
      svg_.line(x, y_of(std::max(0.0, scaled(bin, count - error))), x,
                y_of(scaled(bin, count + error)), {.width = 1});
      svg_.dot(x, y_of(std::max(0.0, scaled(bin, count))), 2.4, "#000");
      // An empty bin has no error of its own: the model says what to expect.
      const double expected_error =
          error > 0 ? error : std::sqrt(std::max(expected_.total[bin], 0.0));
      if (expected_error > 0) {
        const double pull = (count - expected_.total[bin]) / expected_error;
        const double left = x_of(binning_.edges[bin]);
        const double zero = y_of_pull(0);
        svg_.rectangle(left, std::min(zero, y_of_pull(pull)),
                       std::max(0.5, x_of(binning_.edges[bin + 1]) - left - 0.5),
                       std::fabs(y_of_pull(pull) - zero), "#7f8c9b");
      }
    }
  }

  void draw_legend() {
    double y = kTop + 24;
    const double x = legend_left_ ? kLeft + 14 : kRight - kLegendWidth + 10;
    const auto entry = [&](std::string_view name, const Svg::Line& line) {
      svg_.line(x, y - 5, x + 32, y - 5, line);
      svg_.text(x + 40, y, name, 15, Svg::Anchor::start);
      y += kLegendLine;
    };
    svg_.dot(x + 16, y - 5, 2.4, "#000");
    svg_.text(x + 40, y, fmt::format("{} events", fit_.events.table->rows()), 15,
              Svg::Anchor::start);
    y += kLegendLine;
    entry("model", {.colour = kModelColour, .width = 2.2});
    for (std::size_t i = 0; i < curves_.components.size(); ++i) {
      entry(curves_.components[i].first,
            {.colour = kColours[i % kColours.size()], .width = 1.8, .dashes = "7 4"});
    }
  }

  const PreparedFit& fit_;
  Binning binning_;
  BinnedData data_;
  ExpectedCounts expected_;
  std::vector<double> fine_edges_;
  ExpectedCounts curves_;
  Svg svg_;
  double width_ = 1;
  double highest_ = 0;
  bool legend_left_ = false;
};

}  // namespace

std::string fit_plot(const PreparedFit& fit, const Outcome& outcome) {
  return Plot(fit, outcome).draw();
}

}  // namespace weir::analysis
