#include "weir/pipeline/run/graph_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <random>
#include <set>
#include <thread>

#include "weir/core/error.h"
#include "weir/pipeline/plan/device_graph.h"
#include "weir/pipeline/run/sink.h"
#include "weir/testing/fake_operators.h"
#include "weir/testing/samples.h"

namespace weir::pipeline {
namespace {

/// Keeps everything one node emits.
class Keep final : public Sink {
 public:
  Keep(std::int64_t channels, std::size_t groups)
      : at_(groups, 0), values_(groups), events_by_group_(groups) {
    samples.channels = channels;
  }
  void rows(std::size_t group, const ChannelGroup& channels, AnyBlock block) override {
    for (std::int64_t f = 0; f < block.frames(); ++f) {
      for (std::int64_t c = 0; c < channels.count; ++c) {
        values_[group].push_back({at_[group] + f, channels.first + c, block.as<float>()(f, c)});
      }
    }
    at_[group] += block.frames();
  }
  void events(std::size_t group, const EventList& events) override {
    auto& list = events_by_group_[group];
    list.insert(list.end(), events.begin(), events.end());
  }
  void turn_over() override {
    EventList merged;
    for (auto& list : events_by_group_) {
      merged.insert(merged.end(), list.begin(), list.end());
      list.clear();
    }
    std::sort(merged.begin(), merged.end(), row_before);
    events_seen.insert(events_seen.end(), merged.begin(), merged.end());
  }
  const testing::Samples& take() {
    samples.frames = at_.front();
    samples.values.resize(static_cast<std::size_t>(samples.frames * samples.channels));
    for (const auto& group : values_) {
      for (const auto& placed : group) {
        samples(placed.frame, placed.channel) = placed.value;
      }
    }
    return samples;
  }
  testing::Samples samples;
  EventList events_seen;

 private:
  struct Placed {
    std::int64_t frame;
    std::int64_t channel;
    float value;
  };
  std::vector<std::int64_t> at_;
  std::vector<std::vector<Placed>> values_;  // By group: groups deliver at once.
  std::vector<EventList> events_by_group_;
};

struct Results {
  std::vector<testing::Samples> samples;
  EventList events;
};

/// reader -> gain (frames) -> sum (channels) -> { echo (channels) -> gain (frames), decimator
/// (grid) -> sum, detector (events) }: every kind of step behind every other, with tails, a change
/// of rate, two meeting points, and below the decimator a table (twice the channels, no time) ->
/// gain.
class Tree {
 public:
  explicit Tree(std::int64_t channels) : channels_(channels) {
    graph.in = testing::make_stream(1000, channels, kFrames);
    add(*gain_, kReader);  // 0
    add(*sum_, 0);         // 1
    add(*echo_, 1);        // 2
    add(*gain_, 2);        // 3
    add(*decimator_, 1);   // 4
    add(*sum_, 4);         // 5
    add(*detector_, 0);    // 6
    add(*echo_, 3);        // 7
    add(*table_, 4);       // 8
    add(*gain_, 8);        // 9
  }

  Results run(const std::vector<std::int64_t>& cuts, std::int64_t threads,
              bool reload = false) const {
    const auto data = testing::noise(kFrames, channels_, 60.0, 5);
    Threads pool(threads);
    const auto groups = channel_groups(channels_, threads);
    std::vector<std::unique_ptr<Keep>> sinks;
    for (std::int64_t node = kReader; node < graph.size(); ++node) {
      sinks.push_back(
          std::make_unique<Keep>(graph.stream(node).channel_count(),
                                 output_groups(graph, {}, node, groups, threads).size()));
    }
    const auto make = [&] {
      auto made = std::make_unique<GraphRun>(graph, GraphStart{0, 0}, kTile, groups, pool);
      for (std::int64_t node = kReader; node < graph.size(); ++node) {
        made->attach(node, *sinks[static_cast<std::size_t>(node + 1)]);
      }
      return made;
    };
    auto run = make();
    Buffer block(SampleType::float32, kPush, channels_);
    std::size_t cut = 0;
    for (std::int64_t first = 0; first < kFrames; ++cut) {
      const std::int64_t count = std::min({cuts[cut % cuts.size()], kPush, kFrames - first});
      for (std::int64_t f = 0; f < count; ++f) {
        for (std::int64_t c = 0; c < channels_; ++c) {
          block.as<float>()(f, c) = data(first + f, c);
        }
      }
      run->push(block.first(count));
      first += count;
      if (reload && cut % 3 == 0) {
        op::ByteWriter saved;
        run->save(saved);
        run = make();
        op::ByteReader reader(saved.bytes());
        run->load(reader);
      }
    }
    run->finish();
    Results results;
    for (auto& sink : sinks) {
      results.samples.push_back(sink->take());
    }
    results.events = sinks[7]->events_seen;
    return results;
  }

  static constexpr std::int64_t kFrames = 2000;
  static constexpr std::int64_t kPush = 700;
  static constexpr std::int64_t kTile = 64;
  Graph graph;

 private:
  void add(const op::Operator& op, std::int64_t parent) {
    op::StepContext context;
    context.in = graph.stream(parent);
    Value params = Value::object();
    if (op.name() == echo_->name()) {
      params.set("frames", 20);
    }
    graph.nodes.push_back({op.name(), op.plan(params, context), parent});
  }
  std::int64_t channels_;
  std::unique_ptr<op::Operator> gain_ = testing::fake_gain();
  std::unique_ptr<op::Operator> sum_ = testing::fake_running_sum();
  std::unique_ptr<op::Operator> echo_ = testing::fake_echo();
  std::unique_ptr<op::Operator> decimator_ = testing::fake_decimator();
  std::unique_ptr<op::Operator> detector_ = testing::fake_detector();
  std::unique_ptr<op::Operator> table_ = testing::fake_table();
};

void expect_same(const Results& actual, const Results& expected, const std::string& what) {
  for (std::size_t i = 0; i < expected.samples.size(); ++i) {
    testing::expect_identical(actual.samples[i], expected.samples[i],
                              what + ", node " + std::to_string(i));
  }
  EXPECT_EQ(actual.events, expected.events) << what;
}

TEST(GraphRun, GivesTheSameBitsForAnyCutAndAnyThreads) {
  const Tree tree(100);
  const Results whole = tree.run({Tree::kPush}, 1);
  EXPECT_GT(whole.events.size(), 0U);
  EXPECT_EQ(whole.samples[1].frames, Tree::kFrames);
  EXPECT_EQ(whole.samples[10].frames, 8);
  EXPECT_EQ(whole.samples[10].channels, 200);
  std::mt19937 random(3);
  for (std::int64_t threads = 1; threads <= 8; ++threads) {
    std::vector<std::int64_t> cuts(11);
    std::generate(cuts.begin(), cuts.end(),
                  [&] { return 1 + static_cast<std::int64_t>(random() % 300); });
    expect_same(tree.run(cuts, threads), whole, std::to_string(threads) + " threads");
  }
  expect_same(tree.run({1, 2, 3, 5, 7}, 2), whole, "tiny cuts");
}

TEST(GraphRun, GoesOnFromSavedStates) {
  const Tree tree(70);
  const Results whole = tree.run({Tree::kPush}, 2);
  expect_same(tree.run({97, 13, 211}, 2, true), whole, "reloaded");
}

/// Lets no tile past the first group until two threads carry tiles.
class MeetingPoint final : public Sink {
 public:
  void rows(std::size_t group, const ChannelGroup&, AnyBlock) override {
    std::unique_lock lock(mutex_);
    threads_.insert(std::this_thread::get_id());
    met_.notify_all();
    if (group == 1) {
      met_.wait_for(lock, std::chrono::seconds(20), [&] { return threads_.size() > 1; });
    }
  }
  void events(std::size_t, const EventList&) override {}
  void turn_over() override {}
  std::size_t threads() const { return threads_.size(); }

 private:
  std::mutex mutex_;
  std::condition_variable met_;
  std::set<std::thread::id> threads_;
};

TEST(GraphRun, CarriesATileWhileAnotherIsOnItsWay) {
  const Tree tree(384);
  Threads pool(2);
  const auto groups = channel_groups(384, 2);
  GraphRun run(tree.graph, GraphStart{0, 0}, Tree::kTile, groups, pool);
  MeetingPoint meeting;
  run.attach(kReader, meeting);
  const Buffer block(SampleType::float32, Tree::kPush, 384);
  run.push(block.block());
  run.finish();
  EXPECT_EQ(meeting.threads(), 2U);
}

/// Fails at the third tile.
class Failing final : public Sink {
 public:
  void rows(std::size_t group, const ChannelGroup&, AnyBlock) override {
    if (group == 1 && ++tiles_ == 3) {
      throw Error(ErrorCode::io, "the disk is full");
    }
  }
  void events(std::size_t, const EventList&) override {}
  void turn_over() override {}

 private:
  int tiles_ = 0;
};

TEST(GraphRun, PassesOnWhatFailedAndWaitsForNoTileAfterIt) {
  const Tree tree(384);
  const auto groups = channel_groups(384, 2);
  for (const std::int64_t threads : {1, 2, 5}) {
    Threads pool(threads);
    GraphRun run(tree.graph, GraphStart{0, 0}, Tree::kTile, groups, pool);
    Failing sink;
    run.attach(kReader, sink);
    const Buffer block(SampleType::float32, Tree::kPush, 384);
    EXPECT_THROW(run.push(block.block()), Error);
  }
}

TEST(ChannelGroups, CoverEveryChannelOnceAtPaddedStarts) {
  for (const std::int64_t channels : {1, 31, 32, 33, 384, 385, 4096}) {
    for (const std::int64_t threads : {1, 2, 3, 16}) {
      std::int64_t next = 0;
      for (const auto& group : channel_groups(channels, threads)) {
        EXPECT_EQ(group.first, next);
        EXPECT_EQ(group.first % kLanePadding, 0);
        EXPECT_GT(group.count, 0);
        next += group.count;
      }
      EXPECT_EQ(next, channels);
    }
  }
}

}  // namespace
}  // namespace weir::pipeline
