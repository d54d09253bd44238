#pragma once

#include "weir/pipeline/run/output.h"

namespace weir::pipeline {

/// Samples converted to the output's type where they are computed, group by group, into packed rows
/// for the writer.
class SignalToFile final : public Output {
 public:
  SignalToFile(const PlannedOutput& plan, const StreamInfo& stream, std::size_t groups,
               std::int64_t capacity, std::int64_t stage_bytes, std::vector<std::byte> resume_from);
  void rows(std::size_t group, const ChannelGroup& channels, AnyBlock block) override;
  void converted(AnyBlock rows, std::int64_t clipped) override;
  void events(std::size_t, const EventList&) override {}
  void turn_over() override;
  void end_segment() override;
  std::vector<std::byte> save() override;
  void keep_partial() noexcept override { writer_->keep_partial(); }
  void commit(const std::string& provenance) override;
  void drain() override;
  OutputReport report() const override;
  double waited_s() const noexcept override { return thread_->waited_s(); }

 private:
  /// A stretch of neighbouring channels of one group that are neighbours in the output too.
  struct Columns {
    std::int64_t from = 0;  ///< In the group's block.
    std::int64_t to = 0;    ///< In the output row.
    std::int64_t count = 0;
  };
  std::vector<Columns> columns_of(const ChannelGroup& channels) const;
  void convert(const ChannelGroup& channels, AnyBlock block, const Columns& columns,
               std::int64_t first_row);
  void hand_over();

  const PlannedOutput& plan_;
  bool copies_ = false;  ///< int16 in, the same int16 out.
  std::int64_t stage_rows_ = 0;
  GroupCursors cursors_;
  std::vector<std::vector<Columns>> columns_;  ///< By group, filled at its first rows.
  Stage stage_;
  std::int64_t frames_ = 0;
  std::atomic<std::int64_t> clipped_{0};
  std::atomic<std::int64_t> rounded_{0};
  std::unique_ptr<formats::RecordingWriter> writer_;
  std::unique_ptr<WriterThread> thread_;
};

}  // namespace weir::pipeline
