// The library libweir_plot: the only part that needs cairo. It decides pixels and colours, nothing
// else.
#include <cairo.h>

#include <algorithm>
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

class Canvas {
 public:
  explicit Canvas(const Picture& picture)
      : picture_(picture),
        unit_(picture.width / 1600.0),
        surface_(cairo_image_surface_create(CAIRO_FORMAT_RGB24, picture.width, picture.height)),
        cairo_(cairo_create(surface_)) {
    colour({1, 1, 1});
    cairo_paint(cairo_);
    left_ = 46 * unit_ + widest_name();
    right_ = picture.width - 150 * unit_;
    top_ = 96 * unit_;
    bottom_ = picture.height - 74 * unit_;
    row_ = (bottom_ - top_) / std::max(1.0, static_cast<double>(picture.traces.size()));
  }
  ~Canvas() {
    cairo_destroy(cairo_);
    cairo_surface_destroy(surface_);
  }
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;

  void draw() {
    title();
    grid();
    for (std::size_t i = 0; i < picture_.traces.size(); ++i) {
      trace(i);
    }
    for (std::size_t i = 0; i < picture_.traces.size(); ++i) {
      marks(i);
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
    const double room = (picture_.height / unit_ - 170) /
                        std::max(1.0, static_cast<double>(picture_.traces.size()));
    return std::clamp(0.62 * room, 8.0, 15.0);
  }

  double x_of(double column, double columns) const {
    return left_ + (right_ - left_) * (column + 0.5) / columns;
  }
  double y_of(std::size_t index, float value) const {
    return top_ + row_ * (static_cast<double>(index) + 0.5 - value);
  }

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

  Colour trace_colour(std::size_t index) const {
    const double share =
        picture_.traces.size() < 2
            ? 0
            : static_cast<double>(index) / static_cast<double>(picture_.traces.size() - 1);
    const auto mix = [&](double a, double b) { return a + share * (b - a); };
    return {mix(kTop.red, kBottom.red), mix(kTop.green, kBottom.green),
            mix(kTop.blue, kBottom.blue)};
  }

  /// Each stretch without gaps is a band: out along its upper edge, back along the lower, filled
  /// and outlined, so that a band without height is a line.
  void trace(std::size_t index) {
    const Trace& trace = picture_.traces[index];
    const auto columns = trace.low.size();
    colour(trace_colour(index), columns > 4000 ? 0.9 : 1);
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
      band(trace, index, first, end);
      first = end;
    }
  }

  void band(const Trace& trace, std::size_t index, std::size_t first, std::size_t end) {
    const auto columns = static_cast<double>(trace.low.size());
    cairo_new_path(cairo_);
    for (std::size_t i = first; i < end; ++i) {
      cairo_line_to(cairo_, x_of(static_cast<double>(i), columns), y_of(index, trace.high[i]));
    }
    for (std::size_t i = end; i-- > first;) {
      cairo_line_to(cairo_, x_of(static_cast<double>(i), columns), y_of(index, trace.low[i]));
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

  void marks(std::size_t index) {
    const Trace& trace = picture_.traces[index];
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
      cairo_arc(cairo_, x_of(static_cast<double>(column), static_cast<double>(trace.low.size())),
                y_of(index, value) + away, radius, 0, 2 * 3.14159265358979);
      cairo_fill(cairo_);
    }
  }

  void names() {
    font(name_size());
    double last = -1e9;
    for (std::size_t i = 0; i < picture_.traces.size(); ++i) {
      const double y = y_of(i, 0) + 0.36 * name_size() * unit_;
      if (y - last < 1.1 * name_size() * unit_) {
        continue;  // rows closer than letters: every so many names
      }
      last = y;
      colour(trace_colour(i));
      write(picture_.traces[i].name, left_ - 14 * unit_, y, Align::right);
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
