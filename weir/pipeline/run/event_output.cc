#include <algorithm>

#include "weir/core/error.h"
#include "weir/pipeline/run/event_output_internal.h"
#include "weir/pipeline/run/stopwatch.h"

namespace weir::pipeline {

EventsToFile::EventsToFile(const PlannedOutput& plan, std::size_t groups,
                           std::vector<std::byte> resume_from)
    : plan_(plan), by_group_(groups) {
  formats::EventOutput request = plan.table;
  if (!resume_from.empty()) {
    op::ByteReader reader(resume_from);
    count_ = reader.get<std::int64_t>();
    request.resume_from = reader.get_vector<std::byte>();
  }
  const auto highest = std::max_element(plan.channels.begin(), plan.channels.end());
  column_.assign(highest == plan.channels.end() ? 0 : static_cast<std::size_t>(*highest) + 1, -1);
  for (std::size_t i = 0; i < plan.channels.size(); ++i) {
    column_[static_cast<std::size_t>(plan.channels[i])] = static_cast<std::int32_t>(i);
  }
  writer_ = plan.format->create_events(request);
}

void EventsToFile::events(std::size_t group, const EventList& events) {
  for (Event event : events) {
    const auto channel = static_cast<std::size_t>(event.channel);
    event.channel = channel < column_.size() ? column_[channel] : -1;
    if (event.channel >= 0) {
      by_group_[group].push_back(event);
    }
  }
}

void EventsToFile::turn_over() {
  for (auto& events : by_group_) {
    merged_.insert(merged_.end(), events.begin(), events.end());
    events.clear();
  }
  if (merged_.empty()) {
    return;
  }
  std::sort(merged_.begin(), merged_.end(), row_before);
  const Stopwatch watch(write_s_);
  in_context("node " + plan_.node, [&] { writer_->append(merged_); });
  count_ += static_cast<std::int64_t>(merged_.size());
  merged_.clear();
}

void EventsToFile::drain() {
  const Stopwatch watch(write_s_);
  in_context("node " + plan_.node, [&] { writer_->finish(); });
}

std::vector<std::byte> EventsToFile::save() {
  op::ByteWriter out;
  out.put(count_);
  out.put_all(writer_->save());
  return out.bytes();
}

OutputReport EventsToFile::report() const {
  OutputReport report;
  report.is_table = true;
  report.node = plan_.node;
  report.path = plan_.path;
  report.provenance = formats::provenance_path(plan_.path);
  report.channels = static_cast<std::int64_t>(plan_.channels.size());
  report.rate_hz = plan_.table.table.stream.rate.hz();
  report.events = count_;
  report.bytes_written = writer_->bytes_written();
  report.write_s = write_s_;
  return report;
}

TableToFile::TableToFile(const PlannedOutput& plan, std::vector<std::byte> resume_from)
    : plan_(plan) {
  std::vector<std::byte> inner;
  if (!resume_from.empty()) {
    op::ByteReader reader(resume_from);
    done_ = reader.get<bool>();
    inner = reader.get_vector<std::byte>();
  }
  to_ = std::make_unique<EventsToFile>(plan, 1, std::move(inner));
}

std::vector<std::byte> TableToFile::save() {
  op::ByteWriter out;
  out.put(done_);
  out.put_all(to_->save());
  return out.bytes();
}

void TableToFile::drain() {
  constexpr std::int64_t kRowsAtOnce = 4096;
  std::int64_t rows = 0;
  for (EventList some; !done_; some.clear()) {
    plan_.source->read(rows, kRowsAtOnce, some);
    rows += std::ssize(some);
    done_ = std::ssize(some) < kRowsAtOnce;
    for (auto first = some.begin(); first != some.end();) {  // One segment at a time.
      const auto end = std::find_if(
          first, some.end(), [&](const Event& event) { return event.segment != first->segment; });
      to_->events(0, EventList(first, end));
      to_->turn_over();
      first = end;
    }
  }
  to_->drain();
}

}  // namespace weir::pipeline
