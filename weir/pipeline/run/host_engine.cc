#include <algorithm>

#include "weir/pipeline/run/engine.h"
#include "weir/pipeline/run/graph_run.h"

namespace weir::pipeline {
namespace {

class HostEngine final : public Engine {
 public:
  explicit HostEngine(EngineParts parts)
      : parts_(std::move(parts)),
        ring_(parts_.graph.in.type, parts_.place.chunk_frames, parts_.graph.in.channel_count()) {}

  const ChunkRing& ring() const noexcept override { return ring_; }
  void attach(const std::vector<std::unique_ptr<Output>>& outputs) override { outputs_ = &outputs; }

  void begin(std::int64_t segment) override {
    run_ = std::make_unique<GraphRun>(parts_.graph, GraphStart{segment, 0},
                                      parts_.place.tile_frames, parts_.groups, parts_.threads);
    for (std::size_t i = 0; i < outputs_->size(); ++i) {
      if (Output* output = (*outputs_)[i].get()) {
        run_->attach(parts_.plan.outputs[i].from, *output);
      }
    }
  }
  void push(const Chunk& chunk) override {
    const std::int64_t longest = parts_.place.push_frames;
    for (std::int64_t f = 0; f < chunk.block.frames(); f += longest) {
      run_->push(chunk.block.slice(f, std::min(longest, chunk.block.frames() - f)));
    }
  }
  void finish() override { run_->finish(); }
  void save(op::ByteWriter& to) override { run_->save(to); }
  void load(op::ByteReader& from) override { run_->load(from); }
  std::vector<op::Counter> counters() const override { return run_->counters(); }

 private:
  EngineParts parts_;
  ChunkRing ring_;
  const std::vector<std::unique_ptr<Output>>* outputs_ = nullptr;
  std::unique_ptr<GraphRun> run_;
};

}  // namespace

std::unique_ptr<Engine> make_host_engine(EngineParts parts) {
  return std::make_unique<HostEngine>(std::move(parts));
}

}  // namespace weir::pipeline
