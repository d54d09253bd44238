#include "weir/analysis/svg.h"

#include <fmt/format.h>

#include <iterator>

namespace weir::analysis {
namespace {

std::string escaped(std::string_view words) {
  std::string out;
  for (const char c : words) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string stroke(const Svg::Line& line) {
  const std::string dashes =
      line.dashes.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", line.dashes);
  return fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"{:.4g}\"{}", line.colour,
                     line.width, dashes);
}

}  // namespace

Svg::Svg(double width, double height)
    : out_(fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.6g} {1:.6g}\" "
                       "width=\"{0:.6g}\" height=\"{1:.6g}\" "
                       "font-family=\"Helvetica, Arial, sans-serif\">\n<rect width=\"100%\" "
                       "height=\"100%\" fill=\"#fff\"/>\n",
                       width, height)) {}

void Svg::line(double x1, double y1, double x2, double y2, const Line& line) {
  path({{x1, y1}, {x2, y2}}, line);
}

void Svg::path(const std::vector<std::pair<double, double>>& points, const Line& line) {
  out_ += "<path d=\"";
  for (std::size_t i = 0; i < points.size(); ++i) {
    fmt::format_to(std::back_inserter(out_), "{}{:.2f} {:.2f}", i == 0 ? "M" : "L", points[i].first,
                   points[i].second);
  }
  fmt::format_to(std::back_inserter(out_), "\" {}/>\n", stroke(line));
}

void Svg::rectangle(double x, double y, double width, double height, std::string_view fill) {
  fmt::format_to(
      std::back_inserter(out_),
      "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"/>\n", x, y,
      width, height, fill);
}

void Svg::dot(double x, double y, double radius, std::string_view fill) {
  fmt::format_to(std::back_inserter(out_),
                 "<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:.2f}\" fill=\"{}\"/>\n", x, y, radius,
                 fill);
}

void Svg::text(double x, double y, std::string_view words, double size, Anchor anchor,
               bool upwards) {
  const char* at = anchor == Anchor::start ? "start" : anchor == Anchor::middle ? "middle" : "end";
  const std::string turn =
      upwards ? fmt::format(" transform=\"rotate(-90 {:.2f} {:.2f})\"", x, y) : "";
  fmt::format_to(
      std::back_inserter(out_),
      "<text x=\"{:.2f}\" y=\"{:.2f}\" font-size=\"{:.4g}\" text-anchor=\"{}\"{}>{}</text>\n", x, y,
      size, at, turn, escaped(words));
}

std::string Svg::take() {
  return std::move(out_) + "</svg>\n";
}

}  // namespace weir::analysis
