#include "weir/pipeline/run/device_engine.h"

#include <algorithm>

#include "weir/core/error.h"
#include "weir/pipeline/run/stopwatch.h"

namespace weir::pipeline {

DeviceEngine::DeviceEngine(EngineParts parts, std::shared_ptr<compute::Device> device)
    : parts_(std::move(parts)),
      device_(std::move(device)),
      sizes_(graph_sizes(parts_.graph, parts_.place.chunk_frames)),
      ring_(parts_.graph.in.type, parts_.place.chunk_frames, parts_.graph.in.channel_count(),
            chunks_are_packed(parts_.graph, parts_.place.on_device), *device_),
      upload_(device_->make_queue()),
      compute_(device_->make_queue()),
      download_(device_->make_queue()),
      late_(device_->make_queue()) {
  for (std::int64_t i = 0; i < kArrivalSlots; ++i) {
    const AnyBlock room = ring_.room(0);
    arrivals_.push_back({device_->allocate(static_cast<std::size_t>(room.frames() * room.stride()) *
                                           size_of(room.type())),
                         {}});
  }
  make_nodes();
  make_kernels();
}

/// What is under way looks at memory that is about to go.
DeviceEngine::~DeviceEngine() {
  for (const auto& queue : {upload_.get(), compute_.get(), download_.get(), late_.get()}) {
    try {
      queue->finish();
    } catch (const Error&) {  // NOLINT(bugprone-empty-catch): whoever used the device was told.
    }
  }
}

void DeviceEngine::make_nodes() {
  for (std::int64_t i = 0; i < parts_.graph.size(); ++i) {
    Node node;
    const op::Step& step = *parts_.graph.node(i).step;
    if (on_device(i) && !step.relabels_only()) {
      node.place = std::make_unique<op::DevicePlace>(
          op::DevicePlace{*device_, step.hears() ? *late_ : *compute_, sizes_.in[index_of(i)]});
      if (step.hears()) {
        WEIR_CHECK(parts_.graph.kind(i) == op::PortKind::snippets);  // Nothing hangs below it.
        node.late = std::make_unique<Late>();
      } else if (!parts_.graph.emits_events(i)) {
        const StreamInfo& out = parts_.graph.stream(i);
        node.room.type = out.type;
        node.room.frames = sizes_.out[index_of(i)];
        node.room.channels = out.channel_count();
        node.room.stride = padded_channels(out.channel_count());
        node.room.buffer = device_->allocate(
            static_cast<std::size_t>(node.room.frames * node.room.stride) * size_of(out.type));
      }
    }
    nodes_.push_back(std::move(node));
  }
}

/// A compiler takes longer than a disk: all at once. The steps made for it are thrown away.
void DeviceEngine::make_kernels() {
  const Stopwatch watch(link_.kernels_s);
  parts_.threads.run(parts_.graph.size(), [this](std::int64_t i) {
    const Node& node = nodes_[index_of(i)];
    if (node.place != nullptr) {
      in_context("node " + parts_.graph.node(i).name, [&] {
        const auto queue = device_->make_queue();
        parts_.graph.node(i).step->device({*device_, *queue, 1}, start_of(i));
      });
    }
  });
}

op::StartPoint DeviceEngine::start_of(std::int64_t node) const {
  op::StartPoint at;
  at.segment = segment_;
  at.channel_count = parts_.graph.stream(parts_.graph.node(node).parent).channel_count();
  return at;
}

void DeviceEngine::begin(std::int64_t segment) {
  hand_on_all_but(0);
  counters_.clear();
  segment_ = segment;
  for (std::int64_t i = 0; i < parts_.graph.size(); ++i) {
    Node& node = nodes_[index_of(i)];
    if (node.place == nullptr) {
      continue;
    }
    const GraphNode& planned = parts_.graph.node(i);
    in_context("node " + planned.name, [&] {
      node.step.reset();  // Its memory is claimed once.
      node.step = planned.step->device(*node.place, start_of(i));
      WEIR_CHECK(node.step != nullptr);  // `runs_on` said so.
    });
    if (node.events != nullptr) {
      node.events->begin(start_of(i));
    }
  }
  for (Branch& branch : branches_) {
    begin_branch(branch);
    for (const auto& [listener, detector] : branch.part.heard) {
      listen(detector, branch.run->events_into(listener));
    }
  }
  for (std::int64_t i = 0; i < parts_.graph.size(); ++i) {
    if (nodes_[index_of(i)].late != nullptr) {
      begin_late(i);
    }
  }
}

op::DeviceBlock DeviceEngine::upload(const Chunk& chunk) {
  Arrival& arrival = arrivals_[static_cast<std::size_t>(chunks_++ % kArrivalSlots)];
  op::DeviceBlock block;
  block.buffer = arrival.buffer;
  block.type = chunk.block.type();
  block.frames = chunk.block.frames();
  block.channels = chunk.block.channels();
  block.stride = chunk.block.stride();
  const std::size_t bytes =
      static_cast<std::size_t>(block.frames * block.stride) * size_of(block.type);
  WEIR_CHECK(chunk.memory != nullptr && bytes <= arrival.buffer.bytes());
  upload_->wait(arrival.read);
  upload_->start_upload(arrival.buffer, 0, *chunk.memory, 0, bytes);
  link_.uploaded_bytes += static_cast<std::int64_t>(bytes);
  return block;
}

void DeviceEngine::run_node(std::int64_t index, const op::DeviceBlock& in, Wave& wave) {
  Node& node = nodes_[index_of(index)];
  op::DeviceEmission& out = wave.out[index_of(index)];
  wave.ran[index_of(index)] = true;
  if (node.step == nullptr) {  // It only relabels.
    out.room = in;
    out.frames = in.frames;
  } else {
    in_context("node " + parts_.graph.node(index).name, [&] { node.step->run(in, {&out, 1}); });
  }
  op::DeviceBlock block = out.room;
  block.frames = out.frames;
  run_children(index, block, wave);
}

void DeviceEngine::run_children(std::int64_t parent, const op::DeviceBlock& block, Wave& wave) {
  for (const std::int64_t child : parts_.graph.children(parent)) {
    if (on_device(child) && nodes_[index_of(child)].late == nullptr) {
      run_node(child, block, wave);
    }
  }
}

DeviceEngine::Wave DeviceEngine::new_wave() {
  Wave wave;
  wave.slot = free_slot();
  wave.ran.assign(nodes_.size(), false);
  for (const Node& node : nodes_) {
    op::DeviceEmission out{node.room, 0, {}};
    if (node.events != nullptr) {
      out.events = node.events->room(wave.slot);
    }
    wave.out.push_back(std::move(out));
  }
  return wave;
}

/// The slot whose turn it is, once what was in it has been handed on.
std::size_t DeviceEngine::free_slot() {
  hand_on_all_but(kDepartureSlots - 1);
  return static_cast<std::size_t>(waves_++ % kDepartureSlots);
}

/// Returns when the node's rooms are free for the next wave.
compute::Fence DeviceEngine::leave(const Wave& wave) {
  Leaving leaving{wave.slot, {}, {}};
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    for (Departure* departure : nodes_[i].departures) {
      if (wave.ran[i]) {
        departure->load(wave.slot, wave.out[i]);
        leaving.departures.push_back(departure);
      }
    }
  }
  if (wave.chunk) {
    for (Departure* departure : reader_departures_) {
      departure->load(wave.slot, {*wave.chunk, wave.chunk->frames, {}, nullptr});
      leaving.departures.push_back(departure);
    }
  }
  std::ranges::stable_sort(leaving.departures, {}, &Departure::turn);
  compute::Fence loaded = compute_->record();
  download_->wait(loaded);
  for (Departure* departure : leaving.departures) {
    departure->download(wave.slot, *download_);
  }
  leaving.arrived = download_->record();
  leaving_.push_back(std::move(leaving));
  return loaded;
}

/// The oldest waves, until no more than so many are left.
void DeviceEngine::hand_on_all_but(std::size_t under_way) {
  while (leaving_.size() > under_way) {
    const Leaving oldest = std::move(leaving_.front());
    leaving_.pop_front();
    {
      const Stopwatch watch(link_.wait_s);
      oldest.arrived.wait();
    }
    for (Departure* departure : oldest.departures) {
      departure->hand_on(oldest.slot, *download_);
    }
  }
}

void DeviceEngine::push_on_host(AnyBlock block, Branch& branch) const {
  const std::int64_t longest = host_push_frames(parts_.place, parts_.threads.count());
  for (std::int64_t f = 0; f < block.frames(); f += longest) {
    branch.run->push(block.slice(f, std::min(longest, block.frames() - f)));
  }
}

void DeviceEngine::push(const Chunk& chunk) {
  Wave wave = new_wave();
  const op::DeviceBlock block = upload(chunk);
  const compute::Fence uploaded = upload_->record();
  compute_->wait(uploaded);
  run_children(kReader, block, wave);
  wave.chunk = block;
  for (const Branch& branch : branches_) {
    if (branch.chunks != nullptr) {
      branch.chunks->keep(wave.slot, chunk.block);
    }
  }
  // What leaves may be the chunk itself, relabelled.
  arrivals_[static_cast<std::size_t>((chunks_ - 1) % kArrivalSlots)].read = leave(wave);
  // While that goes on: what needs the chunk on the host, and what came back of the wave before
  // the last.
  for (Output* output : reader_outputs_) {
    output->rows(0, {0, chunk.block.channels()}, chunk.block);
    output->turn_over();
  }
  for (Branch& branch : branches_) {
    if (branch.part.parent == kReader && branch.chunks == nullptr) {
      push_on_host(chunk.block, branch);
    }
  }
  hand_on_all_but(kDepartureSlots - 1);
  const Stopwatch watch(link_.wait_s);
  uploaded.wait();  // The chunk's memory is the reader's again.
}

void DeviceEngine::finish() {
  for (std::int64_t i = 0; i < parts_.graph.size(); ++i) {
    Node& node = nodes_[index_of(i)];
    if (node.late != nullptr) {
      continue;  // Once all events are known.
    }
    count(i);
    for (bool done = node.step == nullptr; !done;) {
      Wave wave = new_wave();
      op::DeviceEmission& out = wave.out[index_of(i)];
      wave.ran[index_of(i)] = true;
      done = in_context("node " + parts_.graph.node(i).name,
                        [&] { return node.step->finish({&out, 1}); });
      op::DeviceBlock block = out.room;
      block.frames = out.frames;
      run_children(i, block, wave);
      leave(wave);
    }
  }
  hand_on_all_but(0);
  for (Branch& branch : branches_) {
    branch.run->finish();
  }
  finish_late();
}

}  // namespace weir::pipeline
