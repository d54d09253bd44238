#include "weir/pipeline/run/fit_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <numeric>
#include <thread>

#include "weir/core/error.h"
#include "weir/pipeline/plan/claims.h"
#include "weir/pipeline/plan/device_graph.h"
#include "weir/pipeline/plan/size_input.h"
#include "weir/pipeline/run/chunk_reader.h"
#include "weir/pipeline/run/graph_run.h"

namespace weir::pipeline {
namespace {
constexpr std::int64_t kStretches = 20;

/// The steps above one node and what gives them events, as a graph of their own whose last node is
/// the node's parent.
Graph path_above(const Graph& graph, std::int64_t node) {
  std::vector<bool> wanted(static_cast<std::size_t>(graph.size()), false);
  const auto want = [&](std::int64_t index) {
    if (index != kReader) {
      wanted[static_cast<std::size_t>(index)] = true;
    }
  };
  want(graph.node(node).parent);
  for (std::int64_t i = node - 1; i >= 0; --i) {  // Whatever feeds a node stands before it.
    if (wanted[static_cast<std::size_t>(i)]) {
      want(graph.node(i).parent);
      want(graph.node(i).events ? graph.node(i).events->node : kReader);
    }
  }
  Graph path;
  path.in = graph.in;
  std::map<std::int64_t, std::int64_t> place{{kReader, kReader}};
  for (std::int64_t i = 0; i < node; ++i) {
    if (wanted[static_cast<std::size_t>(i)]) {
      path.nodes.push_back(graph.node(i));
      place[i] = path.size() - 1;
      path.nodes.back().parent = place.at(graph.node(i).parent);
      if (graph.node(i).events) {
        path.nodes.back().events->node = place.at(graph.node(i).events->node);
      }
    }
  }
  return path;
}

/// The steps from the reader down to the last.
std::vector<const op::Step*> steps_down(const Graph& path) {
  std::vector<const op::Step*> steps;
  for (const std::int64_t index : path.path_to(path.size() - 1)) {
    steps.push_back(path.node(index).step.get());
  }
  return steps;
}

/// Smallest number of reader frames at whose multiples every step of the path starts on a grid of
/// its own.
std::int64_t start_grid(const Graph& path) {
  std::int64_t grid = 1;
  Rational ratio(1);  // Input frames of the step per reader frame.
  for (const op::Step* step : steps_down(path)) {
    const Rational& step_ratio = step->ports().front().ratio;
    const std::int64_t align = std::lcm(step->grid_frames(), step_ratio.denominator());
    grid *= (Rational(grid) * ratio / Rational(align)).denominator();
    ratio = ratio * step_ratio;
  }
  return grid;
}

/// Reader frames before a place that the path needs to have seen.
std::int64_t settle_before(const Graph& path) {
  std::int64_t settle = 0;
  Rational ratio(1);
  for (const op::Step* step : steps_down(path)) {
    settle += (Rational(1) / ratio).ceil_times(step->settle_frames());
    ratio = ratio * step->ports().front().ratio;
  }
  return settle;
}

Rational total_ratio(const Graph& path) {
  Rational ratio(1);
  for (const op::Step* step : steps_down(path)) {
    ratio = ratio * step->ports().front().ratio;
  }
  return ratio;
}

/// Hands the wanted frames of a stream to a fitter as they come by.
class FitSink final : public Sink {
 public:
  FitSink(op::Fitter& fitter, const StreamInfo& stream, std::size_t groups, std::int64_t capacity)
      : fitter_(fitter), rate_(stream.rate), gather_(stream, groups, capacity) {}
  void look_for(const FitStretch& stretch, std::int64_t first_seen) {
    wanted_ = stretch;
    at_ = first_seen;
  }
  bool done() const noexcept { return at_ >= wanted_.first + wanted_.frames; }
  /// Of the stretch looked for.
  double seconds_seen() const {
    return rate_.seconds(std::clamp<std::int64_t>(at_ - wanted_.first, 0, wanted_.frames));
  }
  void rows(std::size_t group, const ChannelGroup& channels, AnyBlock block) override {
    gather_.rows(group, channels, block);
  }
  void events(std::size_t, const EventList&) override {}
  void turn_over() override {
    const AnyBlock block = gather_.take();
    const std::int64_t first = std::max(wanted_.first, at_);
    const std::int64_t end = std::min(wanted_.first + wanted_.frames, at_ + block.frames());
    if (first < end) {
      fitter_.add(block.slice(first - at_, end - first));
    }
    at_ += block.frames();
  }

 private:
  op::Fitter& fitter_;
  SampleRate rate_;
  Gather gather_;
  FitStretch wanted_;
  std::int64_t at_ = 0;
};

/// Tells the observer how all fits of an input stand.
class FitWatch {
 public:
  FitWatch(double seconds_total, const FitTick& tick)
      : tick_(tick), progress_{.seconds_total = seconds_total} {}
  void reached(double seconds, std::int64_t bytes) {
    progress_.seconds_done = base_ + seconds;
    progress_.bytes_read = bytes;
    tick_(progress_);
  }
  void next(double seconds) { base_ += seconds; }
  /// From any thread; only the one that runs the fits tells.
  void still_there() {
    if (std::this_thread::get_id() == owner_) {
      progress_.bytes_read = 0;
      tick_(progress_);
    }
  }

 private:
  const FitTick& tick_;
  const std::thread::id owner_ = std::this_thread::get_id();
  double base_ = 0;  ///< Seconds of the stretches before this one.
  FitProgress progress_;
};

/// One node's fit: its path, where its stretches are gathered, and who watches.
struct FitPath {
  const InputPlan& plan;
  const Placement& place;
  const Graph& graph;
  const ChunkRing& ring;
  Threads& threads;
  FitWatch& watch;
};

/// Runs the steps above a node over one stretch of its input.
void run_stretch(const FitPath& path, const FitStretch& stretch, FitSink& sink) {
  const Placement& place = path.place;
  const StreamInfo& in = path.graph.in;
  const std::int64_t grid = start_grid(path.graph);
  const Rational ratio = total_ratio(path.graph);
  const std::int64_t wanted = (Rational(1) / ratio).floor_times(stretch.first);
  // No run-in finds the events that began before it: those runs start with the segment.
  const std::int64_t start =
      path.graph.has_events_inputs()
          ? 0
          : std::max<std::int64_t>(0, wanted - settle_before(path.graph)) / grid * grid;
  const auto groups = channel_groups(in.channel_count(), path.threads.count());
  GraphRun run(path.graph, {stretch.segment, start}, place.tile_frames, groups, path.threads);
  run.attach(path.graph.size() - 1, sink);
  sink.look_for(stretch, ratio.floor_times(start));
  ChunkReader reader(path.plan.input, "fit", path.ring, stretch.segment, start);
  const std::int64_t longest = host_push_frames(place, path.threads.count());
  const auto row = in.channel_count() * static_cast<std::int64_t>(size_of(in.type));
  while (auto chunk = reader.next()) {
    for (std::int64_t f = 0; f < chunk->block.frames() && !sink.done(); f += longest) {
      const auto block = chunk->block.slice(f, std::min(longest, chunk->block.frames() - f));
      run.push(block);
      path.watch.reached(sink.seconds_seen(), block.frames() * row);
    }
    if (sink.done()) {
      return;
    }
  }
  run.finish();
}

Value fit_node(const InputPlan& plan, const Placement& place, const Graph& graph, std::int64_t node,
               Threads& threads, FitWatch& watch) {
  const op::Step& step = *graph.node(node).step;
  const Graph above = path_above(graph, node);
  const ChunkRing ring(graph.in.type, place.chunk_frames, graph.in.channel_count());
  const FitPath path{plan, place, above, ring, threads, watch};
  const StreamInfo& stream = above.stream(above.size() - 1);
  const auto fitter = step.fitter();
  const std::int64_t capacity = rows_of_push(
      above, above.size() - 1, host_push_frames(place, threads.count()), place.tile_frames);
  const auto groups = channel_groups(above.in.channel_count(), threads.count());
  FitSink sink(*fitter, stream,
               output_groups(above, {}, above.size() - 1, groups, threads.count()).size(),
               capacity);
  for (const FitStretch& stretch : fit_stretches(stream, step.fit())) {
    run_stretch(path, stretch, sink);
    watch.next(stream.rate.seconds(stretch.frames));
  }
  std::atomic<std::int64_t> next{0};
  threads.run(fit_tasks_at_once(step, threads.count(), place.budget.cap()), [&](std::int64_t) {
    for (std::int64_t task = next++; task < fitter->tasks(); task = next++) {
      watch.still_there();
      fitter->run_task(task);
    }
  });
  return fitter->finish();
}

/// Seconds of recording that the fits of a graph look at.
double seconds_to_fit(const Graph& graph) {
  double seconds = 0;
  for (const auto& node : graph.nodes) {
    if (node.step->fit() != op::Fit::none) {
      const StreamInfo& stream = graph.stream(node.parent);
      for (const FitStretch& stretch : fit_stretches(stream, node.step->fit())) {
        seconds += stream.rate.seconds(stretch.frames);
      }
    }
  }
  return seconds;
}
}  // namespace

std::vector<FitStretch> fit_stretches(const StreamInfo& stream, op::Fit fit) {
  const std::int64_t total = stream.total_frames();
  const std::int64_t length = stream.rate.ceil_frames(0.5);
  const bool all = fit == op::Fit::whole || total <= kStretches * length;
  std::vector<FitStretch> found;
  for (std::int64_t k = 0; k < (all ? 1 : kStretches); ++k) {
    const std::int64_t first = all ? 0 : Rational(total - length, kStretches - 1).floor_times(k);
    const std::int64_t end = all ? total : first + length;
    std::int64_t segment_start = 0;
    for (std::size_t s = 0; s < stream.segments.size(); ++s) {
      const std::int64_t segment_end = segment_start + stream.segments[s].frames;
      const std::int64_t a = std::max(first, segment_start);
      const std::int64_t b = std::min(end, segment_end);
      if (a < b) {
        found.push_back({static_cast<std::int64_t>(s), a - segment_start, b - a});
      }
      segment_start = segment_end;
    }
  }
  return found;
}

Value fit_steps(const InputPlan& plan, const Placement& place, Graph& graph, Threads& threads,
                const FitTick& tick) {
  Value values = Value::object();
  FitWatch watch(seconds_to_fit(graph), tick);
  for (std::int64_t i = 0; i < graph.size(); ++i) {
    if (graph.node(i).step->fit() == op::Fit::none) {
      continue;
    }
    in_context("node " + graph.node(i).name, [&] {
      values.set(graph.node(i).name, fit_node(plan, place, graph, i, threads, watch));
    });
    use_fits(values, graph);
  }
  return values;
}

void use_fits(const Value& values, Graph& graph) {
  for (auto& node : graph.nodes) {
    const Value* value = values.find(node.name);
    if (value != nullptr && node.step->fit() != op::Fit::none) {
      node.step = std::shared_ptr<const op::Step>(node.step->fitted(*value));
      WEIR_CHECK(node.step != nullptr && node.step->fit() == op::Fit::none);
    }
  }
}

}  // namespace weir::pipeline
