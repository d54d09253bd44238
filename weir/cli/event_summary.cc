#include "weir/cli/event_summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "weir/cli/text_table.h"
#include "weir/core/text.h"

namespace weir::cli {
namespace {
constexpr std::size_t kFewLabels = 6;

/// Whether a listing tells the labels: lines are always known, texts only once they were read.
bool knows_labels(const formats::EventStreamInfo& info) {
  return info.count.has_value() || !info.table.stream.channels.empty();
}

std::string labels_of(const formats::EventStreamInfo& info) {
  const auto& channels = info.table.stream.channels;
  if (!knows_labels(info)) {
    return "not read";
  }
  std::string text = channels.empty() ? "none" : "";
  for (std::size_t i = 0; i < std::min(channels.size(), kFewLabels); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ", ", printable(channels[i].name));
  }
  if (channels.size() > kFewLabels) {
    text += fmt::format(", … {} in all", grouped(std::ssize(channels)));
  }
  return text;
}
}  // namespace

std::string event_lines(const std::vector<formats::EventStreamInfo>& streams) {
  if (streams.empty()) {
    return {};
  }
  TextTable table({"events", "kind", "number", "counted at", "labels"});
  for (const auto& info : streams) {
    table.row({printable(info.name), std::string(name(info.kind)),
               info.count ? grouped(*info.count) : "unknown without reading all",
               info.table.stream.rate.text(), labels_of(info)});
  }
  return '\n' + table.text();
}

Value events_json(const std::vector<formats::EventStreamInfo>& streams) {
  Value list = Value::array();
  for (const auto& info : streams) {
    const auto& rate = info.table.stream.rate;
    Value labels;
    if (knows_labels(info)) {
      labels = Value::array();
      for (const auto& channel : info.table.stream.channels) {
        labels.push_back(channel.name);
      }
    }
    Value object = Value::object();
    object.set("name", info.name);
    object.set("format", info.format);
    object.set("kind", name(info.kind));
    object.set("count", info.count ? Value(*info.count) : Value());
    object.set("rate", Value::Array{rate.exact().numerator(), rate.exact().denominator()});
    object.set("rate_hz", rate.hz());
    object.set("labels", std::move(labels));
    object.set("warnings", Value::Array(info.warnings.begin(), info.warnings.end()));
    list.push_back(std::move(object));
  }
  return list;
}

}  // namespace weir::cli
