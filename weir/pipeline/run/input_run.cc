#include "weir/pipeline/run/input_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/pipeline/plan/resume_check.h"
#include "weir/pipeline/run/chunk_reader.h"
#include "weir/pipeline/run/fit_run.h"
#include "weir/pipeline/run/provenance.h"
#include "weir/pipeline/run/stopwatch.h"

namespace weir::pipeline {
namespace {
double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

const std::string& reader_node(const Spec& spec) {
  const auto found = std::find_if(spec.nodes.begin(), spec.nodes.end(),
                                  [](const Node& n) { return n.op == "read"; });
  WEIR_CHECK(found != spec.nodes.end());
  return found->id;
}

/// Checkpoints cost little beside the work they save: at most a twentieth of the time, at least a
/// quarter second apart.
constexpr double kCheckpointShare = 20;
constexpr double kCheckpointEvery = 0.25;

/// WEIR_CHECKPOINT_S says how many seconds apart, whatever they cost: tests kill runs that last no
/// longer.
double seconds_between_checkpoints(double cost_s) {
  const char* wish = std::getenv("WEIR_CHECKPOINT_S");
  return wish != nullptr && *wish != '\0' ? parse_number(wish)
                                          : std::max(kCheckpointEvery, kCheckpointShare * cost_s);
}
}  // namespace

InputRun::InputRun(const PlanData& data, const InputPlan& plan, Threads& threads, Report& report,
                   Tick tick)
    : data_(data),
      plan_(plan),
      threads_(threads),
      report_(report),
      tick_(std::move(tick)),
      graph_(plan.graph),
      seconds_total_(graph_.in.rate.seconds(graph_.in.total_frames())) {}

void InputRun::begin() {
  if (data_.spec.execution.resume) {
    resumed_ = read_checkpoint(checkpoint_path(plan_), run_identity(data_, plan_));
  }
  if (resumed_) {
    report_.resumed = true;
    groups_ = resumed_->groups;
    fits_ = resumed_->fits;
    use_fits(fits_, graph_);
  } else {
    groups_ = channel_groups(graph_.in.channel_count(), threads_.count());
    fit();
  }
  make_outputs();
  last_checkpoint_s_ = now_s();
}

void InputRun::fit() {
  const Stopwatch watch(report_.fit_s);
  tick_({.stage = "fit", .seconds_total = seconds_total_});
  fits_ = fit_steps(plan_, graph_, threads_, [this](const FitProgress& progress) {
    tick_({"fit", progress.seconds_done, progress.seconds_total, progress.bytes_read});
  });
}

void InputRun::make_outputs() {
  for (std::size_t i = 0; i < plan_.outputs.size(); ++i) {
    const PlannedOutput& planned = plan_.outputs[i];
    const bool committed = resumed_ && resumed_->complete && may_be_resumed(data_, plan_, planned);
    if (committed) {
      outputs_.push_back(nullptr);
      continue;
    }
    const std::int64_t capacity =
        rows_of_push(graph_, planned.from, plan_.push_frames, plan_.tile_frames);
    auto resume_from = resumed_ ? resumed_->outputs.at(i) : std::vector<std::byte>{};
    const StreamInfo& stream = graph_.stream(planned.from);
    const std::size_t groups =
        stream.channel_count() == graph_.in.channel_count()
            ? groups_.size()
            : channel_groups(stream.channel_count(), threads_.count()).size();
    outputs_.push_back(in_context("node " + planned.node, [&] {
      return Output::make(planned, graph_, groups, capacity, plan_.stage_bytes,
                          std::move(resume_from));
    }));
    if (data_.spec.execution.resume) {
      outputs_.back()->keep_partial();
    }
  }
}

std::unique_ptr<GraphRun> InputRun::start_segment(std::int64_t segment) {
  auto run = std::make_unique<GraphRun>(graph_, GraphStart{segment, 0}, plan_.tile_frames, groups_,
                                        threads_);
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    if (outputs_[i]) {
      run->attach(plan_.outputs[i].from, *outputs_[i]);
    }
  }
  return run;
}

void InputRun::push_chunk(GraphRun& run, const AnyBlock& block) {
  const Stopwatch watch(report_.compute_s);
  for (std::int64_t f = 0; f < block.frames(); f += plan_.push_frames) {
    run.push(block.slice(f, std::min(plan_.push_frames, block.frames() - f)));
  }
}

void InputRun::run_segment(std::int64_t segment) {
  auto run = start_segment(segment);
  std::int64_t first = 0;
  if (resumed_ && segment == resumed_->segment) {
    first = resumed_->first_frame;
    op::ByteReader saved(resumed_->graph);
    run->load(saved);
  }
  const StreamInfo& in = graph_.in;
  ChunkReader reader(plan_.input, reader_node(data_.spec), in.type, plan_.chunk_frames, segment,
                     first);
  while (auto chunk = reader.next()) {
    push_chunk(*run, chunk->block);
    const std::int64_t frames = chunk->block.frames();
    const std::int64_t bytes =
        frames * in.channel_count() * static_cast<std::int64_t>(size_of(in.type));
    ++report_.blocks;
    report_.bytes_read += bytes;
    seconds_done_ += in.rate.seconds(frames);
    tick_({"run", seconds_done_, seconds_total_, bytes});
    maybe_checkpoint(*run, segment, chunk->first_frame + frames);
  }
  {
    const Stopwatch watch(report_.compute_s);
    run->finish();
  }
  for (auto& output : outputs_) {
    if (output) {
      output->end_segment();
    }
  }
  filled_ += reader.filled();
  report_.read_wait_s += reader.waited_s();
  for (const auto& counter : run->counters()) {
    counters_.push_back(counter);
  }
}

void InputRun::maybe_checkpoint(const GraphRun& run, std::int64_t segment,
                                std::int64_t next_frame) {
  const double since = now_s() - last_checkpoint_s_;
  if (data_.spec.execution.resume && since > seconds_between_checkpoints(checkpoint_cost_s_)) {
    checkpoint(&run, segment, next_frame, false);
  }
}

void InputRun::checkpoint(const GraphRun* run, std::int64_t segment, std::int64_t next_frame,
                          bool complete) {
  const double start = now_s();
  Checkpoint saved;
  saved.identity = run_identity(data_, plan_);
  saved.segment = segment;
  saved.first_frame = next_frame;
  saved.complete = complete;
  saved.fits = fits_;
  saved.groups = groups_;
  if (run != nullptr) {
    op::ByteWriter graph;
    run->save(graph);
    saved.graph = graph.bytes();
  }
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    saved.outputs.push_back(outputs_[i] ? outputs_[i]->save() : resumed_->outputs.at(i));
  }
  write_checkpoint(checkpoint_path(plan_), saved);
  last_checkpoint_s_ = now_s();
  checkpoint_cost_s_ = last_checkpoint_s_ - start;
}

void InputRun::commit() {
  for (auto& output : outputs_) {
    if (output) {
      output->drain();
    }
  }
  collect_report(filled_);
  tick_({"commit", seconds_done_, seconds_total_, 0});
  if (data_.spec.execution.resume) {
    checkpoint(nullptr, static_cast<std::int64_t>(graph_.in.segments.size()), 0, true);
  }
  const std::string record = provenance(data_, plan_, fits_, report_);
  // Recordings first: an event group may lie inside a recording's store.
  for (const bool events : {false, true}) {
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      if (outputs_[i] && plan_.outputs[i].events == events) {
        in_context("node " + plan_.outputs[i].node, [&] { outputs_[i]->commit(record); });
      }
    }
  }
  if (data_.spec.execution.resume) {
    std::error_code failure;
    std::filesystem::remove(checkpoint_path(plan_), failure);
  }
}

void InputRun::collect_report(std::int64_t filled) {
  for (const auto& warning : plan_.input.warnings) {
    report_.warnings.push_back(warning);
  }
  if (filled > 0) {
    report_.warnings.push_back(fmt::format("{}: {} samples were NaN or infinite and became 0",
                                           plan_.input.name, grouped(filled)));
  }
  for (const auto& counter : counters_) {
    if (counter.count > 0) {
      report_.warnings.push_back(fmt::format("{}: {}", counter.what, grouped(counter.count)));
    }
  }
  for (const auto& output : outputs_) {
    if (output) {
      report_.outputs.push_back(output->report());
      report_.write_wait_s += output->waited_s();
    }
  }
}

void InputRun::run() {
  begin();
  const auto segments = static_cast<std::int64_t>(graph_.in.segments.size());
  for (std::int64_t s = resumed_ ? resumed_->segment : 0; s < segments; ++s) {
    run_segment(s);
  }
  report_.recording_s += seconds_total_;
  commit();
}

}  // namespace weir::pipeline
