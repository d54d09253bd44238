#pragma once

#include "weir/formats/snippet_writer.h"
#include "weir/pipeline/run/output.h"

namespace weir::pipeline {

/// Snippets converted to the output's type and appended with their events as they come.
class SnippetsToFile final : public Output {
 public:
  SnippetsToFile(const PlannedOutput& plan, std::vector<std::byte> resume_from);
  void rows(std::size_t, const ChannelGroup&, AnyBlock) override {}
  void events(std::size_t, const EventList&) override {}
  void snippet(const Event& event, AnyBlock rows) override;
  void turn_over() override {}
  void end_segment() override {}
  std::vector<std::byte> save() override;
  void keep_partial() noexcept override { writer_->keep_partial(); }
  void commit(const std::string& provenance) override { writer_->commit(provenance); }
  void drain() override {}
  OutputReport report() const override;

 private:
  const PlannedOutput& plan_;
  Buffer converted_;
  std::int64_t count_ = 0;
  std::int64_t clipped_ = 0;
  double write_s_ = 0;
  std::unique_ptr<formats::SnippetWriter> writer_;
};

}  // namespace weir::pipeline
