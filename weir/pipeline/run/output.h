#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "weir/op/bytes.h"
#include "weir/pipeline/plan/plan_data.h"
#include "weir/pipeline/run/run.h"
#include "weir/pipeline/run/sink.h"
#include "weir/pipeline/run/writer_thread.h"

namespace weir::pipeline {

/// One output of a run: a sink in front of a writer.
class Output : public Sink {
 public:
  /// `resume_from`: what `save` of a killed run returned; empty to start anew.
  static std::unique_ptr<Output> make(const PlannedOutput& plan, const Graph& graph,
                                      std::size_t groups, std::int64_t capacity,
                                      std::int64_t stage_bytes, std::vector<std::byte> resume_from);

  /// Rows that a device has converted to what is written, channels and all, and how many samples
  /// it clipped.
  virtual void converted(AnyBlock rows, std::int64_t clipped);
  virtual void end_segment() = 0;
  /// Everything delivered so far is in the partial file; returns what goes on from here.
  virtual std::vector<std::byte> save() = 0;
  virtual void keep_partial() noexcept = 0;
  virtual void commit(const std::string& provenance) = 0;
  /// All rows are with the writer, whose errors appear here.
  virtual void drain() = 0;
  virtual OutputReport report() const = 0;
  virtual double waited_s() const noexcept { return 0; }
};

}  // namespace weir::pipeline
