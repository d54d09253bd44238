#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "weir/core/buffer.h"
#include "weir/testing/conformance.h"
#include "weir/testing/given_events.h"

namespace weir::testing {

/// An operator planned for a stream in the form it asked for, fitted if it wants a fit.
struct BoundStep {
  StreamInfo in;  ///< After the input form was applied: what the step sees.
  std::unique_ptr<op::Step> step;
  /// For operators that take events, when some are given.
  std::optional<GivenEvents> events = std::nullopt;
};

/// Plans `op` as the planner would. Errors: `invalid_spec` from planning; also when the operator
/// asks for integers that the stream does not carry.
BoundStep bind(const op::Operator& op, const Value& params, const StreamInfo& stream,
               std::optional<GivenEvents> events = std::nullopt);
/// What comes into the step in one segment; null without an events input.
std::unique_ptr<ListFeed> feed_of(const BoundStep& bound, std::int64_t segment);

/// Adds what one State has counted.
void add_counters(const std::vector<op::Counter>& counters, Outcome& outcome);

/// The counts `in` of `stream` in the form of `bound`, padding lanes filled with NaN or -1 so that
/// nobody can rely on them. Shape: [total frames, channels].
Buffer formed(const BoundStep& bound, const StreamInfo& stream, const Samples& in);

/// Replaces the step by its fitted one, learnt from all of `data`, cut as `cuts` says.
void fit(BoundStep& bound, AnyBlock data, const Cuts& cuts);

/// Runs one segment of one group of channels. `first_out`: where its output rows begin. Returns
/// where those of the next segment do.
using RunGroup =
    std::function<std::int64_t(const op::StartPoint& at, AnyBlock data, std::int64_t first_out)>;

/// Takes every segment of `data` through `run`, group by group where `cuts` asks for groups and the
/// step allows them. `outcome` is where `run` puts what comes out.
void for_each_group(const BoundStep& bound, AnyBlock data, const Cuts& cuts, Outcome& outcome,
                    const RunGroup& run);

/// Runs a bound step over every segment of `data`.
Outcome run_bound(const BoundStep& bound, AnyBlock data, const Cuts& cuts = {});

/// Calls `visit(first, count)` for the pieces of `frames` that `cuts` asks for.
void for_each_cut(const Cuts& cuts, std::int64_t frames,
                  const std::function<void(std::int64_t, std::int64_t)>& visit);

/// Appends the rows of `block` as float32 into the columns from `first_channel` of `samples`, from
/// row `frame` on; `samples` grows as needed.
void append_rows(AnyBlock block, std::int64_t frame, std::int64_t first_channel, Samples& samples);

}  // namespace weir::testing
