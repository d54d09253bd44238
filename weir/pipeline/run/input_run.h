#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "weir/pipeline/plan/plan_data.h"
#include "weir/pipeline/run/checkpoint.h"
#include "weir/pipeline/run/engine.h"
#include "weir/pipeline/run/output.h"
#include "weir/pipeline/run/run.h"

namespace weir::pipeline {

/// One input through its graph into its outputs.
class InputRun {
 public:
  /// Where the input stands.
  struct Moment {
    const char* stage = "";
    double seconds_done = 0;  ///< Of recording, in this stage.
    double seconds_total = 0;
    std::int64_t bytes_read = 0;  ///< Since the last moment.
  };
  /// Called on this thread after each chunk and at each change of stage; throws to cancel.
  using Tick = std::function<void(const Moment&)>;

  /// `place`: the plan's, or its fallback. `device`: for a place that uses one.
  InputRun(const PlanData& data, const InputPlan& plan, const Placement& place,
           std::shared_ptr<compute::Device> device, Threads& threads, Report& report, Tick tick);
  void run();

 private:
  void begin();
  void fit();
  void make_outputs();
  void run_segment(std::int64_t segment);
  std::size_t groups_of(const PlannedOutput& planned) const;
  void make_engine();
  void maybe_checkpoint(std::int64_t segment, std::int64_t next_frame);
  void checkpoint(std::int64_t segment, std::int64_t next_frame, bool complete);
  void commit();
  void collect_report(std::int64_t filled);

  const PlanData& data_;
  const InputPlan& plan_;
  const Placement& place_;
  std::shared_ptr<compute::Device> device_;
  Threads& threads_;
  Report& report_;
  Tick tick_;
  Graph graph_;               ///< The plan's, with fitted steps.
  double seconds_total_ = 0;  ///< Of the input.
  Value fits_;
  std::vector<ChannelGroup> groups_;
  std::vector<std::unique_ptr<Output>>
      outputs_;                     ///< Null where an earlier run has committed already.
  std::unique_ptr<Engine> engine_;  ///< Goes before the outputs that it feeds.
  std::optional<Checkpoint> resumed_;
  std::vector<op::Counter> counters_;
  std::int64_t filled_ = 0;
  double seconds_done_ = 0;
  double last_checkpoint_s_ = 0;
  double checkpoint_cost_s_ = 0;
};

}  // namespace weir::pipeline
