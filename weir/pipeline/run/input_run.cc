#include "weir/pipeline/run/input_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/pipeline/plan/device_graph.h"
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

InputRun::InputRun(const PlanData& data, const InputPlan& plan, const Placement& place,
                   std::shared_ptr<compute::Device> device, Threads& threads, Report& report,
                   Tick tick)
    : data_(data),
      plan_(plan),
      place_(place),
      device_(std::move(device)),
      threads_(threads),
      report_(report),
      tick_(std::move(tick)),
      graph_(plan.graph),
      seconds_total_(graph_.in.rate.seconds(graph_.in.total_frames())) {}

void InputRun::begin() {
  if (data_.spec.execution.resume) {
    resumed_ = read_checkpoint(checkpoint_path(plan_), run_identity(data_, plan_, place_));
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
  make_engine();
  last_checkpoint_s_ = now_s();
}

void InputRun::fit() {
  const Stopwatch watch(report_.fit_s);
  tick_({.stage = "fit", .seconds_total = seconds_total_});
  fits_ = fit_steps(plan_, place_, graph_, threads_, [this](const FitProgress& progress) {
    tick_({"fit", progress.seconds_done, progress.seconds_total, progress.bytes_read});
  });
}

/// In how many parts an output's rows come: a device has no groups of channels.
std::size_t InputRun::groups_of(const PlannedOutput& planned) const {
  if (place_.uses_device() && lies_on_device(place_.on_device, planned.from)) {
    return 1;
  }
  return output_groups(graph_, place_.on_device, planned.from, groups_, threads_.count()).size();
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
        rows_of_push(graph_, planned.from, place_.push_frames, place_.tile_frames);
    auto resume_from = resumed_ ? resumed_->outputs.at(i) : std::vector<std::byte>{};
    outputs_.push_back(in_context("node " + planned.node, [&] {
      return Output::make(planned, graph_, groups_of(planned), capacity, place_.stage_bytes,
                          std::move(resume_from));
    }));
    if (data_.spec.execution.resume) {
      outputs_.back()->keep_partial();
    }
  }
}

void InputRun::make_engine() {
  EngineParts parts{plan_, place_, graph_, groups_, threads_};
  engine_ = place_.uses_device() ? make_device_engine(std::move(parts), device_)
                                 : make_host_engine(std::move(parts));
  engine_->attach(outputs_);
}

void InputRun::run_segment(std::int64_t segment) {
  engine_->begin(segment);
  std::int64_t first = 0;
  if (resumed_ && segment == resumed_->segment) {
    first = resumed_->first_frame;
    op::ByteReader saved(resumed_->graph);
    engine_->load(saved);
  }
  const StreamInfo& in = graph_.in;
  ChunkReader reader(plan_.input, reader_node(data_.spec), engine_->ring(), segment, first);
  while (auto chunk = reader.next()) {
    {
      const Stopwatch watch(report_.compute_s);
      engine_->push(*chunk);
    }
    const std::int64_t frames = chunk->block.frames();
    const std::int64_t bytes =
        frames * in.channel_count() * static_cast<std::int64_t>(size_of(in.type));
    ++report_.blocks;
    report_.bytes_read += bytes;
    seconds_done_ += in.rate.seconds(frames);
    tick_({"run", seconds_done_, seconds_total_, bytes});
    maybe_checkpoint(segment, chunk->first_frame + frames);
  }
  {
    const Stopwatch watch(report_.compute_s);
    engine_->finish();
  }
  for (auto& output : outputs_) {
    if (output) {
      output->end_segment();
    }
  }
  filled_ += reader.filled();
  report_.read_wait_s += reader.waited_s();
  for (const auto& counter : engine_->counters()) {
    const auto known = std::find_if(counters_.begin(), counters_.end(),
                                    [&](const auto& c) { return c.what == counter.what; });
    if (known == counters_.end()) {
      counters_.push_back(counter);
    } else {
      known->count += counter.count;  // Of an earlier segment.
    }
  }
}

void InputRun::maybe_checkpoint(std::int64_t segment, std::int64_t next_frame) {
  const double since = now_s() - last_checkpoint_s_;
  if (data_.spec.execution.resume && since > seconds_between_checkpoints(checkpoint_cost_s_)) {
    checkpoint(segment, next_frame, false);
  }
}

void InputRun::checkpoint(std::int64_t segment, std::int64_t next_frame, bool complete) {
  const double start = now_s();
  Checkpoint saved;
  saved.identity = run_identity(data_, plan_, place_);
  saved.segment = segment;
  saved.first_frame = next_frame;
  saved.complete = complete;
  saved.fits = fits_;
  saved.groups = groups_;
  if (!complete) {
    op::ByteWriter graph;
    engine_->save(graph);
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
    checkpoint(static_cast<std::int64_t>(graph_.in.segments.size()), 0, true);
  }
  const std::string record = provenance(data_, plan_, place_, fits_, report_);
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
  const LinkReport link = engine_->link();
  report_.bytes_uploaded += link.uploaded_bytes;
  report_.device_wait_s += link.wait_s;
  report_.kernels_s += link.kernels_s;
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    if (outputs_[i]) {
      report_.outputs.push_back(outputs_[i]->report());
      report_.write_wait_s += outputs_[i]->waited_s();
      report_.outputs.back().bytes_downloaded =
          link.downloaded_bytes.empty() ? 0 : link.downloaded_bytes[i];
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
