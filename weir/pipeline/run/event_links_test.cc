// Graphs in which steps take the events of others: the same bits for any cut and thread count, and
// the events where they belong.
#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <random>

#include "weir/core/error.h"
#include "weir/pipeline/run/graph_run.h"
#include "weir/testing/conformance.h"
#include "weir/testing/fake_operators.h"
#include "weir/testing/samples.h"

namespace weir::pipeline {
namespace {

/// All that one node emits.
class Keep final : public Sink {
 public:
  Keep(std::int64_t channels, std::size_t groups) : at_(groups, 0) { samples.channels = channels; }
  void rows(std::size_t group, const ChannelGroup& channels, AnyBlock block) override {
    const std::lock_guard lock(mutex_);
    const std::int64_t first = at_[group];
    at_[group] += block.frames();
    if (at_[group] > samples.frames) {
      samples.frames = at_[group];
      samples.values.resize(static_cast<std::size_t>(samples.frames * samples.channels));
    }
    for (std::int64_t f = 0; f < block.frames(); ++f) {
      for (std::int64_t c = 0; c < channels.count; ++c) {
        samples(first + f, channels.first + c) = block.as<float>()(f, c);
      }
    }
  }
  void events(std::size_t, const EventList& events) override {
    const std::lock_guard lock(mutex_);
    list.insert(list.end(), events.begin(), events.end());
  }
  void turn_over() override {}

  testing::Samples samples;
  EventList list;

 private:
  std::mutex mutex_;
  std::vector<std::int64_t> at_;
};

struct Results {
  std::vector<testing::Samples> samples;
  std::vector<EventList> events;
  std::vector<op::Counter> counters;
};

class Links {
 public:
  explicit Links(std::int64_t channels) : channels_(channels) {
    graph.in = testing::make_stream(1000, channels, kFrames);
  }

  std::int64_t add(const op::Operator& op, std::int64_t parent, Value params = Value::object(),
                   std::int64_t detector = kReader) {
    op::StepContext context;
    context.in = graph.stream(parent);
    GraphNode node{op.name(), nullptr, parent};
    if (detector != kReader) {
      EventsLink link;
      link.node = detector;
      link.lag_frames = events_lag(graph, parent, detector);
      link.found_in = graph.stream(detector);
      context.events = op::EventsInput{graph.stream(detector), link.lag_frames, 0};
      node.events = link;
    }
    node.step = op.plan(params, context);
    graph.nodes.push_back(std::move(node));
    return graph.size() - 1;
  }

  Results run(const std::vector<std::int64_t>& cuts, std::int64_t threads,
              bool reload = false) const {
    const auto data = testing::noise(kFrames, channels_, 60.0, 5);
    Threads pool(threads);
    const auto groups = channel_groups(channels_, threads);
    std::vector<std::unique_ptr<Keep>> sinks;
    for (std::int64_t node = 0; node < graph.size(); ++node) {
      sinks.push_back(std::make_unique<Keep>(channels_, groups.size()));
    }
    const auto make = [&] {
      auto made = std::make_unique<GraphRun>(graph, GraphStart{0, 0}, kTile, groups, pool);
      for (std::int64_t node = 0; node < graph.size(); ++node) {
        made->attach(node, *sinks[static_cast<std::size_t>(node)]);
      }
      return made;
    };
    auto run = make();
    Buffer block(SampleType::float32, kPush, channels_);
    std::size_t cut = 0;
    for (std::int64_t first = 0; first < kFrames; ++cut) {
      const std::int64_t count = std::min({cuts[cut % cuts.size()], kPush, kFrames - first});
      for (std::int64_t f = 0; f < count; ++f) {
        std::copy_n(&data.values[static_cast<std::size_t>((first + f) * channels_)], channels_,
                    block.as<float>().row(f));
      }
      run->push(block.first(count));
      first += count;
      if (reload && cut % 3 == 0) {
        op::ByteWriter saved;
        run->save(saved);
        run = make();
        op::ByteReader reader(saved.bytes());
        run->load(reader);
        EXPECT_TRUE(reader.at_end());
      }
    }
    run->finish();
    Results results;
    for (auto& sink : sinks) {
      std::stable_sort(sink->list.begin(), sink->list.end(), row_before);
      results.samples.push_back(sink->samples);
      results.events.push_back(sink->list);
    }
    results.counters = run->counters();
    return results;
  }

  static constexpr std::int64_t kFrames = 2000;
  static constexpr std::int64_t kPush = 700;
  static constexpr std::int64_t kTile = 64;
  Graph graph;

 private:
  std::int64_t channels_;
};

Value with(const char* key, Value value) {
  Value params = Value::object();
  params.set(key, std::move(value));
  return params;
}

struct Operators {
  std::unique_ptr<op::Operator> gain = testing::fake_gain();
  std::unique_ptr<op::Operator> echo = testing::fake_echo();
  std::unique_ptr<op::Operator> decimator = testing::fake_decimator();
  std::unique_ptr<op::Operator> detector = testing::fake_detector();
  std::unique_ptr<op::Operator> listener = testing::fake_listener();
};

/// Every way in which a step and what finds its events can stand to one another.
Links all_ways(std::int64_t channels) {
  const Operators ops;
  Links links(channels);
  const Value longest = with("longest", 40);
  const auto level = [](double value) { return with("level", value); };
  const auto raw_events = links.add(*ops.detector, kReader, level(140.0));
  const auto wide = links.add(*ops.gain, kReader);
  const auto held = links.add(*ops.echo, wide, with("frames", 33));
  const auto coarse = links.add(*ops.decimator, kReader);
  const auto held_events = links.add(*ops.detector, held, level(330.0));
  const auto coarse_events = links.add(*ops.detector, coarse, level(50.0));
  // Beside its detector, below a step that holds rows back, and the other way round.
  const auto beside = links.add(*ops.listener, kReader, longest, raw_events);
  links.add(*ops.listener, held, longest, raw_events);
  links.add(*ops.listener, kReader, longest, held_events);
  // Crosswise over two branches of different rates.
  const auto slow = links.add(*ops.listener, coarse, longest, held_events);
  links.add(*ops.listener, held, longest, coarse_events);
  // Events found in what a step with an events input gave, for a step of another branch.
  const auto again = links.add(*ops.echo, beside, with("frames", 5));
  const auto chained = links.add(*ops.detector, again, level(250.0));
  links.add(*ops.listener, coarse, longest, chained);
  links.add(*ops.gain, slow);
  return links;
}

void expect_same(const Results& actual, const Results& expected, const std::string& what) {
  for (std::size_t i = 0; i < expected.samples.size(); ++i) {
    testing::expect_identical(actual.samples[i], expected.samples[i],
                              what + ", node " + std::to_string(i));
    EXPECT_EQ(actual.events[i], expected.events[i]) << what << ", node " << i;
  }
  ASSERT_EQ(actual.counters.size(), expected.counters.size());
  for (std::size_t i = 0; i < expected.counters.size(); ++i) {
    EXPECT_EQ(actual.counters[i].count, expected.counters[i].count) << expected.counters[i].what;
  }
}

TEST(EventLinks, GiveTheSameBitsForAnyCutAndAnyThreads) {
  const Links links = all_ways(100);
  const Results whole = links.run({Links::kPush}, 1);
  EXPECT_GT(whole.events[0].size(), 100U);
  EXPECT_GT(whole.events[4].size(), 100U);
  EXPECT_GT(whole.events[5].size(), 10U);
  EXPECT_GT(whole.events[12].size(), 10U);
  std::mt19937 random(3);
  for (std::int64_t threads = 1; threads <= 8; ++threads) {
    std::vector<std::int64_t> cuts(11);
    std::generate(cuts.begin(), cuts.end(),
                  [&] { return 1 + static_cast<std::int64_t>(random() % 300); });
    expect_same(links.run(cuts, threads), whole, std::to_string(threads) + " threads");
  }
  expect_same(links.run({1, 2, 3, 5, 7}, 2), whole, "tiny cuts");
}

TEST(EventLinks, GoOnFromSavedStates) {
  const Links links = all_ways(70);
  const Results whole = links.run({Links::kPush}, 2);
  expect_same(links.run({97, 13, 211}, 2, true), whole, "reloaded");
}

/// What the listener should give: `x` and, of every row, how many of the events that it takes have
/// their onset or their peak there.
testing::Samples listened(testing::Samples x, const EventList& events, std::int64_t longest,
                          const SampleMap& map) {
  std::vector<float> marks(static_cast<std::size_t>(x.frames), 0.0F);
  for (const Event& event : events) {
    const Event mapped = map(event);
    if (mapped.final - mapped.onset > longest) {
      continue;
    }
    marks[static_cast<std::size_t>(mapped.onset)] += 1.0F;
    marks[static_cast<std::size_t>(mapped.peak)] += 1.0F;
  }
  for (std::int64_t frame = 0; frame < x.frames; ++frame) {
    for (std::int64_t c = 0; c < x.channels; ++c) {
      x(frame, c) += marks[static_cast<std::size_t>(frame)];
    }
  }
  return x;
}

TEST(EventLinks, PutEveryEventWhereItBelongs) {
  const Operators ops;
  Links links(40);
  const Value longest = with("longest", 40);
  const auto held = links.add(*ops.echo, kReader, with("frames", 33));
  const auto events = links.add(*ops.detector, held, with("level", 150.0));
  const auto coarse = links.add(*ops.decimator, kReader);
  const auto fine_taken = links.add(*ops.listener, held, longest, events);
  const auto coarse_taken = links.add(*ops.listener, coarse, longest, events);
  const Results got = links.run({Links::kPush}, 2);
  const auto of = [&](std::int64_t node) -> const testing::Samples& {
    return got.samples[static_cast<std::size_t>(node)];
  };
  const EventList& found = got.events[static_cast<std::size_t>(events)];
  ASSERT_GT(found.size(), 100U);
  for (const auto& [from, taken] : {std::pair{held, fine_taken}, std::pair{coarse, coarse_taken}}) {
    const StreamInfo& in = links.graph.stream(from);
    const StreamInfo& counted = links.graph.stream(events);
    const SampleMap map(counted.segments[0], counted.rate, in.segments[0], in.rate);
    const testing::Samples wanted = listened(of(from), found, 40, map);
    testing::expect_identical(of(taken), wanted, "node " + std::to_string(taken));
  }
}

TEST(EventLinks, TellHowLateEventsCanBe) {
  const Operators ops;
  Links links(4);
  const auto held = links.add(*ops.echo, kReader, with("frames", 33));
  const auto events = links.add(*ops.detector, kReader, with("level", 100.0));
  const auto late_events = links.add(*ops.detector, held, with("level", 100.0));
  const auto coarse = links.add(*ops.decimator, kReader);
  const auto coarse_events = links.add(*ops.detector, coarse, with("level", 100.0));
  EXPECT_EQ(events_lag(links.graph, kReader, events), 0);
  EXPECT_EQ(events_lag(links.graph, held, events), 0);
  EXPECT_EQ(events_lag(links.graph, held, late_events), 0);
  EXPECT_EQ(events_lag(links.graph, kReader, late_events), 33);
  // A grid of 8 waits for 7 frames more, and a rounded output for one: 8 * (7 / 8 + 1), and one
  // for the nearest sample.
  EXPECT_EQ(events_lag(links.graph, kReader, coarse_events), 16);
  EXPECT_EQ(events_lag(links.graph, coarse, events), 2);
}

TEST(SampleMap, TakesTheNearestSampleHalvesToEven) {
  const Segment fine{.frames = 1000, .start_s = Rational(0)};
  const Segment coarse{.frames = 100, .start_s = Rational(0)};
  const SampleMap down(fine, SampleRate(Rational(1000)), coarse, SampleRate(Rational(100)));
  EXPECT_FALSE(down.same());
  EXPECT_EQ(down(4), 0);
  EXPECT_EQ(down(5), 0);
  EXPECT_EQ(down(6), 1);
  EXPECT_EQ(down(15), 2);
  EXPECT_EQ(down(25), 2);
  EXPECT_EQ(down(-5), 0);
  EXPECT_EQ(down(-15), -2);
  const SampleMap up(coarse, SampleRate(Rational(100)), fine, SampleRate(Rational(1000)));
  EXPECT_EQ(up(7), 70);
  const Segment later{.frames = 1000, .start_s = Rational(1, 3)};
  const SampleMap shifted(later, SampleRate(Rational(750003, 25)), fine,
                          SampleRate(Rational(750003, 25)));
  EXPECT_EQ(shifted(10), 10010);  // 10 + 10000.04
  EXPECT_EQ(up(std::int64_t{1} << 62), std::int64_t{1} << 62);
}

TEST(SampleMap, RefusesClocksWithoutACommonOne) {
  const Segment odd{.frames = 10, .start_s = Rational(1, (std::int64_t{1} << 61) - 1)};
  const Segment even{.frames = 10, .start_s = Rational(1, (std::int64_t{1} << 62) - 1)};
  testing::expect_error(ErrorCode::invalid_spec, "does not fit", [&] {
    SampleMap(odd, SampleRate(Rational(1)), even, SampleRate(Rational(1)));
  });
}

}  // namespace
}  // namespace weir::pipeline
