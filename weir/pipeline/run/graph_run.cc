#include "weir/pipeline/run/graph_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>

#include "weir/core/error.h"

namespace weir::pipeline {

struct GraphRun::NodeRun {
  op::Parallel parallel = op::Parallel::channels;
  bool relabels = false;
  std::vector<ChannelGroup> groups;  ///< Of its output.
  std::vector<std::unique_ptr<op::StepRun>>
      runs;                                       ///< One a group; one in all for `Parallel::none`.
  std::vector<std::unique_ptr<op::State>> slots;  ///< One a thread for `Parallel::frames`.
  Buffer out;                                     ///< For `Parallel::frames`.
  std::unique_ptr<Gather> gather;  ///< Where its groups meet, if a child needs them side by side.
  std::vector<Sink*> sinks;
  std::vector<std::int64_t> channel_children;
  std::vector<std::int64_t> wide_children;
};

namespace {
/// Input frame of `node` that stands where the reader's `first` does.
std::int64_t start_frame(const Graph& graph, std::int64_t node, std::int64_t first) {
  Rational at(first);
  for (std::int64_t up = graph.node(node).parent; up != kReader; up = graph.node(up).parent) {
    at = at * graph.node(up).step->ports().front().ratio;
  }
  WEIR_CHECK(at.denominator() == 1);
  return at.numerator();
}
}  // namespace

GraphRun::GraphRun(const Graph& graph, const GraphStart& start, std::int64_t max_frames,
                   std::span<const ChannelGroup> groups, Threads& threads)
    : graph_(graph), threads_(threads), groups_(groups.begin(), groups.end()) {
  const GraphSizes sizes = graph_sizes(graph, max_frames);
  auto reader = std::make_unique<NodeRun>();
  reader->groups = groups_;
  nodes_.push_back(std::move(reader));
  for (std::int64_t i = 0; i < graph.size(); ++i) {
    make_node(i, start, sizes);
  }
}

GraphRun::~GraphRun() = default;

GraphRun::NodeRun& GraphRun::at(std::int64_t node) {
  return *nodes_[static_cast<std::size_t>(node + 1)];
}

void GraphRun::make_node(std::int64_t index, const GraphStart& start, const GraphSizes& sizes) {
  const GraphNode& node = graph_.node(index);
  const op::Step& step = *node.step;
  const StreamInfo& in = graph_.stream(node.parent);
  const StreamInfo& out = graph_.stream(index);
  auto run = std::make_unique<NodeRun>();
  run->parallel = step.parallel();
  run->relabels = step.relabels_only();
  run->groups = out.channel_count() == graph_.in.channel_count()
                    ? groups_
                    : channel_groups(out.channel_count(), threads_.count());
  op::StartPoint point;
  point.segment = start.segment;
  point.first_frame = start_frame(graph_, index, start.first_frame);
  point.channel_count = in.channel_count();
  const std::int64_t longest = sizes.in[static_cast<std::size_t>(index)];
  const std::int64_t capacity = sizes.out[static_cast<std::size_t>(index)];
  if (run->parallel == op::Parallel::frames) {
    for (std::int64_t slot = 0; slot < threads_.count(); ++slot) {
      run->slots.push_back(step.start(point));
    }
    run->out = Buffer(out.type, capacity, out.channel_count());
  } else if (run->parallel == op::Parallel::channels && !run->relabels) {
    for (const auto& group : run->groups) {
      point.first_channel = group.first;
      point.channel_count = group.count;
      run->runs.push_back(std::make_unique<op::StepRun>(step, point, longest));
    }
  } else if (!run->relabels) {
    run->runs.push_back(std::make_unique<op::StepRun>(step, point, longest));
    run->gather = std::make_unique<Gather>(out, 1, capacity);
  }
  if (needs_gathering(graph_, index) && !run->gather) {
    run->gather = std::make_unique<Gather>(out, run->groups.size(), capacity);
  }
  auto& siblings = at(node.parent);
  (run->parallel == op::Parallel::channels ? siblings.channel_children : siblings.wide_children)
      .push_back(index);
  nodes_.push_back(std::move(run));
}

void GraphRun::attach(std::int64_t node, Sink& sink) {
  at(node).sinks.push_back(&sink);
}

op::Receiver GraphRun::receiver(std::int64_t node, std::size_t group) {
  return [this, node, group](AnyBlock block, EventList& events) {
    if (!events.empty()) {
      for (Sink* sink : at(node).sinks) {
        sink->events(group, events);
      }
    }
    if (block.frames() > 0) {
      emit(node, group, block);
    }
  };
}

void GraphRun::emit(std::int64_t node, std::size_t group, AnyBlock block) {
  NodeRun& run = at(node);
  if (run.parallel == op::Parallel::none && node != kReader) {
    run.gather->rows(0, {0, block.channels()}, block);
    return;
  }
  for (Sink* sink : run.sinks) {
    sink->rows(group, run.groups[group], block);
  }
  if (run.gather) {
    run.gather->rows(group, run.groups[group], block);
  }
  for (const std::int64_t child : run.channel_children) {
    push_group(child, group, block);
  }
}

void GraphRun::push_group(std::int64_t node, std::size_t group, AnyBlock block) {
  NodeRun& run = at(node);
  if (run.relabels) {
    emit(node, group, block);
  } else {
    run.runs[group]->push(block, receiver(node, group));
  }
}

void GraphRun::run_slice(std::int64_t node, std::int64_t slice, AnyBlock block) {
  NodeRun& run = at(node);
  const auto slices = static_cast<std::int64_t>(run.slots.size());
  const std::int64_t first = block.frames() * slice / slices;
  const std::int64_t end = block.frames() * (slice + 1) / slices;
  if (first == end) {
    return;
  }
  const op::FlushToZero guard;
  std::array<op::Emission, 1> out{{{run.out.block().slice(first, end - first), 0, nullptr}}};
  graph_.node(node).step->run(*run.slots[static_cast<std::size_t>(slice)],
                              block.slice(first, end - first), out);
  WEIR_CHECK(out[0].frames == end - first);
}

void GraphRun::push_wide(std::int64_t node, AnyBlock block) {
  NodeRun& run = at(node);
  const bool by_groups = !run.channel_children.empty() || !run.sinks.empty();
  const auto groups = by_groups ? static_cast<std::int64_t>(run.groups.size()) : 0;
  const std::int64_t slices = threads_.count();
  const auto wide = static_cast<std::int64_t>(run.wide_children.size());
  threads_.run(groups + wide * slices, [&](std::int64_t task) {
    if (task < groups) {
      const auto group = static_cast<std::size_t>(task);
      const ChannelGroup& channels = run.groups[group];
      const AnyBlock columns = block.columns(channels.first, channels.count);
      for (Sink* sink : run.sinks) {
        sink->rows(group, channels, columns);
      }
      for (const std::int64_t child : run.channel_children) {
        push_group(child, group, columns);
      }
      return;
    }
    const std::int64_t child =
        run.wide_children[static_cast<std::size_t>((task - groups) / slices)];
    const std::int64_t slice = (task - groups) % slices;
    if (at(child).parallel == op::Parallel::frames) {
      run_slice(child, slice, block);
    } else if (slice == 0) {
      at(child).runs.front()->push(block, receiver(child, 0));
    }
  });
  settle(node);
  for (const std::int64_t child : run.wide_children) {
    NodeRun& below = at(child);
    push_wide(child, below.parallel == op::Parallel::frames ? below.out.first(block.frames())
                                                            : below.gather->take());
  }
}

void GraphRun::settle(std::int64_t node) {
  NodeRun& run = at(node);
  for (Sink* sink : run.sinks) {
    sink->turn_over();
  }
  for (const std::int64_t child : run.channel_children) {
    settle(child);
    NodeRun& below = at(child);
    if (!below.gather) {
      continue;
    }
    const AnyBlock block = below.gather->take();
    for (const std::int64_t wide :
         block.frames() > 0 ? below.wide_children : std::vector<std::int64_t>{}) {
      NodeRun& target = at(wide);
      if (target.parallel == op::Parallel::frames) {
        threads_.run(threads_.count(), [&](std::int64_t slice) { run_slice(wide, slice, block); });
        push_wide(wide, target.out.first(block.frames()));
      } else {
        target.runs.front()->push(block, receiver(wide, 0));
        push_wide(wide, target.gather->take());
      }
    }
  }
}

void GraphRun::push(AnyBlock tile) {
  push_wide(kReader, tile);
}

bool GraphRun::finish_round(std::int64_t node) {
  NodeRun& run = at(node);
  std::atomic<bool> done{true};
  threads_.run(static_cast<std::int64_t>(run.runs.size()), [&](std::int64_t task) {
    const auto group = static_cast<std::size_t>(task);
    if (!run.runs[group]->finish_some(receiver(node, group))) {
      done = false;
    }
  });
  return done;
}

void GraphRun::finish_groups(std::int64_t node, std::int64_t root) {
  for (const std::int64_t child : at(node).channel_children) {
    for (bool done = at(child).relabels; !done;) {
      done = finish_round(child);
      settle(root);
    }
    finish_groups(child, root);
    finish_wide_children(child);
  }
}

void GraphRun::finish_wide_children(std::int64_t node) {
  for (const std::int64_t child : at(node).wide_children) {
    NodeRun& run = at(child);
    for (bool done = run.parallel == op::Parallel::frames; !done;) {
      done = finish_round(child);
      push_wide(child, run.gather->take());
    }
    finish_below(child);
  }
}

void GraphRun::finish_below(std::int64_t node) {
  finish_groups(node, node);
  finish_wide_children(node);
}

void GraphRun::finish() {
  finish_below(kReader);
}

void GraphRun::save(op::ByteWriter& to) const {
  for (const auto& node : nodes_) {
    for (const auto& run : node->runs) {
      run->save(to);
    }
  }
}

void GraphRun::load(op::ByteReader& from) {
  for (auto& node : nodes_) {
    for (auto& run : node->runs) {
      run->load(from);
    }
  }
}

std::vector<op::Counter> GraphRun::counters() const {
  std::vector<op::Counter> all;
  for (std::int64_t i = 0; i < graph_.size(); ++i) {
    for (const auto& run : nodes_[static_cast<std::size_t>(i + 1)]->runs) {
      for (const auto& counter : run->state().counters()) {
        const std::string what = fmt::format("node {}: {}", graph_.node(i).name, counter.what);
        const auto known = std::find_if(all.begin(), all.end(),
                                        [&](const op::Counter& c) { return c.what == what; });
        if (known == all.end()) {
          all.push_back({what, counter.count});
        } else {
          known->count += counter.count;
        }
      }
    }
  }
  return all;
}

}  // namespace weir::pipeline
