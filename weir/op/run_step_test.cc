#include "weir/op/run_step.h"

#include <gtest/gtest.h>

#include <cfloat>

#include "weir/testing/fake_operators.h"
#include "weir/testing/samples.h"

namespace weir::op {
namespace {

/// Notes the lengths of the blocks it is given; works on grids of 8.
class Grids final : public Step {
 public:
  explicit Grids(const StreamInfo& in) : ports_{{.name = "out", .stream = in}} {}
  const std::vector<Port>& ports() const noexcept override { return ports_; }
  Parallel parallel() const noexcept override { return Parallel::none; }
  std::int64_t grid_frames() const noexcept override { return 8; }
  std::unique_ptr<State> start(const StartPoint& at) const override {
    static_cast<void>(at);
    return std::make_unique<State>();
  }
  void run(State& state, AnyBlock in, std::span<Emission> out) const override {
    static_cast<void>(state);
    lengths.push_back(in.frames());
    for (std::int64_t frame = 0; frame < in.frames(); ++frame) {
      out[0].room.as<float>()(frame, 0) = in.as<float>()(frame, 0);
    }
    out[0].frames = in.frames();
  }
  bool finish(State& state, std::span<Emission> out) const override {
    static_cast<void>(state), static_cast<void>(out);
    return ++finishes % 3 == 0;
  }
  mutable std::vector<std::int64_t> lengths;
  mutable int finishes = 0;

 private:
  std::vector<Port> ports_;
};

class StepRunGrids : public ::testing::Test {
 protected:
  void push(StepRun& run, std::int64_t frames) {
    Buffer block(SampleType::float32, frames, 1);
    for (std::int64_t frame = 0; frame < frames; ++frame) {
      block.as<float>()(frame, 0) = static_cast<float>(next_++);
    }
    run.push(block.block(), receiver());
  }
  Receiver receiver() {
    return [this](AnyBlock block, EventList&) {
      for (std::int64_t frame = 0; frame < block.frames(); ++frame) {
        seen_.push_back(block.as<float>()(frame, 0));
      }
    };
  }
  void expect_seen(std::int64_t frames) {
    ASSERT_EQ(static_cast<std::int64_t>(seen_.size()), frames);
    for (std::int64_t frame = 0; frame < frames; ++frame) {
      ASSERT_EQ(seen_[static_cast<std::size_t>(frame)], static_cast<float>(frame));
    }
  }
  const Grids step_{testing::make_stream(1000, 1, 100)};
  const StartPoint at_{0, 0, 0, 1};
  std::int64_t next_ = 0;
  std::vector<float> seen_;
};

TEST_F(StepRunGrids, StepsSeeWholeGridsAndTheRestAtTheEnd) {
  StepRun run(step_, at_, 20);
  for (const std::int64_t frames : {3, 4, 20, 1, 7}) {
    push(run, frames);
  }
  run.finish(receiver());
  EXPECT_EQ(step_.lengths, (std::vector<std::int64_t>{8, 16, 8, 3}));
  expect_seen(35);
}

TEST_F(StepRunGrids, NothingHeldBackNeedsNoShortBlock) {
  StepRun run(step_, at_, 16);
  push(run, 16);
  run.finish(receiver());
  EXPECT_EQ(step_.lengths, std::vector<std::int64_t>{16});
}

TEST_F(StepRunGrids, FinishIsAskedUntilItIsDone) {
  StepRun run(step_, at_, 16);
  run.finish(receiver());
  EXPECT_EQ(step_.finishes, 3);
  EXPECT_TRUE(step_.lengths.empty());
}

TEST_F(StepRunGrids, HeldFramesAreSavedAndLoaded) {
  ByteWriter bytes;
  {
    StepRun first(step_, at_, 20);
    push(first, 13);
    first.save(bytes);
  }
  StepRun second(step_, at_, 20);
  ByteReader reader(bytes.bytes());
  second.load(reader);
  EXPECT_TRUE(reader.at_end());
  push(second, 9);
  second.finish(receiver());
  expect_seen(22);
}

TEST_F(StepRunGrids, RoomsCoverAPushAndAWholeGrid) {
  EXPECT_EQ(StepRun::room_frames(step_, 20), 20);
  EXPECT_EQ(StepRun::room_frames(step_, 2), 8);
  EXPECT_EQ(StepRun::held_bytes(step_, SampleType::float32, 1),
            Buffer::bytes_for(SampleType::float32, 8, 1));
}

TEST_F(StepRunGrids, OutputGoesWhereRoomWasLast) {
  StepRun run(step_, at_, 20, Room::lent);
  Buffer room(SampleType::float32, StepRun::room_frames(step_, 20), 1);
  const Buffer in(SampleType::float32, 16, 1);
  run.lend(room.block());
  run.push(in.block(),
           [&](AnyBlock block, EventList&) { EXPECT_EQ(block.data(), room.block().data()); });
}

TEST(StepRun, CollectsEventsOfEachCallAlone) {
  StepContext context;
  context.in = testing::make_stream(1000, 1, 6);
  const auto detector = testing::fake_detector();
  const auto step = detector->plan(Value::object(), context);
  StepRun run(*step, {0, 0, 0, 1}, 6);
  Buffer block(SampleType::float32, 6, 1);
  block.as<float>()(1, 0) = 100;
  block.as<float>()(3, 0) = 100;
  std::vector<std::size_t> counts;
  const auto count = [&](AnyBlock signal, EventList& events) {
    EXPECT_EQ(signal.frames(), 0);
    counts.push_back(events.size());
  };
  run.push(block.first(4), count);
  run.push(block.block().slice(4, 2), count);
  run.finish(count);
  EXPECT_EQ(counts, (std::vector<std::size_t>{1, 1, 0}));
}

TEST(FlushToZero, HoldsForItsLifeOnly) {
  const volatile float tiny = FLT_MIN;
  const auto half = [&] { return tiny * 0.5F; };
  EXPECT_GT(half(), 0.0F);
  {
    const FlushToZero guard;
    EXPECT_EQ(half(), 0.0F);
  }
  EXPECT_GT(half(), 0.0F);
}

}  // namespace
}  // namespace weir::op
