// The library libweir_plot: the only part that needs cairo. It decides pixels and colours, nothing
// else.
#include <cairo.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "weir/cli/plot/picture.h"

namespace weir::cli {
namespace {
struct Colour {
  double red, green, blue;
};
constexpr Colour kInk{0.13, 0.16, 0.20};
constexpr Colour kQuiet{0.46, 0.50, 0.55};
constexpr Colour kGrid{0.90, 0.92, 0.94};
constexpr Colour kMark{0.93, 0.36, 0.16};
constexpr Colour kTop{0.13, 0.30, 0.55};     // traces run from this
constexpr Colour kBottom{0.05, 0.55, 0.53};  // to this
// Of recordings over one another, the last on top.
constexpr std::array<Colour, 4> kLayers{
    {{0.70, 0.73, 0.77}, {0.91, 0.57, 0.20}, {0.05, 0.55, 0.53}, {0.13, 0.30, 0.55}}};

class Canvas {
 public:
  explicit Canvas(const Picture& picture)
      : picture_(picture),
        unit_(std::max(0.7, picture.width / 1600.0)),  // letters stay readable
        surface_(cairo_image_surface_create(CAIRO_FORMAT_RGB24, picture.width, picture.height)),
        cairo_(cairo_create(surface_)) {
    colour({1, 1, 1});
    cairo_paint(cairo_);
    left_ = 46 * unit_ + widest_name();
    right_ = picture.width - 150 * unit_;
    top_ = 96 * unit_;
    bottom_ = picture.height - 74 * unit_;
    row_ = (bottom_ - top_) / std::max(1.0, static_cast<double>(picture.rows));
  }
  ~Canvas() {
    cairo_destroy(cairo_);
    cairo_surface_destroy(surface_);
  }
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;

  void draw() {
    title();
    legend();
    grid();
    for (const auto& one : picture_.traces) {
      trace(one);
    }
    for (const auto& one : picture_.traces) {
      marks(one);
    }
    names();
    scale_bars();
  }

  const char* write(const char* path) {
    const auto status = cairo_surface_write_to_png(surface_, path);
    return status == CAIRO_STATUS_SUCCESS ? nullptr : cairo_status_to_string(status);
  }

 private:
  enum class Align { left, centre, right };

  void colour(Colour c, double opacity = 1) {
    cairo_set_source_rgba(cairo_, c.red, c.green, c.blue, opacity);
  }

  void font(double size, cairo_font_weight_t weight = CAIRO_FONT_WEIGHT_NORMAL) {
    cairo_select_font_face(cairo_, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, weight);
    cairo_set_font_size(cairo_, size * unit_);
  }

  double width_of(const std::string& text) {
    cairo_text_extents_t extents;
    cairo_text_extents(cairo_, text.c_str(), &extents);
    return extents.x_advance;
  }

  void write(const std::string& text, double x, double y, Align align) {
    const double width = align == Align::left ? 0 : width_of(text);
    cairo_move_to(cairo_, x - (align == Align::centre ? width / 2 : width), y);
    cairo_show_text(cairo_, text.c_str());
  }

  double widest_name() {
    font(name_size());
    double widest = 0;
    for (const auto& trace : picture_.traces) {
      widest = std::max(widest, width_of(trace.name));
    }
    return std::min(widest, 240 * unit_);
  }

  double name_size() const {
    const double room =
        (picture_.height / unit_ - 170) / std::max(1.0, static_cast<double>(picture_.rows));
    return std::clamp(0.62 * room, 8.0, 15.0);
  }

  double x_of(const Trace& trace, std::size_t column) const {
    return left_ + (right_ - left_) * (static_cast<double>(column) + trace.at) /
                       static_cast<double>(trace.low.size());
  }
  double y_of(const Trace& trace, float value) const { return middle_of(trace.row) - row_ * value; }
  double middle_of(std::size_t row) const { return top_ + row_ * (static_cast<double>(row) + 0.5); }

  void title() {
    colour(kInk);
    font(24, CAIRO_FONT_WEIGHT_BOLD);
    write(picture_.title, 32 * unit_, 46 * unit_, Align::left);
    colour(kQuiet);
    font(15);
    write(picture_.subtitle, 32 * unit_, 72 * unit_, Align::left);
  }

  void grid() {
    cairo_set_line_width(cairo_, 1 * unit_);
    font(15);
    for (const auto& tick : picture_.ticks) {
      const double x = left_ + tick.share * (right_ - left_);
      colour(kGrid);
      cairo_move_to(cairo_, x, top_);
      cairo_line_to(cairo_, x, bottom_ + 8 * unit_);
      cairo_stroke(cairo_);
      colour(kQuiet);
      write(tick.label, x, bottom_ + 28 * unit_, Align::centre);
    }
    colour(kQuiet);
    write(picture_.time_label, (left_ + right_) / 2, bottom_ + 54 * unit_, Align::centre);
  }

  /// A line and a name for each recording, from the right.
  void legend() {
    font(15);
    double x = picture_.width - 32 * unit_;
    for (std::size_t i = picture_.layers.size(); i-- > 0;) {
      colour(kInk);
      write(picture_.layers[i], x, 46 * unit_, Align::right);
      x -= width_of(picture_.layers[i]) + 8 * unit_;
      colour(layer_colour(i));
      cairo_set_line_width(cairo_, 3 * unit_);
      cairo_move_to(cairo_, x - 26 * unit_, 41 * unit_);
      cairo_line_to(cairo_, x, 41 * unit_);
      cairo_stroke(cairo_);
      x -= 46 * unit_;
    }
  }

  /// The last is the darkest, the first grey.
  Colour layer_colour(std::size_t layer) const {
    const std::size_t from_last = picture_.layers.size() - 1 - layer;
    return layer == 0 ? kLayers.front() : kLayers[kLayers.size() - 1 - from_last % 3];
  }

  Colour row_colour(std::size_t row) const {
    const double share =
        picture_.rows < 2 ? 0 : static_cast<double>(row) / static_cast<double>(picture_.rows - 1);
    const auto mix = [&](double a, double b) { return a + share * (b - a); };
    return {mix(kTop.red, kBottom.red), mix(kTop.green, kBottom.green),
            mix(kTop.blue, kBottom.blue)};
  }

  /// Each stretch without gaps is a band: out along its upper edge, back along the lower, filled
  /// and outlined, so that a band without height is a line.
  void trace(const Trace& trace) {
    const auto columns = trace.low.size();
    colour(picture_.layers.empty() ? row_colour(trace.row) : layer_colour(trace.layer),
           columns > 4000 ? 0.9 : 1);
    cairo_set_line_width(cairo_, 1.25 * unit_);
    cairo_set_line_join(cairo_, CAIRO_LINE_JOIN_ROUND);
    std::size_t first = 0;
    while (first < columns) {
      if (std::isnan(trace.low[first])) {
        ++first;
        continue;
      }
      std::size_t end = first;
      while (end < columns && !std::isnan(trace.low[end])) {
        ++end;
      }
      band(trace, first, end);
      first = end;
    }
  }

  void band(const Trace& trace, std::size_t first, std::size_t end) {
    cairo_new_path(cairo_);
    for (std::size_t i = first; i < end; ++i) {
      cairo_line_to(cairo_, x_of(trace, i), y_of(trace, trace.high[i]));
    }
    for (std::size_t i = end; i-- > first;) {
      cairo_line_to(cairo_, x_of(trace, i), y_of(trace, trace.low[i]));
    }
    cairo_close_path(cairo_);
    cairo_fill_preserve(cairo_);
    cairo_stroke(cairo_);
  }

  /// The extreme within a few columns, so that a mark stands clear of the event it points to.
  static float edge_near(const Trace& trace, std::size_t column, bool up) {
    const auto& edge = up ? trace.high : trace.low;
    float value = edge[column];
    for (std::size_t i = column > 3 ? column - 3 : 0; i < std::min(edge.size(), column + 9); ++i) {
      value = up ? std::fmax(value, edge[i]) : std::fmin(value, edge[i]);
    }
    return value;
  }

  void marks(const Trace& trace) {
    colour(kMark);
    const double radius = std::clamp(0.1 * row_, 1.6 * unit_, 3.6 * unit_);
    for (std::size_t i = 0; i < trace.marks.size(); ++i) {
      const auto column = std::min(trace.marks[i], trace.low.size() - 1);
      const float value = edge_near(trace, column, trace.marks_up[i]);
      if (std::isnan(value)) {
        continue;
      }
      const double away = (trace.marks_up[i] ? -1 : 1) * (radius + 2 * unit_);
      cairo_new_path(cairo_);
      cairo_arc(cairo_, x_of(trace, column), y_of(trace, value) + away, radius, 0,
                2 * 3.14159265358979);
      cairo_fill(cairo_);
    }
  }

  void names() {
    font(name_size());
    double last = -1e9;
    for (const auto& trace : picture_.traces) {
      if (trace.layer > 0) {
        break;  // the first recording's names stand for all
      }
      const double y = middle_of(trace.row) + 0.36 * name_size() * unit_;
      if (y - last < 1.1 * name_size() * unit_) {
        continue;  // rows closer than letters: every so many names
      }
      last = y;
      colour(picture_.layers.empty() ? row_colour(trace.row) : kInk);
      write(trace.name, left_ - 14 * unit_, y, Align::right);
    }
  }

  void scale_bars() {
    font(15);
    double bottom = bottom_ - 6 * unit_;
    for (const auto& bar : picture_.scale_bars) {
      const double height = bar.rows * row_;
      const double x = right_ + 26 * unit_;
      colour(kInk);
      cairo_set_line_width(cairo_, 2.5 * unit_);
      cairo_move_to(cairo_, x, bottom);
      cairo_line_to(cairo_, x, bottom - height);
      cairo_stroke(cairo_);
      write(bar.label, x + 10 * unit_, bottom - height / 2 + 5 * unit_, Align::left);
      bottom -= std::max(height, 18 * unit_) + 22 * unit_;
    }
  }

  const Picture& picture_;
  double unit_;
  cairo_surface_t* surface_;
  cairo_t* cairo_;
  double left_ = 0, right_ = 0, top_ = 0, bottom_ = 0, row_ = 0;
};
}  // namespace
}  // namespace weir::cli

extern "C" __attribute__((visibility("default"))) void weir_plot_write_png(
    const weir::cli::Picture& picture, const char* path, std::string& problem) {
  weir::cli::Canvas canvas(picture);
  canvas.draw();
  if (const char* text = canvas.write(path)) {
    problem = text;
  }
}
