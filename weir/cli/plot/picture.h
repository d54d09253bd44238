#pragma once

#include <string>
#include <vector>

namespace weir::cli {

/// One channel of one recording as it is drawn: a band from `low` to `high` per column, or a line
/// where they agree. Shape: one value per column, left to right. Units: rows; 0 is the middle of
/// the channel's row, 1 the distance of two rows, up is positive. Range: NaN where there is nothing
/// to draw.
struct Trace {
  std::string name;
  std::size_t row = 0;    ///< From the top.
  std::size_t layer = 0;  ///< Which of the recordings that are drawn over one another.
  std::vector<float> low, high;
  double at = 0.5;  ///< Where in its column a value stands: 0 where each is one sample.
  std::vector<std::size_t> marks;  ///< Columns of events; drawn at the value they point to.
  std::vector<bool> marks_up;      ///< Whether each mark belongs to the high edge.
};

struct Tick {
  double share = 0;  ///< Of the width, from the left.
  std::string label;
};

struct ScaleBar {
  double rows = 0;  ///< Its height.
  std::string label;
};

/// A quick look at a recording, all decided but the pixels. Passed to the library that draws it.
struct Picture {
  int width = 1600;
  int height = 900;
  std::string title;
  std::string subtitle;
  std::string time_label;
  std::size_t rows = 0;
  std::vector<Trace> traces;        ///< The first recording's first: later ones lie on top.
  std::vector<std::string> layers;  ///< What the recordings are called, if there are several.
  std::vector<Tick> ticks;
  std::vector<ScaleBar> scale_bars;
};

}  // namespace weir::cli
