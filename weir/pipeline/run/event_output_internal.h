#pragma once

#include "weir/pipeline/run/output.h"

namespace weir::pipeline {

/// Events of all groups, merged into the order of rows and appended as they become final.
class EventsToFile final : public Output {
 public:
  EventsToFile(const PlannedOutput& plan, std::size_t groups, std::vector<std::byte> resume_from);
  void rows(std::size_t, const ChannelGroup&, AnyBlock) override {}
  void events(std::size_t group, const EventList& events) override;
  void turn_over() override;
  void end_segment() override {}
  std::vector<std::byte> save() override;
  void keep_partial() noexcept override { writer_->keep_partial(); }
  void commit(const std::string& provenance) override { writer_->commit(provenance); }
  void drain() override;
  OutputReport report() const override;

 private:
  const PlannedOutput& plan_;
  std::vector<std::int32_t>
      column_;  ///< Written channel of each channel of the stream; -1 for none.
  std::vector<EventList> by_group_;
  EventList merged_;
  std::int64_t count_ = 0;
  double write_s_ = 0;
  std::unique_ptr<formats::EventWriter> writer_;
};

/// The rows of a table, all at the end of the run.
class TableToFile final : public Output {
 public:
  TableToFile(const PlannedOutput& plan, std::vector<std::byte> resume_from);
  void rows(std::size_t, const ChannelGroup&, AnyBlock) override {}
  void events(std::size_t, const EventList&) override {}
  void turn_over() override {}
  void end_segment() override {}
  std::vector<std::byte> save() override;
  void keep_partial() noexcept override { to_->keep_partial(); }
  void commit(const std::string& provenance) override { to_->commit(provenance); }
  void drain() override;
  OutputReport report() const override { return to_->report(); }

 private:
  const PlannedOutput& plan_;
  bool done_ = false;
  std::unique_ptr<EventsToFile> to_;
};

}  // namespace weir::pipeline
