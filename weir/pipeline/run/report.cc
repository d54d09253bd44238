#include <fmt/format.h>

#include "weir/core/memory_budget.h"
#include "weir/core/text.h"
#include "weir/pipeline/run/run.h"

namespace weir::pipeline {
namespace {
double times_real(const Report& report) {
  return report.seconds > 0 ? report.recording_s / report.seconds : 0;
}

std::string output_line(const OutputReport& output) {
  const std::string what =
      output.is_table
          ? fmt::format("{} {}", grouped(output.events), output.snippets ? "snippets" : "events")
      : output.axis == Axis::time_s
          ? fmt::format("{} frames x {} ch at {:.6g} Hz", grouped(output.frames), output.channels,
                        output.rate_hz)
          : fmt::format("{} frequencies x {} ch, each {:.6g} Hz", grouped(output.frames),
                        output.channels, 1 / output.rate_hz);
  std::string line = fmt::format("  {:<14} {}, {} in {}: {}\n", output.node, what,
                                 bytes_text(static_cast<std::size_t>(output.bytes_written)),
                                 duration_text(output.write_s), printable(output.path.string()));
  if (output.clipped > 0) {
    line +=
        fmt::format("  {:<14} warning: {} samples clipped to int16\n", "", grouped(output.clipped));
  }
  if (output.rounded > 0) {
    line += fmt::format(
        "  {:<14} warning: {} samples are no whole numbers of 24 bits, which is "
        "what samples travel in, and were rounded\n",
        "", grouped(output.rounded));
  }
  return line;
}

std::string warning_lines(const std::vector<std::string>& warnings) {
  std::string lines;
  for (const auto& warning : warnings) {
    lines += fmt::format("  warning: {}\n", printable(warning));
  }
  return lines;
}
}  // namespace

std::string Report::text() const {
  std::string done;
  for (const auto& input : already_complete) {
    done += fmt::format("already complete: {}; nothing was changed\n", input);
  }
  if (!done.empty() && outputs.empty()) {
    return done;
  }
  std::string out =
      done + fmt::format("{} of recording in {} ({:.1f} x real time) on {} with {} thread{}{}\n",
                         duration_text(recording_s), duration_text(seconds), times_real(*this),
                         target, threads, threads == 1 ? "" : "s",
                         resumed ? ", continued from a checkpoint" : "");
  if (bytes_uploaded > 0) {
    std::int64_t downloaded = 0;
    for (const auto& output : outputs) {
      downloaded += output.bytes_downloaded;
    }
    out += fmt::format(
        "  kernels ready in {}; uploaded {}, downloaded {}; waiting for the device {}\n",
        duration_text(kernels_s), bytes_text(static_cast<std::size_t>(bytes_uploaded)),
        bytes_text(static_cast<std::size_t>(downloaded)), duration_text(device_wait_s));
  }
  out += fmt::format(
      "  read {} in {} blocks; fit {}, computing {}, waiting for the reader {}, for writers {}\n",
      bytes_text(static_cast<std::size_t>(bytes_read)), grouped(blocks), duration_text(fit_s),
      duration_text(compute_s), duration_text(read_wait_s), duration_text(write_wait_s));
  for (const auto& output : outputs) {
    out += output_line(output);
  }
  return out + warning_lines(warnings);
}

Value Report::json() const {
  Value json = Value::object();
  json.set("target", target);
  json.set("threads", threads);
  json.set("blocks", blocks);
  json.set("bytes_read", bytes_read);
  json.set("bytes_uploaded", bytes_uploaded);
  json.set("recording_s", recording_s);
  Value times = Value::object();
  times.set("total", seconds);
  times.set("fit", fit_s);
  times.set("compute", compute_s);
  times.set("read_wait", read_wait_s);
  times.set("kernels", kernels_s);
  times.set("device_wait", device_wait_s);
  times.set("write_wait", write_wait_s);
  json.set("seconds", times);
  json.set("times_real", times_real(*this));
  json.set("resumed", resumed);
  Value complete = Value::array();
  for (const auto& input : already_complete) {
    complete.push_back(input);
  }
  json.set("already_complete", complete);
  Value list = Value::array();
  for (const auto& output : outputs) {
    Value one = Value::object();
    one.set("node", output.node);
    one.set("path", output.path.string());
    one.set("provenance", output.provenance.string());
    one.set("frames", output.frames);
    one.set("channels", output.channels);
    one.set("axis", name(output.axis));
    one.set("rate_hz", output.rate_hz);
    one.set("events", output.events);
    one.set("bytes_written", output.bytes_written);
    one.set("bytes_downloaded", output.bytes_downloaded);
    one.set("clipped", output.clipped);
    one.set("rounded", output.rounded);
    one.set("write_s", output.write_s);
    list.push_back(one);
  }
  json.set("outputs", list);
  Value notes = Value::array();
  for (const auto& warning : warnings) {
    notes.push_back(warning);
  }
  json.set("warnings", notes);
  return json;
}

}  // namespace weir::pipeline
