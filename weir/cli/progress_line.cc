#include "weir/cli/progress_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "weir/core/text.h"

namespace weir::cli {
namespace {
constexpr double kQuietSeconds = 60;
constexpr double kFirstRate = 0.2;  // seconds before a rate means anything
constexpr int kBarWidth = 24;

std::string bar(double share) {
  const int full = static_cast<int>(std::lround(share * kBarWidth));
  std::string text;
  for (int i = 0; i < kBarWidth; ++i) {
    text += i < full ? "━" : "─";
  }
  return text;
}

/// "850 MB/s", "1.2 GB/s".
std::string rate_text(double bytes_per_second) {
  return bytes_per_second >= 1e9 ? fmt::format("{:.1f} GB/s", bytes_per_second / 1e9)
                                 : fmt::format("{:.0f} MB/s", bytes_per_second / 1e6);
}

/// "0:41 left", "1:02:03 left".
std::string left_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::ceil(seconds));
  return whole < 3600
             ? fmt::format("{}:{:02} left", whole / 60, whole % 60)
             : fmt::format("{}:{:02}:{:02} left", whole / 3600, whole / 60 % 60, whole % 60);
}
}  // namespace

ProgressLine::ProgressLine(Terminal& terminal, std::function<double()> clock)
    : terminal_(terminal), clock_(std::move(clock)), next_line_(clock_() + kQuietSeconds) {}

ProgressLine::~ProgressLine() {
  if (drawn_) {
    terminal_.draw("\r\x1b[K");
  }
}

std::string ProgressLine::text(const Progress& progress, double now) {
  const double share = progress.seconds_total > 0
                           ? std::clamp(progress.seconds_done / progress.seconds_total, 0.0, 1.0)
                           : 0;
  std::string line = fmt::format("{:3.0f} %", std::floor(100 * share));
  if (terminal_.interactive()) {
    line += "  " + bar(share);
  }
  const double elapsed = now - began_at_;
  const double seconds = progress.seconds_done - began_.seconds_done;
  if (elapsed > kFirstRate && seconds > 0) {
    const auto bytes = static_cast<double>(progress.bytes_read - began_.bytes_read);
    const double left = std::max(progress.seconds_total - progress.seconds_done, 0.0);
    line += fmt::format("  {:.3g}× real time  {}  {}", seconds / elapsed,
                        rate_text(bytes / elapsed), left_text(elapsed * left / seconds));
  }
  if (progress.inputs > 1) {
    line += fmt::format("  input {} of {}", progress.input + 1, progress.inputs);
  }
  return progress.stage.empty() || progress.stage == "run" ? line : line + "  " + progress.stage;
}

void ProgressLine::show(const Progress& progress) {
  const double now = clock_();
  if (progress.input != began_.input || progress.stage != began_.stage) {
    began_ = progress;
    began_at_ = now;
  }
  if (terminal_.interactive()) {
    terminal_.draw("\r" + text(progress, now) + "\x1b[K");
    drawn_ = true;
  } else if (now >= next_line_) {
    terminal_.note("weir: " + std::string(trimmed(text(progress, now))) + '\n');
    next_line_ = now + kQuietSeconds;
  }
}

void ProgressLine::stopping() {
  terminal_.draw(std::string(drawn_ ? "\r\x1b[K" : "") +
                 "weir: stopping; once more to stop without tidying up\n");
  drawn_ = false;
}

}  // namespace weir::cli
