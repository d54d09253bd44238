#include "weir/cli/progress_line.h"

#include <gtest/gtest.h>

#include "weir/cli/captured_terminal_internal.h"

namespace weir::cli {
namespace {
Progress at(double done, std::int64_t bytes) {
  return {.bytes_read = bytes, .seconds_done = done, .seconds_total = 100, .stage = "run"};
}

TEST(ProgressLine, RewritesOneLineOnAScreenAndWipesIt) {
  CapturedTerminal terminal;
  terminal.is_interactive = true;
  double now = 0;
  {
    ProgressLine line(terminal, [&] { return now; });
    line.show(at(0, 0));
    now = 2;
    terminal.notes.clear();
    line.show(at(50, 3'000'000'000));
    EXPECT_EQ(terminal.notes,
              "\r 50 %  ━━━━━━━━━━━━────────────  25× real time  1.5 GB/s  0:02 left\x1b[K");
    terminal.notes.clear();
  }
  EXPECT_EQ(terminal.notes, "\r\x1b[K");
}

TEST(ProgressLine, PrintsALineAMinuteElsewhere) {
  CapturedTerminal terminal;
  double now = 0;
  ProgressLine line(terminal, [&] { return now; });
  for (now = 0; now < 150; now += 1) {
    line.show(at(now / 2, static_cast<std::int64_t>(now) * 1'000'000));
  }
  EXPECT_EQ(terminal.notes,
            "weir: 30 %  0.5× real time  1 MB/s  2:20 left\n"
            "weir: 60 %  0.5× real time  1 MB/s  1:20 left\n");
}

TEST(ProgressLine, MeasuresEachInputByItself) {
  CapturedTerminal terminal;
  terminal.is_interactive = true;
  double now = 0;
  ProgressLine line(terminal, [&] { return now; });
  auto progress = at(100, 1'000'000'000);
  progress.inputs = 2;
  line.show(progress);
  now = 100;
  progress.input = 1;
  progress.seconds_done = 0;
  line.show(progress);
  now = 101;
  progress.seconds_done = 10;
  progress.bytes_read = 1'200'000'000;
  terminal.notes.clear();
  line.show(progress);
  EXPECT_EQ(terminal.notes,
            "\r 10 %  ━━──────────────────────  10× real time  200 MB/s  0:09 left  input 2 of "
            "2\x1b[K");
}

TEST(ProgressLine, DoesNotCountAFitIntoTheRateOfTheRun) {
  CapturedTerminal terminal;
  terminal.is_interactive = true;
  double now = 0;
  ProgressLine line(terminal, [&] { return now; });
  auto progress = at(0, 500'000'000);
  progress.stage = "fit";
  line.show(progress);
  now = 100;
  line.show(at(0, 500'000'000));
  now = 101;
  terminal.notes.clear();
  line.show(at(25, 600'000'000));
  EXPECT_NE(terminal.notes.find("25× real time  100 MB/s  0:03 left"), std::string::npos)
      << terminal.notes;
}

TEST(ProgressLine, NamesAStageThatIsNotTheRun) {
  CapturedTerminal terminal;
  terminal.is_interactive = true;
  ProgressLine line(terminal, [] { return 0.0; });
  auto progress = at(0, 0);
  progress.stage = "fit";
  line.show(progress);
  EXPECT_NE(terminal.notes.find("  fit\x1b"), std::string::npos) << terminal.notes;
}
}  // namespace
}  // namespace weir::cli
