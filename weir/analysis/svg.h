#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::analysis {

/// A drawing of lines and words. Units: pixels from the upper left corner.
class Svg {
 public:
  Svg(double width, double height);

  struct Line {
    std::string_view colour = "#000";
    double width = 1;
    std::string_view dashes = {};
  };
  enum class Anchor { start, middle, end };

  void line(double x1, double y1, double x2, double y2, const Line& line);
  void path(const std::vector<std::pair<double, double>>& points, const Line& line);
  void rectangle(double x, double y, double width, double height, std::string_view fill);
  void dot(double x, double y, double radius, std::string_view fill);
  void text(double x, double y, std::string_view words, double size, Anchor anchor,
            bool upwards = false);

  std::string take();

 private:
  std::string out_;
};

}  // namespace weir::analysis
